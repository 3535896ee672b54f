package flight

import "github.com/canvass-grid/canvass/protocol"

// Stepper makes cores of one kind.
type Stepper interface {
	// Load returns a core in a state.
	Load(state []byte) (Instance, error)
}

// Instance is one core in a state.
type Instance interface {
	// Step takes a step with an input, both in their canonical encodings.
	Step(input []byte) (output []byte, err error)
	State() []byte
	InputText(input []byte) string
}

// Steps returns the stepper of a core with its configuration bound.
func Steps[S, M, C any](core protocol.Core[S, M, C]) Stepper { return nil }
