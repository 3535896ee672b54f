package flight

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Stepper makes cores of one kind.
type Stepper interface {
	// Load returns a core in a state.
	Load(state []byte) (Instance, error)
}

// Instance is one core in a state.
type Instance interface {
	// Step takes a step with an input, and returns the output, both in their canonical encodings.
	Step(input []byte) (output []byte, err error)

	// State is the canonical encoding of the state.
	State() []byte

	// InputText, OutputText and StateText are for people: the last input, its output, and the state
	// after it. StateText describes another state instead if there is one.
	InputText() string
	OutputText() string
	StateText(other []byte) string
}

// Steps returns the stepper of a core with its configuration bound.
func Steps[S, M, C any](core protocol.Core[S, M, C]) Stepper { return stepper[S, M, C]{core} }

type stepper[S, M, C any] struct{ core protocol.Core[S, M, C] }

// Load implements Stepper.
func (s stepper[S, M, C]) Load(state []byte) (Instance, error) {
	loaded, err := s.core.DecodeState(state)
	if err != nil {
		return nil, fmt.Errorf("the state of a snapshot: %w", err)
	}
	return &instance[S, M, C]{core: s.core, state: loaded}, nil
}

type instance[S, M, C any] struct {
	core  protocol.Core[S, M, C]
	state S
	in    protocol.Input[M, C]
	out   protocol.Output[M]
}

// Step implements Instance.
func (i *instance[S, M, C]) Step(input []byte) ([]byte, error) {
	in, err := protocol.DecodeInput(i.core, input)
	if err != nil {
		return nil, err
	}
	i.in, i.out = in, protocol.Output[M]{}
	i.state, i.out = i.core.Step(i.state, in)
	return protocol.AppendOutput(nil, i.core, i.out), nil
}

// State implements Instance.
func (i *instance[S, M, C]) State() []byte { return i.core.AppendState(nil, i.state) }

// StateText implements Instance.
func (i *instance[S, M, C]) StateText(other []byte) string {
	if other == nil {
		return i.core.StateText(i.state)
	}
	state, err := i.core.DecodeState(other)
	if err != nil {
		return fmt.Sprintf("%d bytes that are no state", len(other))
	}
	return i.core.StateText(state)
}

// InputText implements Instance.
func (i *instance[S, M, C]) InputText() string {
	switch in := i.in; in.Kind {
	case protocol.Deliver:
		return fmt.Sprintf("deliver from %v: %s", in.From, i.core.MessageText(in.Message))
	case protocol.Timeout:
		return "timeout: " + i.core.TimerText(in.Timer)
	case protocol.Command:
		return "command: " + i.core.CommandText(in.Command)
	case protocol.Measured:
		return fmt.Sprintf("measured %v: %d", in.From, in.Measure)
	case protocol.Chosen:
		return fmt.Sprintf("chosen: %d", in.Choice)
	case protocol.Restart:
		return fmt.Sprintf("restart with %d bytes", len(in.Persisted))
	default:
		return in.Kind.String()
	}
}

// OutputText implements Instance.
func (i *instance[S, M, C]) OutputText() string {
	var parts []string
	if i.out.Persist != nil {
		parts = append(parts, fmt.Sprintf("persist %d bytes", len(i.out.Persist)))
	}
	for _, e := range i.out.Send {
		parts = append(parts, fmt.Sprintf("send %v: %s", e.To, i.core.MessageText(e.Message)))
	}
	for _, t := range i.out.Cancel {
		parts = append(parts, "cancel "+i.core.TimerText(t))
	}
	for _, s := range i.out.Set {
		parts = append(parts, fmt.Sprintf("set %s to %d to %d ticks", i.core.TimerText(s.Timer), s.MinTicks, s.MaxTicks))
	}
	for _, id := range i.out.Measure {
		parts = append(parts, "measure "+id.String())
	}
	if i.out.Choose > 0 {
		parts = append(parts, fmt.Sprintf("choose below %d", i.out.Choose))
	}
	for _, e := range i.out.Events {
		parts = append(parts, "event "+e.String())
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}
