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

// Text says in a line what is wrong with a history that is not linearizable: the operations on the first object whose are not, in the order
// of their calls. A long history is only counted.
func (s Spec) Text(history []Operation, limit time.Duration) string {
	wrong := s.wrong(finished(history), limit)
	if len(wrong) > shown {
		return fmt.Sprintf("a history of %d operations is none of specification %s", len(wrong), s.Name)
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
		text.WriteString(s.model.DescribeOperation(o.Input, o.Output))
		over = max(over, o.Return)
	}
	return text.String()
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
