package daemon

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// site is the simulation's state of a node. The daemon itself is in the world: it is no value.
type site struct {
	Address protocol.Address
	Lives   uint32
	Over    bool // the incarnation has ended by itself
}

// order is a command of the run to a node.
type order struct {
	Kind   string // an operation, or wakeOrder
	Number uint64 // of a job, or a time in microseconds
}

const wakeOrder = "wake"

// core is a daemon as the simulation drives it. It is not pure: the daemon is behind it. So no step
// is taken twice, and none from a cache.
type core struct{ world *world }

type input = protocol.Input[frame, order]

// Step lets a daemon take an input.
func (c core) Step(s site, in input) (site, output) {
	m := c.world.machines[s.Address]
	m.out, m.stepping = output{}, true
	switch in.Kind {
	case protocol.Start, protocol.Restart:
		m.begin()
		s.Lives++
		m.out.Persist = []byte{1}
	case protocol.Deliver:
		m.inbox = append(m.inbox, func() { m.receive(in.Message) })
	case protocol.Command:
		m.take(in.Command)
	}
	m.run()
	if c.world.traced {
		m.tell()
	}
	m.stepping = false
	s.Over = m.node == nil
	return s, m.out
}

// tell passes the daemon's reports to users to the trace.
func (m *machine) tell() {
	if m.node == nil {
		return
	}
	for _, e := range m.node.Events(m.told) {
		m.told = e.Cursor
		m.out.Events = append(m.out.Events, protocol.Event{Name: e.Kind, Peer: m.node.Self(), Detail: e.Job + " " + e.Text})
	}
}

func (core) AppendState(dst []byte, s site) []byte {
	dst = protocol.AppendUint(protocol.AppendUint(dst, uint64(s.Address)), uint64(s.Lives))
	return protocol.AppendBool(dst, s.Over)
}

func (core) DecodeState(src []byte) (site, error) {
	r := protocol.NewReader(src)
	s := site{Address: protocol.Address(r.Uint(1<<32 - 1)), Lives: uint32(r.Uint(1<<32 - 1)), Over: r.Bool()}
	return s, r.Close()
}

func (core) AppendMessage(dst []byte, f frame) []byte { return f.append(dst) }

func (core) DecodeMessage(src []byte) (frame, error) { return readFrame(src) }

func (core) AppendCommand(dst []byte, o order) []byte {
	return append(protocol.AppendUint(dst, o.Number), o.Kind...)
}

func (core) DecodeCommand(src []byte) (order, error) {
	r := protocol.NewReader(src)
	o := order{Number: r.Uint(1<<64 - 1), Kind: string(r.Bytes(r.Left()))}
	if o.Kind == "" {
		return o, errors.Join(r.Close(), protocol.ErrEncoding)
	}
	return o, r.Close()
}

// StateText is the state of the daemon as text.
func (c core) StateText(s site) string {
	m := c.world.machines[s.Address]
	if m.node == nil {
		return fmt.Sprintf("%d lives, the last one ended: %s", s.Lives, m.why)
	}
	r := m.node.Report()
	text := fmt.Sprintf("%v, %s, lease for %v, cluster %v", r.Node, r.Phase, r.LeaseLeft, r.Cluster)
	if r.Running != "" {
		text += ", runs " + r.Running
	}
	return text
}

func (core) MessageText(f frame) string { return f.text() }

func (core) CommandText(o order) string { return fmt.Sprintf("%s %d", o.Kind, o.Number) }

func (core) TimerText(protocol.Timer) string { return "turn" }
