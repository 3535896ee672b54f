package rpc

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Waiting is the questions that wait for one decision.
type Waiting struct{ calls []waitingCall }

// waitingCall is a question that waits.
type waitingCall struct {
	from  protocol.NodeID
	id    uint64
	frame []byte
}

// waitingLimit is the largest number of questions that wait for one decision. The daemons repeat
// the others.
const waitingLimit = 256

// Undecided is the error of a handler whose answer comes with a decision.
type Undecided struct{ waiting *Waiting }

func (Undecided) Error() string { return "not decided yet" }

// Undecided keeps the question that is being answered until [Exchange.Reopen].
func (w *Waiting) Undecided() error { return Undecided{w} }

// add keeps a question, unless it is there already.
func (w *Waiting) add(c waitingCall) {
	same := func(d waitingCall) bool { return d.from == c.from && d.id == c.id }
	if len(w.calls) < waitingLimit && !slices.ContainsFunc(w.calls, same) {
		w.calls = append(w.calls, c)
	}
}

// Reopen answers the waiting questions again.
func (x *Exchange) Reopen(w *Waiting) {
	calls := w.calls
	w.calls = nil
	for _, c := range calls {
		x.Receive(c.from, c.frame)
	}
}
