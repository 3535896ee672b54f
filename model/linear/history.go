package linear

import (
	"errors"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/canvass-grid/canvass/checker"
)

// ErrHistory is wrapped by every error about a history that is none.
var ErrHistory = errors.New("impossible history")

// Operation is an operation of a client from its call to its return. Two operations of which the
// one returned before the other was called took effect in that order; of any others nothing is
// known.
type Operation struct {
	Client       int
	Call, Return int64 // in the order of events; Return counts only if the operation is not open
	Open         bool  // its answer was lost, or never came: it took effect at any time since its call, or never
	Rejected     bool  // the answer was that it took no effect and never will: it counts for nothing, and texts tell of it
	Input        any
	Output       any // counts only if the operation is not open
}

// Spec is a sequential specification: what an object answers when operations come one at a time.
type Spec struct {
	Name  string
	model porcupine.Model
}

// finished turns a history into porcupine's form. An operation that is open returns after
// everything else with an answer that nobody has seen: nil, which every specification takes for any
// answer at all. To take effect as the last of all is as good as never. What was rejected is left
// out.
func finished(history []Operation) []porcupine.Operation {
	end := int64(0)
	for _, o := range history {
		end = max(end, o.Call, o.Return)
	}
	ops := make([]porcupine.Operation, 0, len(history))
	for _, o := range history {
		if o.Rejected {
			continue
		}
		p := porcupine.Operation{ClientId: o.Client, Input: o.Input, Call: o.Call, Output: o.Output, Return: o.Return}
		if o.Open {
			p.Return, p.Output = end+1, nil
		}
		ops = append(ops, p)
	}
	return ops
}

// Check reports whether the history is linearizable: whether each operation can be given one moment
// between its call and its return so that the specification, taken through them in that order,
// gives the very answers. If the time limit ends the search, the verdict is Inconclusive, and that
// is not a pass. A limit of 0 means none.
func (s Spec) Check(history []Operation, limit time.Duration) checker.Verdict {
	return verdict(porcupine.CheckOperationsTimeout(s.model, finished(history), limit))
}

// Draw checks the history and writes a page (HTML) that shows it, with the longest linearizations
// that were found, to a file.
func (s Spec) Draw(history []Operation, limit time.Duration, path string) (checker.Verdict, error) {
	result, info := porcupine.CheckOperationsVerbose(s.model, finished(history), limit)
	if err := porcupine.VisualizePath(s.model, info, path); err != nil {
		return verdict(result), fmt.Errorf("drawing a history of %s to %s: %w", s.Name, path, err)
	}
	return verdict(result), nil
}

func verdict(r porcupine.CheckResult) checker.Verdict {
	switch r {
	case porcupine.Ok:
		return checker.Holds
	case porcupine.Illegal:
		return checker.Violated
	}
	return checker.Inconclusive
}

// Validate reports an operation that returns before it is called, and a client that calls before it
// has its last answer: such a list is no history, and a verdict on it would mean nothing.
func Validate(history []Operation) error {
	last := map[int]Operation{}
	for i, o := range history {
		if !o.Open && o.Return < o.Call {
			return fmt.Errorf("%w: operation %d returns before it is called", ErrHistory, i)
		}
		before, ok := last[o.Client]
		if ok && (before.Open || o.Call < before.Return) {
			return fmt.Errorf("%w: client %d calls operation %d before it has its last answer; after an open operation it must "+
				"go on under another number", ErrHistory, o.Client, i)
		}
		last[o.Client] = o
	}
	return nil
}

// parts divides a history by a key, in the order in which the keys come up. Operations of all keys
// go to each part.
func parts(history []porcupine.Operation, key func(input any) (string, bool)) [][]porcupine.Operation {
	var order []string
	byKey := map[string][]porcupine.Operation{}
	for _, o := range history {
		if k, one := key(o.Input); one && byKey[k] == nil {
			order = append(order, k)
			byKey[k] = []porcupine.Operation{}
		}
	}
	for _, o := range history {
		k, one := key(o.Input)
		for _, other := range order {
			if !one || k == other {
				byKey[other] = append(byKey[other], o)
			}
		}
	}
	all := make([][]porcupine.Operation, len(order))
	for i, k := range order {
		all[i] = byKey[k]
	}
	return all
}
