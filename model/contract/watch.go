package contract

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cores"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// Step is a step of a core.
type Step[S, M, C any] struct {
	In            *protocol.Input[M, C]
	Before, After *S
	Out           *protocol.Output[M]
}

// Watch returns the core with a contract: it adds an event to each step that breaks a rule.
// describe makes of a step what the rules are about.
func Watch[S, M, C, T any](
	core protocol.Core[S, M, C], rules []Rule[T], describe func(Step[S, M, C]) T,
) protocol.Core[S, M, C] {
	return &watched[S, M, C, T]{core, rules, describe}
}

type watched[S, M, C, T any] struct {
	protocol.Core[S, M, C]
	rules    []Rule[T]
	describe func(Step[S, M, C]) T
}

var _ model.EventNamer = (*watched[int, int, int, int])(nil)

// EventNames implements [model.EventNamer]: the names are those of the core, if it lists them.
func (w *watched[S, M, C, T]) EventNames() []string {
	if core, ok := w.Core.(model.EventNamer); ok {
		return core.EventNames()
	}
	return nil
}

// Step is that of the core. It panics with a [checker.ContractError] if a rule changes the step:
// what is stored after it would not be what the core has made.
func (w *watched[S, M, C, T]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	given := w.given(s, &in)
	after, out, broken, changed := w.take(s, in, w.rules)
	if changed {
		w.blame(given)
	}
	if len(broken) > 0 {
		out.Events = append(slices.Clip(out.Events), broken...)
	}
	return after, out
}

// take makes a step and applies rules. It reports whether they have changed it.
func (w *watched[S, M, C, T]) take(
	s S, in protocol.Input[M, C], rules []Rule[T],
) (after S, out protocol.Output[M], broken []protocol.Event, changed bool) {
	after, out = w.Core.Step(s, in)
	step := Step[S, M, C]{&in, &s, &after, &out}
	known := w.append(nil, step)
	taken := w.describe(step)
	broken = Check(rules, &taken)
	return after, out, broken, !bytes.Equal(known, w.append(nil, step))
}

// given returns what a step is given, made anew by each call.
func (w *watched[S, M, C, T]) given(s S, in *protocol.Input[M, C]) func() (S, protocol.Input[M, C], error) {
	state, message := w.AppendState(nil, s), []byte(nil)
	if in.Kind == protocol.Deliver {
		message = w.AppendMessage(nil, in.Message)
	}
	return func() (s S, again protocol.Input[M, C], err error) {
		again = *in
		if s, err = w.DecodeState(state); err == nil && in.Kind == protocol.Deliver {
			again.Message, err = w.DecodeMessage(message)
		}
		return s, again, err
	}
}

// blame ends the check because of the rule that changes a step.
func (w *watched[S, M, C, T]) blame(given func() (S, protocol.Input[M, C], error)) {
	of := "one of the rules"
	for _, r := range w.rules {
		s, in, err := given()
		if err != nil {
			break
		}
		if _, _, _, changed := w.take(s, in, []Rule[T]{r}); changed {
			of = "rule " + r.Name
			break
		}
	}
	panic(&checker.ContractError{Problem: of + " of the contract changes the step that it is given; " +
		"what slices and maps refer to must be copied before it is changed"})
}

// append appends all of a step that rules could change.
func (w *watched[S, M, C, T]) append(dst []byte, s Step[S, M, C]) []byte {
	dst = w.AppendState(w.AppendState(dst, *s.Before), *s.After)
	switch s.In.Kind {
	case protocol.Deliver:
		dst = w.AppendMessage(dst, s.In.Message)
	case protocol.Command:
		dst = w.AppendCommand(dst, s.In.Command)
	}
	return cores.AppendOutput(dst, s.Out, w.AppendMessage)
}
