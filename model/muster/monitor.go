package muster

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// past is the state of the monitor: facts of the world, also of crashed nodes, and violations. Sets
// of nodes are bits by address.
type past struct {
	hosted, started, finished uint32
	ranks                     uint32 // that were given to a process
	asked                     bool   // the custodian was asked for the permit
	granted                   bool   // and granted it
	off                       bool   // before that, the attempt was called off
	halted                    bool   // the processes must end
	deposited                 bool
	reports                   []muster.Status // by rank: the report of the driver
	outcome                   []muster.Status // by rank
	broken                    breach
	rules                     uint32 // of the contract, that were broken
	seen                      witness
}

// breach is a property that a step has broken.
type breach uint32

const (
	allOrNone breach = 1 << iota
	askedOnce
	goUnpermitted
	ranksOnce
	startsOnce
	statusesTrue
	outcomeFirst
	outcomeOnce
	reasonTrue
	outputsKept
)

// witness is something that must happen in some run.
type witness uint32

const (
	completed   witness = 1 << iota // an outcome of processes that all exited with 0
	failed                          // an outcome with a failed task
	endedByHalt                     // a process is halted while it runs
	unrun                           // a host receives Halt instead of Go
	unfit                           // a task cannot be started
	refused                         // the permit is refused
	killed                          // the task layer ends an attempt whose process runs
	lost                            // a host has lost its task
	lostRunning                     // its process ran
	unkept                          // a process exits with 0, and the outputs of its task cannot be kept
)

// monitor collects the facts.
type monitor struct{ agent *Agent }

func (m monitor) Initial() []byte {
	return (&past{reports: make([]muster.Status, len(m.agent.Hosts))}).encode()
}

func (monitor) View(mon []byte) any { return decodePast(mon) }

func (monitor) Wants(event string) bool {
	switch event {
	case EventGiven, contract.Event, muster.EventGo, muster.EventHalt, muster.EventUnrun, muster.EventKill,
		muster.EventFinish, muster.EventPermit, muster.EventGranted, muster.EventHalting, muster.EventStatus,
		muster.EventOutcome:
		return true
	}
	return false
}

func (m monitor) Observe(mon []byte, node int, after Site, events []protocol.Event) []byte {
	p := decodePast(mon)
	for _, e := range events {
		switch e.Name {
		case EventGiven:
			m.given(p, node, &after, muster.CommandKind(e.Number))
		case contract.Event:
			p.rules |= 1 << e.Number
		}
	}
	for _, e := range events {
		m.announced(p, node, &after, e.Name)
	}
	if s, _, ok := after.Core.Outcome(); ok && p.outcome != nil && !slices.Equal(s, p.outcome) {
		p.broken |= outcomeOnce
	}
	return p.encode()
}

// given notes what the driver knows when it gives a command.
func (m monitor) given(p *past, node int, after *Site, kind muster.CommandKind) {
	w := &after.World
	switch kind {
	case muster.CommandHost:
		p.hosted |= 1 << node
	case muster.CommandPermit:
		p.granted = p.granted || w.Permit == Granted
		if w.Permit == Denied {
			p.seen |= refused
			p.callOff()
		}
	case muster.CommandHalt:
		if w.Represented {
			p.callOff()
		}
	case muster.CommandExited, muster.CommandUnfit, muster.CommandLost, muster.CommandKept:
		m.report(p, node, w.Report)
		if p.granted && (w.Report.Cause == muster.Lost || hasFailed(w.Report) && m.agent.HaltOnFailure) {
			p.halted = true
		}
		switch {
		case w.Report.Cause == muster.Unfit:
			p.seen |= unfit
		case w.Report.Cause == muster.Unkept:
			p.seen |= unkept
		case w.Report.Cause == muster.Lost && p.started>>node&1 == 1:
			p.seen |= lost | lostRunning
		case w.Report.Cause == muster.Lost:
			p.seen |= lost
		}
	case muster.CommandDeposited:
		p.deposited = true
	}
}

// callOff notes that the processes must end. Without a permit none may start any more.
func (p *past) callOff() { p.halted, p.off = true, p.off || !p.granted }

// hasFailed reports whether a task has failed by itself. A task that its host has lost has not.
func hasFailed(s muster.Status) bool {
	return s.Cause == muster.Unfit || s.Cause == muster.Unkept ||
		s.Cause == muster.Exited && (s.Code != 0 || s.Signal != 0)
}

func (m monitor) report(p *past, node int, status muster.Status) {
	if rank := m.rank(node); rank >= 0 {
		p.reports[rank] = status
	}
}

func (m monitor) rank(node int) int {
	return slices.IndexFunc(m.agent.Hosts, func(id protocol.NodeID) bool { return int(id.Address) == node })
}

// announced compares what the core announces with the facts.
func (m monitor) announced(p *past, node int, after *Site, event string) {
	w := &after.World
	switch event {
	case muster.EventGo:
		m.goes(p, node, after)
	case muster.EventHalt:
		p.seen |= endedByHalt
	case muster.EventUnrun:
		p.seen |= unrun
		m.report(p, node, w.Report)
	case muster.EventKill:
		p.seen |= killed
	case muster.EventFinish:
		p.finished |= 1 << node
		if !p.deposited {
			p.broken |= outcomeFirst
		}
	case muster.EventPermit:
		if !m.allHere(p) || p.asked || p.off {
			p.broken |= askedOnce
		}
		p.asked = true
	case muster.EventGranted:
		if !p.granted || p.off {
			p.broken |= goUnpermitted
		}
	case muster.EventStatus:
		if !p.granted {
			p.callOff()
		}
	case muster.EventHalting:
		p.callOff()
	case muster.EventOutcome:
		m.outcome(p, after)
	}
}

// allHere reports whether the task layer has started the task at each host.
func (m monitor) allHere(p *past) bool {
	return !slices.ContainsFunc(m.agent.Hosts, func(id protocol.NodeID) bool { return p.hosted>>id.Address&1 == 0 })
}

// goes checks the start of a process.
func (m monitor) goes(p *past, node int, after *Site) {
	h := &after.Core.Host
	if !p.granted {
		p.broken |= goUnpermitted
	}
	if !m.allHere(p) || !p.granted || p.off {
		p.broken |= allOrNone
	}
	if p.started>>node&1 == 1 || after.World.Halting || after.World.Report.Cause != 0 {
		p.broken |= startsOnce
	}
	fits := int(h.Rank) == m.rank(node) && len(h.Places) == len(m.agent.Hosts) && p.ranks>>h.Rank&1 == 0
	for i, place := range h.Places {
		fits = fits && place.Host == m.agent.Hosts[i] && slices.Equal(place.Ports, portsOf(place.Host))
	}
	if !fits {
		p.broken |= ranksOnce
	}
	p.started |= 1 << node
	p.ranks |= 1 << (h.Rank & 31)
}

// portsOf are the ports that a host announces.
func portsOf(id protocol.NodeID) []uint16 { return []uint16{uint16(7000 + id.Address)} }

// outcome checks an outcome against the reports of the hosts' drivers.
func (m monitor) outcome(p *past, after *Site) {
	if p.outcome != nil {
		p.broken |= outcomeOnce
		return
	}
	statuses, reason, _ := after.Core.Outcome()
	p.outcome = statuses
	if !explains(reason, statuses) {
		p.broken |= reasonTrue
	}
	for rank, host := range m.agent.Hosts {
		success := muster.Status{Cause: muster.Exited}
		if m.agent.hasOutputs(host) && statuses[rank] == success && p.reports[rank] != success {
			p.broken |= outputsKept // the driver reports success when the outputs are safe
		}
	}
	if !slices.Equal(statuses, p.reports) {
		p.broken |= statusesTrue
	}
	p.seen |= completed
	for _, s := range statuses {
		if hasFailed(s) || s.Cause != muster.Exited {
			p.seen &^= completed
		}
		if hasFailed(s) {
			p.seen |= failed
		}
	}
}

// explains reports whether the reason of an outcome is in its statuses: a failure if a task has
// failed by itself, and the loss of a task if a host has lost one. An outcome without a reason has
// no lost task.
func explains(reason muster.Reason, statuses []muster.Status) bool {
	fails := slices.ContainsFunc(statuses, func(s muster.Status) bool { return !s.Halted && hasFailed(s) })
	loses := slices.ContainsFunc(statuses, func(s muster.Status) bool { return !s.Halted && s.Cause == muster.Lost })
	switch reason {
	case muster.Failure:
		return fails
	case muster.TaskLost:
		return loses
	}
	return reason != 0 || !loses
}

func (p *past) encode() []byte {
	var b []byte
	for _, v := range []uint32{
		p.hosted, p.started, p.finished, p.ranks, uint32(p.broken), p.rules, uint32(p.seen),
	} {
		b = protocol.AppendUint(b, uint64(v))
	}
	for _, v := range []bool{p.asked, p.granted, p.off, p.halted, p.deposited} {
		b = protocol.AppendBool(b, v)
	}
	for _, list := range [][]muster.Status{p.reports, p.outcome} {
		b = protocol.AppendUint(b, uint64(len(list)))
		for _, s := range list {
			b = appendStatus(b, s)
		}
	}
	return b
}

func decodePast(b []byte) *past {
	r := protocol.NewReader(b)
	word := func() uint32 { return uint32(r.Uint(1<<32 - 1)) }
	p := &past{
		hosted: word(), started: word(), finished: word(), ranks: word(), broken: breach(word()), rules: word(),
		seen: witness(word()), asked: r.Bool(), granted: r.Bool(), off: r.Bool(), halted: r.Bool(), deposited: r.Bool(),
	}
	status := func() muster.Status { return decodeStatus(r) }
	p.reports, p.outcome = protocol.List(r, status), protocol.List(r, status)
	if err := r.Close(); err != nil {
		panic(fmt.Sprintf("the monitor's own state: %v", err))
	}
	return p
}
