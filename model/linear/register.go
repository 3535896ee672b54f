package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// RegisterKind is a kind of operation on a register.
type RegisterKind uint8

// The operations on registers.
const (
	Get RegisterKind = iota
	Put
	CompareAndSet
	Lose // not by a client: the node of Key crashed, so it may revert to 0 once; without a Key, all may
)

// RegisterInput is an operation on the register of a key. A register that was never put holds 0.
type RegisterInput struct {
	Kind   RegisterKind
	Key    string
	Value  uint32
	Expect uint32
}

// RegisterOutput is the answer. Value is the result of a Get, or the value that a failed
// CompareAndSet found.
type RegisterOutput struct {
	OK    bool // false: the CompareAndSet set nothing; true for a Get and for a Put
	Value uint32
}

// Register is the specification of registers that lose nothing. A Lose among the operations is a
// violation.
func Register() Spec { return Spec{"register", registers(false), fitsRegister} }

// RegisterWithLoss is the specification of registers with one copy. Each Lose in the history is
// open from the moment of the crash, and lets its register revert to 0 at most once, at any later
// moment. All other values that are read were put before, and no put is lost or comes back in any
// other way.
func RegisterWithLoss() Spec { return Spec{"register-with-loss", registers(true), fitsRegister} }

func registers(loss bool) porcupine.Model {
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			return parts(history, func(input any) (string, bool) {
				in := input.(RegisterInput)
				return in.Key, in.Kind != Lose || in.Key != ""
			})
		},
		Init: func() any { return uint32(0) },
		Step: func(state, in, out any) (bool, any) {
			return register(state.(uint32), in.(RegisterInput), out, loss)
		},
		DescribeOperation: describeRegister,
		DescribeState:     func(state any) string { return fmt.Sprint(state) },
	}
}

// fitsRegister reports why a register does not have an operation.
func fitsRegister(o Operation) error {
	if in, ok := o.Input.(RegisterInput); ok && in.Kind == Lose {
		return nil // it is not by a client, so its answer does not matter
	}
	in, out, seen, err := typed[RegisterInput, RegisterOutput](o)
	switch {
	case err != nil:
		return err
	case in.Kind > Lose:
		return fmt.Errorf("RegisterInput.Kind is %d; it must be Get, Put, CompareAndSet or Lose", in.Kind)
	case seen && !out.OK && in.Kind != CompareAndSet:
		name := [...]string{"Get", "Put"}[in.Kind]
		return fmt.Errorf("RegisterOutput.OK is false, but a %s has no other answer than OK; set it, or mark an "+
			"operation that failed Rejected (it took no effect) or Open (unknown)", name)
	}
	return nil
}

// register applies one operation to one register. An answer of nil was seen by no client.
func register(value uint32, in RegisterInput, answer any, loss bool) (bool, any) {
	out, seen := answer.(RegisterOutput)
	switch in.Kind {
	case Put:
		return !seen || out.OK, in.Value
	case CompareAndSet:
		if value != in.Expect {
			return !seen || !out.OK && out.Value == value, value
		}
		return !seen || out.OK, in.Value
	case Lose:
		return loss, uint32(0)
	}
	return !seen || out.OK && out.Value == value, value
}

func describeRegister(input, answer any) string {
	in := input.(RegisterInput)
	out, seen := answer.(RegisterOutput)
	var text string
	switch in.Kind {
	case Lose:
		return "a crash may lose " + in.Key
	case Put:
		text = fmt.Sprintf("put %s %d", in.Key, in.Value)
	case CompareAndSet:
		text = fmt.Sprintf("cas %s %d to %d", in.Key, in.Expect, in.Value)
	default:
		text = "get " + in.Key
	}
	switch {
	case !seen:
		return text + unanswered
	case !out.OK:
		return fmt.Sprintf("%s: it is %d", text, out.Value)
	case in.Kind == Get:
		return fmt.Sprintf("%s: %d", text, out.Value)
	}
	return text
}
