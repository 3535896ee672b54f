package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// KeyedKind is a kind of operation on a job that was submitted under a key.
type KeyedKind uint8

// The operations.
const (
	KeyedSubmit KeyedKind = iota // under the key, perhaps again
	KeyedStatus                  // of the job that the key named
	KeyedCancel                  // of it; answered when it has ended
)

// KeyedOver is the end of a job of which an answer said only that it has ended.
const KeyedOver = "over"

// KeyedInput is an operation.
type KeyedInput struct {
	Kind KeyedKind
	Key  string
}

// KeyedOutput is its answer.
type KeyedOutput struct {
	Job string // its id; "": there is no such job
	End string // its final state, or KeyedOver; "": it is open
}

// keyed is one key as the specification sees it.
type keyed struct{ job, end string }

// KeyedJobs is the specification of a service in which one key is one job: an id that was answered
// is the id forever, a job is never forgotten, and its end never changes.
func KeyedJobs() Spec {
	return Spec{"keyed jobs", porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			return parts(history, func(input any) (string, bool) { return input.(KeyedInput).Key, true })
		},
		Init: func() any { return keyed{} },
		Step: func(state, in, out any) (bool, any) {
			answer, seen := out.(KeyedOutput)
			if !seen {
				return true, state // it may have made the job, and later answers say which one
			}
			return state.(keyed).answer(in.(KeyedInput).Kind, answer)
		},
		DescribeOperation: describeKeyed,
		DescribeState: func(state any) string {
			k := state.(keyed)
			return fmt.Sprintf("job %q, end %q", k.job, k.end)
		},
	}, fitsKeyed}
}

// fitsKeyed reports why a job under a key does not have an operation.
func fitsKeyed(o Operation) error {
	in, _, _, err := typed[KeyedInput, KeyedOutput](o)
	if err == nil && in.Kind > KeyedCancel {
		err = fmt.Errorf("KeyedInput.Kind is %d; it must be KeyedSubmit, KeyedStatus or KeyedCancel", in.Kind)
	}
	return err
}

func (k keyed) answer(kind KeyedKind, a KeyedOutput) (bool, any) {
	switch {
	case a.Job != k.job && (k.job != "" || kind != KeyedSubmit):
		return false, k
	case kind == KeyedCancel && a.End == "":
		return false, k
	case a.End == "" || k.end == "" || a.End == KeyedOver || k.end == KeyedOver:
		if a.End == "" && k.end != "" {
			return false, k
		}
		end := a.End
		if end == "" || end == KeyedOver && k.end != "" {
			end = k.end
		}
		return true, keyed{a.Job, end}
	}
	return a.End == k.end, keyed{a.Job, k.end}
}

func describeKeyed(input, answer any) string {
	in := input.(KeyedInput)
	text := [...]string{"submit", "status of", "cancel", "?"}[in.Kind&3] + " " + in.Key
	out, seen := answer.(KeyedOutput)
	switch {
	case !seen:
		return text + unanswered
	case out.End == "":
		return fmt.Sprintf("%s: job %s, open", text, out.Job)
	}
	return fmt.Sprintf("%s: job %s, %s", text, out.Job, out.End)
}
