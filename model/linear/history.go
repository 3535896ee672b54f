package linear

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// ErrHistory is wrapped by every error about an impossible history.
var ErrHistory = errors.New("impossible history")

// Operation is an operation of a client from its call to its return. If one operation returned
// before another was called, they took effect in that order. Nothing is known of the order of any
// others.
type Operation struct {
	Client       int
	Call, Return int64 // in the order of events; Return counts only if the operation is not open
	Open         bool  // it has no answer: it took effect at any time since its call, or never
	Rejected     bool  // it took no effect and never will; only texts mention it
	Input        any
	Output       any // counts only if the operation is not open
}

// Spec is a sequential specification: the answers of an object to operations that come one at a
// time.
type Spec struct {
	Name  string
	model porcupine.Model
	fits  func(o Operation) error // why the object has no such operation
}

// finished converts a history for porcupine. An open operation returns after all others, with the
// answer nil, which every specification accepts as any answer. To take effect as the very last
// operation is equivalent to never. Rejected operations are left out.
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
// between its call and its return so that the specification, applied in the order of these moments,
// gives the same answers. If the time limit ends the search, the verdict is Inconclusive, which is
// not a pass. A limit of 0 means none.
//
// It panics with the error of [Spec.Validate] if an operation is none of the object: a verdict
// would mean nothing.
func (s Spec) Check(history []Operation, limit time.Duration) checker.Verdict {
	s.mustFit(history)
	return verdict(porcupine.CheckOperationsTimeout(s.model, finished(history), limit))
}

// Draw checks the history and writes a page (HTML) to a file. The page shows the history with its
// longest linearizations. Like Check, it refuses operations that the object does not have, with an
// error.
func (s Spec) Draw(history []Operation, limit time.Duration, path string) (checker.Verdict, error) {
	if err := s.operations(history); err != nil {
		return checker.Inconclusive, err
	}
	result, info := porcupine.CheckOperationsVerbose(s.model, finished(history), limit)
	draw := func(w io.Writer) error { return porcupine.Visualize(s.model, info, w) }
	if err := fileio.Write(path, draw); err != nil {
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

// Validate reports the errors of [Validate], and an operation that the object does not have: its
// input or its answer is of another type, a finished operation has no answer, or the answer is
// impossible for the operation. Check panics because of such an operation.
func (s Spec) Validate(history []Operation) error {
	if err := Validate(history); err != nil {
		return err
	}
	return s.operations(history)
}

// operations reports the first operation that the object does not have.
func (s Spec) operations(history []Operation) error {
	for i, o := range history {
		if err := s.fits(o); err != nil {
			return fmt.Errorf("%w of %s: operation %d of client %d: %w", ErrHistory, s.Name, i, o.Client, err)
		}
	}
	return nil
}

// mustFit panics if an operation is none of the object.
func (s Spec) mustFit(history []Operation) {
	if err := s.operations(history); err != nil {
		panic(err)
	}
}

// typed returns the input and the answer of an operation of a client, if they have the types of the
// object. Without an answer out is the zero value and seen is false.
func typed[In, Out any](o Operation) (in In, out Out, seen bool, err error) {
	in, ok := o.Input.(In)
	switch {
	case !ok:
		return in, out, false, fmt.Errorf("its Input is of type %T; it must be of type %T", o.Input, in)
	case o.Open || o.Rejected:
		return in, out, false, nil
	case o.Output == nil:
		return in, out, false, errors.New("it has no Output; set it, or mark the operation Open or Rejected")
	}
	if out, seen = o.Output.(Out); !seen {
		return in, out, false, fmt.Errorf("its Output is of type %T; it must be of type %T", o.Output, out)
	}
	return in, out, true, nil
}

// Validate reports an operation that returns before it is called, or a client that calls before its
// last answer. Such a list is no history, and a verdict on it would mean nothing. [Spec.Validate]
// looks at the operations themselves, too.
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

// parts divides a history by a key, in the order of the first appearance of each key. Operations
// without a key go to every part.
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
