package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

type property = model.Property[Site, custody.Message]

func pastOf(g *globalState) *past { return g.MonitorView.(*past) }

// look has the custodians of a run, by number: the memory of running ones (nil: it is down), and
// all disks.
type look struct {
	core      func(int) *custody.State
	persisted func(int) []byte
}

func lookAt(g *globalState) look {
	core := func(i int) *custody.State {
		if !g.Live(i) {
			return nil
		}
		return &g.Slots[i].State.Core
	}
	return look{core, func(i int) []byte { return g.Slots[i].Persisted }}
}

// running returns the custodians that run.
func (a *Agent) running(l look) (all []*custody.State) {
	for i := range a.Custodians {
		if s := l.core(i); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// covers reports whether a record has all that was announced.
func (a *Agent) covers(p *past, r *custody.Record) bool {
	if r.Try == 0 {
		return p.forgotten != 0 || !p.accepted && p.submitted == 0
	}
	switch {
	case uint64(r.Try) < p.submitted, p.cancelled && r.Requested == 0 && r.End == 0:
		return false
	case p.end != 0:
		return r.End == p.end && (p.outcome == 0 || r.Outcome == outcome(p.outcome))
	}
	for i, attempt := range a.Attempts {
		if p.permitted>>(i+1)&1 == 0 {
			continue
		}
		for host := range attempt.Hosts {
			open := r.Attempt.Epoch == uint32(i+1) && slices.Contains(r.Hosts, a.host(protocol.Address(i+1), host))
			if p.ends[i]>>host&1 == 0 && !open {
				return false
			}
		}
	}
	return true
}

// kept reports whether the disks that must come back have all that was announced: one of one, both
// of two, and any two of three. So has each primary.
func (a *Agent) kept(p *past, l look) bool {
	for _, s := range a.running(l) {
		if s.Leads() && !a.covers(p, &s.Disk.Record) {
			return false
		}
	}
	var disks []custody.Disk
	for i := range a.Custodians {
		disks = append(disks, diskOf(l.persisted(i)))
	}
	for i := range disks {
		for j := range disks {
			if i == j && len(disks) > 1 {
				continue
			}
			if newest := newer(&disks[i], &disks[j]); !a.covers(p, &newest.Record) {
				return false
			}
		}
	}
	return true
}

// newer returns the disk that has the newer record.
func newer(d, other *custody.Disk) *custody.Disk {
	if d.View.Number > other.View.Number || d.View.Number == other.View.Number && d.Seq > other.Seq {
		return d
	}
	return other
}

func (a *Agent) primaryOnce(_ *past, l look) bool {
	count := 0
	for _, s := range a.running(l) {
		if s.Leads() {
			count++
		}
	}
	return count <= 1
}

// forgottenLast reports whether each disk has the end of the job, if it was forgotten anywhere.
func (a *Agent) forgottenLast(p *past, l look) bool {
	for i := range a.Custodians {
		d := diskOf(l.persisted(i))
		if p.forgotten != 0 && p.forgotten>>i&1 == 0 && d.Record.End == 0 {
			return false
		}
	}
	return true
}

// nobodyWaits reports whether the job was accepted and has ended, or waits for a custodian that is
// down and that a running one names, while half of them are down. It need not be accepted if a
// running one takes half of them for dead, or no leader wants it. Once it is forgotten anywhere, no
// custodian waits for anything. Nothing is demanded beyond the bound of views.
func (a *Agent) nobodyWaits(p *past, l look) bool {
	if a.outOfBounds(l) {
		return true
	}
	nobody, committed, few, named := true, false, false, false
	running := a.running(l)
	for _, s := range running {
		nobody = nobody && s.Disk.View.Number == 0 && (s.Wanted == 0 || s.Leader().Address != s.Self.Address)
		committed, few = committed || s.Primary.Committed, few || a.tooFew(s)
		down := func(a protocol.Address) bool { return l.core(int(a)) == nil }
		named = named || slices.ContainsFunc(s.WaitsFor(), down)
	}
	switch {
	case p.forgotten != 0:
		return !slices.ContainsFunc(running, waits)
	case named && 2*len(running) <= len(a.Custodians), few && !p.accepted, nobody:
		return true
	}
	return p.end != 0 && p.accepted || committed && a.early(p)
}

// beyond reports whether a view is beyond the bound of the scenario.
func (a *Agent) beyond(view uint32) bool { return a.Views > 0 && view > a.Views }

// outOfBounds reports whether a custodian has promised such a view.
func (a *Agent) outOfBounds(l look) bool {
	for i := range a.Custodians {
		if a.Views > 0 && a.beyond(diskOf(l.persisted(i)).Promised) {
			return true
		}
	}
	return false
}

// tooFew reports whether a custodian takes too many others for dead to accept the job.
func (a *Agent) tooFew(s *custody.State) bool {
	there := len(a.Custodians)
	for i, other := range s.Lives {
		if s.Custodians[i] != s.Self.Address && other.Dead > 0 && other.Dead >= other.Known {
			there--
		}
	}
	return 2*there <= len(a.Custodians)
}

// in evaluates a predicate in a global state.
func in(holds func(*past, look) bool) func(*globalState) bool {
	return func(g *globalState) bool { return holds(pastOf(g), lookAt(g)) }
}

// predicates lists the properties of all states that are not about a step.
func (a *Agent) predicates() []struct {
	name, doc string
	holds     func(*past, look) bool
} {
	return []struct {
		name, doc string
		holds     func(*past, look) bool
	}{
		{"AckedKept", "the disks that must come back, and each primary, have all that was announced", a.kept},
		{"PrimaryOnce", "two custodians that run are never both primary", a.primaryOnce},
		{"ForgottenLast", "a job is forgotten only when it has ended on the disks of all custodians", a.forgottenLast},
	}
}

// breaches lists the properties of all states that the monitor checks, with their descriptions.
func breaches() []struct {
	bit       breach
	name, doc string
} {
	return []struct {
		bit       breach
		name, doc string
	}{
		{onePermit, "OnePermit", "an attempt is permitted only if nothing runs of any other one that was"},
		{oneOutcome, "OneOutcome", "a job ends once, and with the outcome of a permitted attempt if with any"},
		{cancelFinal, "CancelFinal", "no attempt is permitted after a cancellation was announced"},
		{overStays, "OverStays", "a job that has ended is not submitted or permitted again"},
		{nothingRuns, "NothingRuns", "when the end is announced, nothing of the job runs"},
	}
}

func always(name, doc string, holds func(*globalState) bool) property {
	return property{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Always}, Holds: holds}
}

func (s *scenario) properties(a *Agent) (all []property) {
	for _, b := range breaches() {
		all = append(all, always(b.name, b.doc, func(g *globalState) bool { return pastOf(g).broken&b.bit == 0 }))
	}
	for _, each := range a.predicates() {
		all = append(all, always(each.name, each.doc, in(each.holds)))
	}
	all = append(all, contract.Properties(rules, func(g *globalState) uint32 { return uint32(pastOf(g).rules) })...)
	all = append(all, property{
		Property: checker.Property{
			Name: "NobodyWaits", Doc: "when quiescent, the job was accepted and has ended, or half of its custodians are down",
			Shape: checker.Quiescent,
		},
		Holds: in(a.nobodyWaits),
	})
	all = append(all, s.witnesses()...)
	if s.safety {
		return all
	}
	return append(all, property{
		Property: checker.Property{
			Name: "Ends", Doc: "a job that was accepted ends, or half of its custodians are down", Shape: checker.LeadsTo,
		},
		Triggers: func(g *globalState) bool { return pastOf(g).accepted },
		Holds:    in(a.nobodyWaits),
	})
}

func (s *scenario) witnesses() (all []property) {
	if s.witness == 0 {
		all = append(all, property{
			Property: checker.Property{Name: "IsAccepted", Doc: "the job is accepted", Shape: checker.Sometimes},
			Holds:    func(g *globalState) bool { return pastOf(g).accepted },
		})
	}
	for _, each := range []struct {
		bit       witness
		name, doc string
	}{
		{ended, "EndsWell", "the job ends with an outcome"},
		{heirEnded, "HeirEnds", "another custodian, or another life of it, announces the outcome"},
		{retried, "Retries", "a second try is submitted"},
		{wished, "IsCancelled", "the cancellation is announced"},
		{exhausted, "IsExhausted", "the job ends since all its attempts came to nothing"},
		{forgot, "IsForgotten", "the record is forgotten"},
		{heirTakes, "HeirTakes", "another custodian than the first one takes the job"},
	} {
		if s.witness&each.bit != 0 {
			all = append(all, property{
				Property: checker.Property{Name: each.name, Doc: each.doc, Shape: checker.Sometimes},
				Holds:    func(g *globalState) bool { return pastOf(g).seen&each.bit != 0 },
			})
		}
	}
	return all
}
