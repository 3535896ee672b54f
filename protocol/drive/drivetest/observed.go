package drivetest

import "github.com/canvass-grid/canvass/protocol"

// Observed is a core that shows each of its steps to a test.
type Observed[S, M, C any] struct {
	protocol.Core[S, M, C]
	OnStep func(S, protocol.Output[M])
}

// Step takes a step and shows the new state and the output.
func (o Observed[S, M, C]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	s, out := o.Core.Step(s, in)
	o.OnStep(s, out)
	return s, out
}

// Record shows the encodings of each new state and each message that is sent.
func (w *Network[S, M, C]) Record(state, message func([]byte)) {
	core := w.Core
	w.Core = Observed[S, M, C]{Core: core, OnStep: func(s S, out protocol.Output[M]) {
		state(core.AppendState(nil, s))
		for _, e := range out.Send {
			message(core.AppendMessage(nil, e.Message))
		}
	}}
}
