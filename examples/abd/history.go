package abd

import (
	"github.com/anishathalye/porcupine"

	"github.com/canvass-grid/canvass/protocol"
)

// history is the monitor. Its state is the list of calls and returns so far, three bytes each: the
// kind, the client and the value.
type history struct{}

func (history) Initial() []byte         { return nil }
func (history) Wants(event string) bool { return event == "call" || event == "return" }

func (history) Observe(mon []byte, _ int, _ State, events []protocol.Event) []byte {
	next := append([]byte{}, mon...)
	for _, e := range events {
		next = append(protocol.AppendBool(next, e.Name == "return"), byte(e.Peer.Address), byte(e.Number))
	}
	return next
}

// past is the view of a history for properties.
type past struct {
	linearizable bool
	returns      int
	readNew      bool // a read returned a written value
}

// View is computed once for each history.
func (history) View(mon []byte) any {
	var p past
	var events []porcupine.Event
	open := map[byte]int{} // the id of a client's operation
	called := 0
	call := func(i int) register { return register{write: mon[i+2]} }
	writing := map[byte]bool{}
	for i := 0; i < len(mon); i += 3 {
		who := mon[i+1]
		if mon[i] == 0 {
			open[who], writing[who] = called, mon[i+2] != 0
			called++
			events = append(
				events,
				porcupine.Event{ClientId: int(who), Kind: porcupine.CallEvent, Value: call(i), Id: open[who]},
			)
			continue
		}
		p.returns++
		p.readNew = p.readNew || !writing[who] && mon[i+2] != 0
		events = append(
			events,
			porcupine.Event{ClientId: int(who), Kind: porcupine.ReturnEvent, Value: mon[i+2], Id: open[who]},
		)
		delete(open, who)
	}
	p.linearizable = porcupine.CheckEvents(sequential, finished(events, open))
	return p
}

// finished closes the operations that are still open. A write that is open at the end may have
// taken effect at any time since its call, or not at all, which means after all others. A read that
// is open may return any value, so its call is removed.
func finished(events []porcupine.Event, open map[byte]int) []porcupine.Event {
	var closed, ends []porcupine.Event
	for _, e := range events {
		id, pending := open[byte(e.ClientId)]
		if pending && id == e.Id {
			if e.Value.(register).write == 0 {
				continue
			}
			ends = append(
				ends,
				porcupine.Event{ClientId: e.ClientId, Kind: porcupine.ReturnEvent, Value: e.Value.(register).write, Id: id},
			)
		}
		closed = append(closed, e)
	}
	return append(closed, ends...)
}

// register is an operation on the register, in porcupine's form.
type register struct{ write uint8 }

// sequential is the register that the replicas imitate.
var sequential = porcupine.Model{
	Init: func() any { return uint8(0) },
	Step: func(state, in, out any) (bool, any) {
		if w := in.(register).write; w != 0 {
			return true, w
		}
		return out == state, state
	},
}
