package custody

import (
	"fmt"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// past is the state of the monitor: facts of the world, announcements, and violations. Sets of
// attempts and of custodians are bits by number and by address.
type past struct {
	over      []uint64         // by custodian: the latest incarnation that has ended
	ends      []uint64         // by attempt: the hosts at which nothing of it runs any more
	accepted  bool             // announced: all custodians have the job
	submitted uint64           // announced: the latest try
	permitted uint64           // announced: these attempts
	cancelled bool             // announced: no other attempt will run
	end       custody.End      // announced
	outcome   protocol.Address // announced: the attempt whose outcome it is
	forgotten uint64           // these custodians have forgotten the job
	broken    breach
	rules     uint64 // of the contract, that were broken
	seen      witness
}

// breach is a property that a step has broken.
type breach uint64

const (
	onePermit breach = 1 << iota
	oneOutcome
	cancelFinal
	overStays
	nothingRuns
)

// witness is something that must happen in some run.
type witness uint64

const (
	ended     witness = 1 << iota // the job ends with an outcome
	heirEnded                     // after a primary that is not the custodian or incarnation that took it
	retried                       // a second try is submitted
	wished                        // the job is cancelled
	exhausted                     // the job ends since its attempts are used up
	forgot                        // it is forgotten
	heirTakes                     // another custodian than the first one takes the job
)

// monitor collects the facts.
type monitor struct{ agent *Agent }

func (m monitor) Initial() []byte {
	p := past{over: make([]uint64, len(m.agent.Custodians)), ends: make([]uint64, len(m.agent.Attempts))}
	return p.encode()
}

func (monitor) View(mon []byte) any { return decodePast(mon) }

func (monitor) Wants(event string) bool {
	switch event {
	case eventCrash, EventEnds, contract.Event, custody.EventAccepted, custody.EventSubmit, custody.EventPermitted,
		custody.EventCancel, custody.EventEnded, custody.EventForgotten:
		return true
	}
	return false
}

// eventCrash is the event of a crash.
const eventCrash = "crash"

func (m monitor) Observe(mon []byte, node int, after Site, events []protocol.Event) []byte {
	p := decodePast(mon)
	for _, e := range events {
		switch e.Name {
		case eventCrash:
			if !after.Grid {
				p.over[node]++ // lives are numbered from 1
			}
		case EventEnds:
			p.ends[e.Peer.Address-1] |= 1 << e.Peer.Incarnation
		case contract.Event:
			p.rules |= 1 << e.Number
		default:
			m.announced(p, node, &after, e)
		}
	}
	return p.encode()
}

// runs reports whether a task of a permitted attempt may run.
func (m monitor) runs(p *past, number int) bool {
	return p.permitted>>number&1 == 1 && !m.agent.over(p, number)
}

// over reports whether nothing of an attempt runs any more.
func (a *Agent) over(p *past, number int) bool {
	return p.ends[number-1] == 1<<a.Attempts[number-1].Hosts-1
}

// announced compares what a primary announces with the facts.
func (m monitor) announced(p *past, node int, after *Site, e protocol.Event) {
	closed := p.end != 0
	switch e.Name {
	case custody.EventAccepted:
		if node > 0 && !p.accepted && p.submitted == 0 {
			p.seen |= heirTakes
		}
		p.accepted = true
	case custody.EventSubmit:
		if closed {
			p.broken |= overStays
		}
		if e.Number > 1 {
			p.seen |= retried
		}
		p.submitted = max(p.submitted, uint64(e.Number))
	case custody.EventPermitted:
		m.permits(p, int(e.Number))
	case custody.EventCancel:
		p.cancelled = true
		p.seen |= wished
	case custody.EventEnded:
		m.finishes(p, node, after)
	case custody.EventForgotten:
		p.forgotten |= 1 << node
		p.seen |= forgot
	}
}

func (m monitor) permits(p *past, number int) {
	if p.end != 0 {
		p.broken |= overStays
	}
	if p.cancelled {
		p.broken |= cancelFinal
	}
	p.permitted |= 1 << number
	for other := range m.agent.Attempts {
		if other+1 != number && m.runs(p, other+1) {
			p.broken |= onePermit
		}
	}
}

func (m monitor) finishes(p *past, node int, after *Site) {
	r, _ := after.Core.Record()
	number := protocol.Address(0)
	if r.End == custody.Done {
		number = protocol.Address(r.Attempt.Epoch)
		if r.Outcome != outcome(number) || p.permitted>>number&1 == 0 {
			p.broken |= oneOutcome
		}
		p.seen |= ended
		if node > 0 || after.Core.Self.Incarnation > 1 {
			p.seen |= heirEnded
		}
	}
	if p.end != 0 && (p.end != r.End || p.outcome != number) {
		p.broken |= oneOutcome
	}
	for i := range m.agent.Attempts {
		if m.runs(p, i+1) {
			p.broken |= nothingRuns
		}
	}
	if r.End == custody.Exhausted {
		p.seen |= exhausted
	}
	p.end, p.outcome = r.End, number
}

func (p *past) encode() []byte {
	b := protocol.AppendBool(protocol.AppendBool(nil, p.accepted), p.cancelled)
	for _, v := range []uint64{
		p.submitted, p.permitted, uint64(p.end), uint64(p.outcome), p.forgotten, uint64(p.broken), p.rules, uint64(p.seen),
	} {
		b = protocol.AppendUint(b, v)
	}
	for _, list := range [][]uint64{p.over, p.ends} {
		b = protocol.AppendUint(b, uint64(len(list)))
		for _, v := range list {
			b = protocol.AppendUint(b, v)
		}
	}
	return b
}

func decodePast(b []byte) *past {
	r := protocol.NewReader(b)
	word := func() uint64 { return r.Uint(1<<64 - 1) }
	p := &past{accepted: r.Bool(), cancelled: r.Bool()}
	p.submitted, p.permitted, p.end, p.outcome = word(), word(), custody.End(word()), protocol.Address(word())
	p.forgotten, p.broken, p.rules, p.seen = word(), breach(word()), word(), witness(word())
	p.over, p.ends = protocol.List(r, word), protocol.List(r, word)
	if err := r.Close(); err != nil {
		panic(fmt.Sprintf("the monitor's own state: %v", err))
	}
	return p
}
