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
	Lose // no client's: who kept the register of Key crashed, and it may revert to 0, once; without a Key, all may
)

// RegisterInput is an operation on the register of a key. One that was never put holds 0.
type RegisterInput struct {
	Kind   RegisterKind
	Key    string
	Value  uint32
	Expect uint32
}

// RegisterOutput is the answer. Value is what a Get read, or what a CompareAndSet found instead of
// what it expected.
type RegisterOutput struct {
	OK    bool // false: the CompareAndSet set nothing
	Value uint32
}

// Register is the specification of registers that lose nothing: a Lose among the operations is a
// violation.
func Register() Spec { return Spec{"register", registers(false)} }

// RegisterWithLoss is the specification of registers that are kept once: each Lose in the history,
// which is open from the moment of a crash on, makes its register revert to 0 at most once, at any
// later moment. Whatever else is read was put before, and nothing that was put is lost or comes
// back in any other way.
func RegisterWithLoss() Spec { return Spec{"register-with-loss", registers(true)} }

func registers(loss bool) porcupine.Model {
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			return parts(history, func(input any) (string, bool) {
				in := input.(RegisterInput)
				return in.Key, in.Kind != Lose || in.Key != ""
			})
		},
		Init:              func() any { return uint32(0) },
		Step:              func(state, in, out any) (bool, any) { return register(state.(uint32), in.(RegisterInput), out, loss) },
		DescribeOperation: describeRegister,
		DescribeState:     func(state any) string { return fmt.Sprint(state) },
	}
}

// register takes one register through one operation. An answer of nil is one that nobody has seen.
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
