package muster

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Site is a node with its driver's view of the world around the core.
type Site struct {
	Core  muster.State
	World World
}

// World is the environment of the core of a node: the task layer, the process, the custodian.
type World struct {
	Hosted      bool          // the task layer has started the task here
	Represented bool          // it has decided here
	Permit      Answer        // of the custodian
	Process     Process       // of the task
	Halting     bool          // the driver was asked to end the process
	Report      muster.Status // the driver's report of the end, if any
	Deposit     Answer        // of the custodian: the outcome is safe
	Finished    bool          // the task layer was notified of the end of the task
}

// Answer is the state of a question.
type Answer uint8

// The answers.
const (
	Unasked Answer = iota
	Asked
	Granted
	Denied
)

// Process is the process of the task at a host.
type Process uint8

// The states of a process.
const (
	Unborn Process = iota
	Runs
	Over
	Keeping // it is over, and the outputs of the task are being kept
)

// appendWorld appends the canonical encoding of a world.
func appendWorld(dst []byte, w *World) []byte {
	e := space.Encoder{Dst: dst}
	e.Bool(w.Hosted)
	e.Bool(w.Represented)
	e.Uint(uint64(w.Permit))
	e.Uint(uint64(w.Process))
	e.Bool(w.Halting)
	e.Dst = appendStatus(e.Dst, w.Report)
	e.Uint(uint64(w.Deposit))
	e.Bool(w.Finished)
	return e.Dst
}

func decodeWorld(r *protocol.Reader) World {
	return World{
		Hosted: r.Bool(), Represented: r.Bool(), Permit: Answer(r.Uint(uint64(Denied))),
		Process: Process(r.Uint(uint64(Keeping))), Halting: r.Bool(), Report: decodeStatus(r),
		Deposit: Answer(r.Uint(uint64(Denied))), Finished: r.Bool(),
	}
}

func appendStatus(dst []byte, s muster.Status) []byte {
	dst = protocol.AppendUint(protocol.AppendUint(dst, uint64(s.Cause)), uint64(s.Code))
	return protocol.AppendBool(protocol.AppendUint(dst, uint64(s.Signal)), s.Halted)
}

func decodeStatus(r *protocol.Reader) muster.Status {
	return muster.Status{
		Cause: muster.Cause(r.Uint(uint64(muster.Unkept))), Code: uint32(r.Uint(1<<32 - 1)), Signal: uint8(r.Uint(1<<8 - 1)),
		Halted: r.Bool(),
	}
}

// AppendState implements [protocol.Core].
func (a *Agent) AppendState(dst []byte, s Site) []byte {
	core := muster.AppendState(nil, s.Core)
	dst = append(protocol.AppendUint(dst, uint64(len(core))), core...)
	return appendWorld(dst, &s.World)
}

// DecodeState implements [protocol.Core].
func (a *Agent) DecodeState(src []byte) (Site, error) {
	r := protocol.NewReader(src)
	core, err := muster.DecodeState(r.Bytes(int(r.Uint(uint64(r.Left())))))
	if err != nil {
		return Site{}, err
	}
	s := Site{Core: core, World: decodeWorld(r)}
	return s, r.Close()
}

// StateText implements [protocol.Core].
func (a *Agent) StateText(s Site) string {
	w, text := &s.World, muster.StateText(s.Core)
	for _, each := range []struct {
		set  bool
		word string
	}{
		{w.Hosted, "task"}, {w.Represented, "decided"},
		{w.Permit == Asked, "permit?"}, {w.Permit == Granted, "permitted"}, {w.Permit == Denied, "refused"},
		{w.Process == Runs, "process"}, {w.Process >= Over, "process-over"},
		{w.Process == Keeping, "keeping"}, {w.Halting, "halting"},
		{w.Report.Cause > 0, "reported(" + muster.MessageText(muster.Message{Kind: muster.Exit, Status: w.Report}) + ")"},
		{w.Deposit == Asked, "deposit?"}, {w.Deposit == Granted, "deposited"}, {w.Deposit == Denied, "undeposited"},
		{w.Finished, "finished"},
	} {
		if each.set {
			text += " +" + each.word
		}
	}
	return text
}

// timers returns the timers that stand for the possible actions of the world at a node.
func (a *Agent) timers(s *Site) (timers []protocol.Timer) {
	w, fate := &s.World, a.Fates[s.Core.Self.Address]
	if s.Core.Ended {
		return nil
	}
	want := func(wanted bool, kind protocol.TimerKind) {
		if wanted {
			timers = append(timers, protocol.Timer{Kind: kind})
		}
	}
	runs := w.Process == Runs
	want(!w.Hosted && slices.Contains(a.Hosts, s.Core.Self), HostTimer)
	want(!w.Represented && s.Core.Self == a.Rep, RepresentTimer)
	want(w.Permit == Asked, PermitTimer)
	want(w.Permit == Asked && a.Refusable, RefuseTimer)
	want(runs && fate&Ends != 0, ExitTimer)
	want(runs && fate&Fails != 0, FailTimer)
	want(runs && w.Halting, KillTimer)
	unended := runs || w.Hosted && w.Report.Cause == 0
	want(unended && fate&Unfits != 0, UnfitTimer)
	want(unended && fate&Loses != 0, LoseTimer)
	want(w.Process == Keeping && fate&Keeps != 0, KeepTimer)
	want(w.Process == Keeping && fate&Unkeeps != 0, UnkeepTimer)
	want(w.Deposit == Asked, DepositTimer)
	want(true, EndTimer)
	return timers
}
