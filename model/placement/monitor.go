package placement

import (
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// past is the state of a monitor.
type past struct {
	rules   uint32 // of the contract, that were broken
	seen    witness
	unfair  bool     // a job whose search had failed had its turn before a job that was waiting then
	waiting uint64   // jobs in line, by bits
	behind  []uint64 // by job: the jobs whose searches failed while it waits
}

// witness is something that must happen in some run.
type witness uint32

const (
	rested  witness = 1 << iota // a job rests after a search in vain
	paused                      // a job pauses before its next try
	revoked                     // a submission is revoked
	asked                       // an owner is asked
	ignored                     // a report of a former submission changes nothing
)

// monitor collects what has happened.
type monitor struct{ jobs int }

func (m monitor) Initial() []byte { return (&past{behind: make([]uint64, m.jobs)}).encode() }

func (monitor) View(mon []byte) any { return decodePast(mon) }

func (monitor) Wants(event string) bool {
	switch event {
	case contract.Event, placement.EventSubmit, placement.EventRevoke, placement.EventAsk, placement.EventRest,
		placement.EventWait, placement.EventIgnore, "crash":
		return true
	}
	return false
}

func (monitor) Observe(mon []byte, _ int, after Site, events []protocol.Event) []byte {
	p := decodePast(mon)
	for _, e := range events {
		switch e.Name {
		case contract.Event:
			p.rules |= 1 << e.Number
		case placement.EventRevoke:
			p.seen |= revoked
		case placement.EventAsk:
			p.seen |= asked
		case placement.EventIgnore:
			p.seen |= ignored
		case placement.EventRest:
			if e.Detail == placement.Vain {
				p.seen |= rested
			} else {
				p.seen |= paused
			}
		case placement.EventWait:
			p.waits(e.Number-1, &after)
		case "crash":
			p.waiting = 0
			clear(p.behind)
			return p.encode()
		}
	}
	p.leave(&after)
	return p.encode()
}

// waits notes that a job begins to wait for its turn.
func (p *past) waits(job uint32, after *Site) {
	if j := after.Core.Job(job + 1); j != nil && j.Searches > 0 {
		for i := range p.behind {
			if p.waiting>>i&1 == 1 {
				p.behind[i] |= 1 << job
			}
		}
	}
	p.waiting |= 1 << job
}

// leave notes which jobs have left the line, and which of them should not have been the first.
func (p *past) leave(after *Site) {
	placed := uint64(0)
	for i := range p.behind {
		if phase := after.phase(i); p.waiting>>i&1 == 1 && phase != placement.Waiting {
			p.waiting &^= 1 << i
			p.behind[i] = 0
			if phase == placement.Placed {
				placed |= 1 << i
			}
		}
	}
	for i := range p.behind {
		p.unfair = p.unfair || p.behind[i]&placed != 0
		p.behind[i] &^= placed
	}
}

func (p *past) encode() []byte {
	b := protocol.AppendUint(protocol.AppendUint(nil, uint64(p.rules)), uint64(p.seen))
	b = protocol.AppendUint(protocol.AppendBool(b, p.unfair), p.waiting)
	b = protocol.AppendUint(b, uint64(len(p.behind)))
	for _, set := range p.behind {
		b = protocol.AppendUint(b, set)
	}
	return b
}

func decodePast(mon []byte) *past {
	r := protocol.NewReader(mon)
	word := func() uint64 { return r.Uint(1<<64 - 1) }
	p := &past{rules: uint32(word()), seen: witness(word()), unfair: r.Bool(), waiting: word()}
	p.behind = protocol.List(r, word)
	return p
}
