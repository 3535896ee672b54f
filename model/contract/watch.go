package contract

import (
	"bytes"
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/cores"
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
	records := &sync.Pool{New: func() any { return &record{} }}
	return &watched[S, M, C, T]{core, rules, describe, records}
}

type watched[S, M, C, T any] struct {
	protocol.Core[S, M, C]
	rules    []Rule[T]
	describe func(Step[S, M, C]) T
	records  *sync.Pool // a core is called by several goroutines
}

var _ model.EventNamer = (*watched[int, int, int, int])(nil)

// EventNames implements [model.EventNamer]: the names are those of the core, if it lists them.
func (w *watched[S, M, C, T]) EventNames() []string {
	if core, ok := w.Core.(model.EventNamer); ok {
		return core.EventNames()
	}
	return nil
}

// Step is that of the core. It panics with a [checker.ContractError] if a rule changes the step,
// since the stored state would differ from the core's.
func (w *watched[S, M, C, T]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	r := w.records.Get().(*record)
	defer w.records.Put(r)
	after, out, broken, changed := w.take(s, in, w.rules, r)
	if changed {
		w.blame(in, r)
	}
	if len(broken) > 0 {
		out.Events = append(slices.Clip(out.Events), broken...)
	}
	return after, out
}

// record is a step before and after the rules were applied to it.
type record struct {
	known, now   []byte
	state, input int // known begins with the state and the input that the step was given, which end here
}

// take makes a step and applies rules. It reports whether they have changed it.
func (w *watched[S, M, C, T]) take(
	s S, in protocol.Input[M, C], rules []Rule[T], r *record,
) (after S, out protocol.Output[M], broken []protocol.Event, changed bool) {
	after, out = w.Core.Step(s, in)
	step := Step[S, M, C]{&in, &s, &after, &out}
	r.known = w.append(r.known[:0], step, &r.state, &r.input)
	taken := w.describe(step)
	broken = Check(rules, &taken)
	r.now = w.append(r.now[:0], step, new(int), new(int))
	return after, out, broken, !bytes.Equal(r.known, r.now)
}

// given makes what a step was given again.
func (w *watched[S, M, C, T]) given(in protocol.Input[M, C], state, message []byte) (S, protocol.Input[M, C], error) {
	s, err := w.DecodeState(state)
	if err == nil && in.Kind == protocol.Deliver {
		in.Message, err = w.DecodeMessage(message)
	}
	return s, in, err
}

// blame ends the check because of the rule that changes a step.
func (w *watched[S, M, C, T]) blame(in protocol.Input[M, C], r *record) {
	of := "one of the rules"
	for _, rule := range w.rules {
		s, again, err := w.given(in, r.known[:r.state], r.known[r.state:r.input])
		if err != nil {
			break
		}
		if _, _, _, changed := w.take(s, again, []Rule[T]{rule}, &record{}); changed {
			of = "rule " + rule.Name
			break
		}
	}
	panic(&checker.ContractError{Problem: of + " of the contract changes the step that it is given; " +
		"copy slices and maps before changing their elements"})
}

// append appends all of a step that rules could change, and notes where its state and its input
// end.
func (w *watched[S, M, C, T]) append(dst []byte, s Step[S, M, C], state, input *int) []byte {
	dst = w.AppendState(dst, *s.Before)
	*state = len(dst)
	switch s.In.Kind {
	case protocol.Deliver:
		dst = w.AppendMessage(dst, s.In.Message)
	case protocol.Command:
		dst = w.AppendCommand(dst, s.In.Command)
	}
	*input = len(dst)
	return cores.AppendOutput(w.AppendState(dst, *s.After), s.Out, w.AppendMessage)
}
