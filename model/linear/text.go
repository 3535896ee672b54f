package linear

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// shown is the largest number of operations that a text lists.
const shown = 8

// unanswered ends the description of an operation without an answer.
const unanswered = ": no answer"

// Text describes in one line a history that is not linearizable. It lists the operations on the
// first bad object, in the order of their calls. Rejected operations are listed too, since a
// rejected operation that took effect is a defect that shows elsewhere. A long history is only
// counted. Like Check, it panics if an operation is none of the object.
func (s Spec) Text(history []Operation, limit time.Duration) string {
	s.mustFit(history)
	wrong := s.wrong(finished(history), limit)
	if len(wrong) > shown {
		return fmt.Sprintf("a history of %d operations violates specification %s", len(wrong), s.Name)
	}
	if rejected := s.rejected(history, wrong); len(wrong)+len(rejected) <= shown {
		wrong = append(wrong, rejected...)
	}
	slices.SortStableFunc(wrong, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	var text strings.Builder
	over := int64(-1) // when all before have returned
	for i, o := range wrong {
		switch {
		case i == 0:
		case o.Call > over:
			text.WriteString("; then ")
		default:
			text.WriteString("; meanwhile ")
		}
		text.WriteString(s.describe(o))
		over = max(over, o.Return)
	}
	return text.String()
}

// rejection is the answer of a rejected operation.
type rejection struct{}

// describe describes an operation and its result.
func (s Spec) describe(o porcupine.Operation) string {
	if o.Output == (rejection{}) {
		return strings.TrimSuffix(s.model.DescribeOperation(o.Input, nil), unanswered) + ": rejected"
	}
	return s.model.DescribeOperation(o.Input, o.Output)
}

// rejected returns the rejected operations of a history on the same object as the given ones.
func (s Spec) rejected(history []Operation, of []porcupine.Operation) []porcupine.Operation {
	var all []porcupine.Operation
	for _, o := range history {
		if !o.Rejected {
			continue
		}
		p := porcupine.Operation{ClientId: o.Client, Input: o.Input, Call: o.Call, Output: rejection{}, Return: o.Return}
		if s.model.Partition == nil || len(s.model.Partition(append(slices.Clone(of), p))) == 1 {
			all = append(all, p)
		}
	}
	return all
}

// wrong returns the operations on the first object that is not linearizable.
func (s Spec) wrong(ops []porcupine.Operation, limit time.Duration) []porcupine.Operation {
	if s.model.Partition == nil {
		return ops
	}
	for _, part := range s.model.Partition(ops) {
		if porcupine.CheckOperationsTimeout(s.model, part, limit) == porcupine.Illegal {
			return slices.Clone(part)
		}
	}
	return ops
}
