package linear

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// shown is how many operations are told one by one.
const shown = 8

// unanswered ends the description of an operation without an answer.
const unanswered = ": no answer"

// Text says in a line what is wrong with a history that is not linearizable: the operations on the
// first object whose are not, in the order of their calls, with those that were rejected, since
// what took effect although it was rejected is a mistake that shows elsewhere. A long history is
// only counted.
func (s Spec) Text(history []Operation, limit time.Duration) string {
	wrong := s.wrong(finished(history), limit)
	if len(wrong) > shown {
		return fmt.Sprintf("a history of %d operations is none of specification %s", len(wrong), s.Name)
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

// rejection is the answer of what was rejected.
type rejection struct{}

// describe says what an operation was and what came of it.
func (s Spec) describe(o porcupine.Operation) string {
	if o.Output == (rejection{}) {
		return strings.TrimSuffix(s.model.DescribeOperation(o.Input, nil), unanswered) + ": rejected"
	}
	return s.model.DescribeOperation(o.Input, o.Output)
}

// rejected returns the operations of a history that were rejected and are on the object of those
// given.
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

// wrong returns the operations on the first object whose are not linearizable.
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
