package muster

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// State is one node's part in one attempt. It is a value: Step never changes its argument.
type State struct {
	Self  protocol.NodeID
	Ended bool // the task layer has ended the attempt here: both roles are gone
	Host  Host
	Rep   Rep
}

// Host is the role of a node that runs a task of the attempt.
type Host struct {
	Phase  HostPhase
	Rep    protocol.NodeID
	Ports  []uint16
	Rank   uint32  // once it has received Go
	Places []Place // of all ranks in their order, once it has received Go
	Halted Reason  // why it was halted, if it was
	Status Status  // once the process has ended
	Noted  bool    // the representative has acknowledged the end of the task
}

// HostPhase is the phase of a host.
type HostPhase uint8

// The phases of a host.
const (
	HostAbsent  HostPhase = iota // the node is no host, or not yet
	HostWaiting                  // reports Here until it receives Go or Halt
	HostRunning                  // the process runs
	HostEnded                    // nothing runs; the status is reported until it is noted
	HostClosed                   // the outcome is safe
	HostKeeping                  // nothing runs; waits until the outputs are safe. It comes before HostEnded
)

// hasEnded reports whether a host in this phase has a status to report.
func (p HostPhase) hasEnded() bool { return p == HostEnded || p == HostClosed }

// Rep is the role of the node that represents the attempt.
type Rep struct {
	Phase         RepPhase
	HaltOnFailure bool
	Reason        Reason   // why the hosts are halted, if they are
	Members       []Member // sorted by host: the index is the rank
}

// RepPhase is the phase of a representative.
type RepPhase uint8

// The phases of a representative.
const (
	RepAbsent     RepPhase = iota // the node represents nothing, or not yet
	RepGathering                  // waits until all hosts are here
	RepAsking                     // waits for the permit
	RepStarted                    // all hosts receive Go
	RepCalledOff                  // no host receives Go: waits until all have said that nothing runs
	RepDepositing                 // all tasks have ended; waits until the outcome is safe
	RepFinishing                  // tells the hosts
	RepClosed                     // all hosts know
)

// Member is a host in the view of its representative.
type Member struct {
	Host   protocol.NodeID
	State  MemberState
	Ports  []uint16
	Status Status // once the task has ended
}

// MemberState is the state of a host, in its representative's view.
type MemberState uint8

// The states of a member.
const (
	MemberAwaited MemberState = iota // has not reported
	MemberHere                       // may start; after the permit it receives Go until it answers
	MemberGoing                      // has received Go
	MemberEnded                      // nothing runs there; once the outcome is safe it receives Finish
	MemberClosed                     // has received Finish
)

// New returns the state of an instance at a node that runs.
func New(self protocol.NodeID) State { return State{Self: self} }

// Runs reports whether the process of the task runs here.
func (s *State) Runs() bool { return s.Host.Phase == HostRunning }

// Outcome returns the statuses of all ranks, in their order, and why the hosts were halted, if they
// were. It has them at the representative, from EventOutcome until the end.
func (s *State) Outcome() (statuses []Status, reason Reason, ok bool) {
	if s.Rep.Phase < RepDepositing {
		return nil, 0, false
	}
	for _, m := range s.Rep.Members {
		statuses = append(statuses, m.Status)
	}
	return statuses, s.Rep.Reason, true
}

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Rep.Members = slices.Clone(s.Rep.Members)
	return s
}

// places returns where the ranks run, in their order.
func (r *Rep) places() []Place {
	var places []Place
	for _, m := range r.Members {
		places = append(places, Place{Host: m.Host, Ports: m.Ports})
	}
	return places
}

// all reports whether all members are at least in a state.
func (r *Rep) all(state MemberState) bool {
	return !slices.ContainsFunc(r.Members, func(m Member) bool { return m.State < state })
}
