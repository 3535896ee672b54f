package sim

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// Tracer is an [Observer] that describes what happens in a simulation to a [Recorder].
type Tracer[S, M, C any] struct {
	Core       protocol.Core[S, M, C]
	Simulation *Simulation[S, M, C]
	Recorder   Recorder
	Sketch     func(*traces.Picture) // adds to pictures; may be nil

	outcomes []string        // of messages, in the current action
	inside   bool            // an action is in progress
	notes    []traces.Action // about the simulation, recorded after the current action
}

var (
	_ Observer[int, int, int] = (*Tracer[int, int, int])(nil)
	_ View                    = (*Tracer[int, int, int])(nil)
)

// NodeName names a node as traces do.
func NodeName(node int) string {
	return protocol.NodeID{Address: protocol.Address(node), Incarnation: 1}.String()
}

// Before implements [Observer].
func (t *Tracer[S, M, C]) Before(h *StepInfo[M, C]) {
	a := traces.Action{Kind: h.Kind, Node: NodeName(h.Node)}
	switch in := &h.Input; in.Kind {
	case protocol.Deliver:
		a.Peer = NodeName(int(in.From.Address))
		a.Text, a.Data = t.Core.MessageText(in.Message), t.Core.AppendMessage(nil, in.Message)
	case protocol.Timeout:
		a.Text = t.Core.TimerText(in.Timer)
	case protocol.Command:
		a.Text, a.Data = t.Core.CommandText(in.Command), t.Core.AppendCommand(nil, in.Command)
	case protocol.Chosen:
		a.Text = fmt.Sprint(in.Choice)
	case protocol.Measured:
		a.Peer, a.Text = NodeName(int(in.From.Address)), fmt.Sprint(in.Measure)
	}
	t.outcomes, t.inside = nil, true
	t.Recorder.Before(a)
}

// After implements [Observer].
func (t *Tracer[S, M, C]) After(_ *StepInfo[M, C], out *protocol.Output[M]) {
	var effects []string
	for _, e := range out.Send {
		effects = append(effects, "send "+t.envelope(&e))
	}
	effects = append(effects, t.outcomes...)
	for _, e := range out.Events {
		effects = append(effects, "event "+e.String())
	}
	t.Recorder.After(effects, t)
	t.inside = false
	for _, a := range t.notes {
		t.note(a)
	}
	t.notes = nil
}

// Outcome implements [Observer].
func (t *Tracer[S, M, C]) Outcome(e *protocol.Envelope[M], outcome string) {
	t.outcomes = append(t.outcomes, outcome+" "+t.envelope(e))
}

// envelope is the text of a message with its sender and receiver.
func (t *Tracer[S, M, C]) envelope(e *protocol.Envelope[M]) string {
	from, to := NodeName(int(e.From.Address)), NodeName(int(e.To.Address))
	return fmt.Sprintf("%s->%s %s", from, to, t.Core.MessageText(e.Message))
}

// Note records an action on the simulation as a whole, such as a partition. During a step it is
// recorded after the step.
func (t *Tracer[S, M, C]) Note(kind, text string) {
	a := traces.Action{Kind: kind, Text: text}
	if t.inside {
		t.notes = append(t.notes, a)
		return
	}
	t.note(a)
}

func (t *Tracer[S, M, C]) note(a traces.Action) {
	t.Recorder.Before(a)
	t.Recorder.After(nil, t)
}

// shownNodes is the largest number of nodes that a state shows one by one. A larger simulation
// shows its digest.
const shownNodes = 40

// State implements [View].
func (t *Tracer[S, M, C]) State() []traces.Variable {
	c := t.Simulation
	now := fmt.Sprintf("%d.%06d s", c.now/million, c.now%million)
	all := []traces.Variable{{Name: "time", Value: now}}
	if len(c.nodes) > shownNodes {
		return append(all, traces.Variable{Name: "digest", Value: fmt.Sprintf("%016x", c.Digest().State)})
	}
	for i := range c.nodes {
		text := c.nodes[i].absence()
		if c.nodes[i].up {
			text = t.Core.StateText(c.states[i])
		}
		all = append(all, traces.Variable{Name: NodeName(i), Value: text})
	}
	flying := fmt.Sprint(c.inFlight.len(), " on their way")
	return append(all, traces.Variable{Name: "network", Value: flying})
}

// absence says why a node has no process.
func (n *node[M]) absence() string {
	if !n.begun {
		return "not yet"
	}
	return "down"
}

// Holds implements [View]. Oracles check steps and histories, so a single state decides nothing.
func (t *Tracer[S, M, C]) Holds(string) (bool, error) { return false, ErrUndecided }

// Draw implements [View]: the nodes, and the messages in flight. A large simulation has no picture.
func (t *Tracer[S, M, C]) Draw() (p traces.Picture) {
	c := t.Simulation
	if len(c.nodes) > shownNodes {
		return p
	}
	for i := range c.nodes {
		figure := traces.Figure{Name: NodeName(i)}
		switch {
		case !c.nodes[i].up:
			figure.Status = c.nodes[i].absence()
		case !c.nodes[i].live:
			figure.Status = "ended"
		}
		p.Nodes = append(p.Nodes, figure)
	}
	for _, posted := range c.inFlight.things {
		if e := posted.envelope; e != nil {
			p.Flying = append(
				p.Flying,
				traces.Message{
					From: NodeName(int(e.From.Address)),
					To:   NodeName(int(e.To.Address)),
					Text: t.Core.MessageText(e.Message),
				},
			)
		}
	}
	if t.Sketch != nil {
		t.Sketch(&p)
	}
	return p
}
