package model

import "github.com/canvass-grid/canvass/protocol"

// actionKind is a kind of action.
type actionKind uint8

const (
	actChosen actionKind = iota
	actCommand
	actTimeout
	actDeliver
	actMeasured
	actSpurious
	actDrop
	actDuplicate
	actRepeat
	actLate
	actSuspect
	actCrash
	actRestart
	actionKinds
)

// String names the kind as traces do.
func (k actionKind) String() string {
	return [actionKinds]string{"chosen", "command", "timeout", "deliver", "measured", "timeout-early", "drop", "duplicate",
		"repeat", "late", "suspect", "crash", "restart"}[k]
}

// fair reports whether no run puts off actions of this kind forever: messages arrive, timers fire,
// choices are made, measurements end.
func (k actionKind) fair() bool {
	return k == actChosen || k == actTimeout || k == actDeliver || k == actMeasured
}

// moves reports whether actions of this kind concern a message.
func (k actionKind) moves() bool {
	return k == actDeliver || k == actRepeat || k == actLate || k == actDrop || k == actDuplicate
}

// cost returns the fault that an action of this kind spends, if any.
func (k actionKind) cost() (fault, bool) {
	switch k {
	case actSpurious:
		return spurious, true
	case actDrop:
		return drop, true
	case actDuplicate:
		return duplicate, true
	case actLate:
		return late, true
	case actSuspect:
		return suspect, true
	case actCrash:
		return crash, true
	case actRestart:
		return restart, true
	}
	return 0, false
}

// input is an action as the core of its node sees it.
type input struct {
	kind  protocol.InputKind // 0: a crash
	node  int
	value uint32         // deliver: envelope; chosen: choice; measured: latency
	timer protocol.Timer // timeout; measured: its Peer was measured
}

// action is one of the actions that are enabled in a state.
type action struct {
	kind     actionKind
	node     int
	envelope uint32   // deliver, repeat, late, drop, duplicate
	value    uint32   // chosen: choice; measured: latency; drop: position in the inbox
	outcome  *outcome // its cached outcome, if the place keeps it
	timer    protocol.Timer
}
