package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

var _ traces.Drawer = (*machine[int, int, int])(nil)

// machine runs a compiled system action by action, for replays.
type machine[S, M, C any] struct {
	*worker[S, M, C]
	now []uint32
}

func newMachine[S, M, C any](c *compiled[S, M, C]) *machine[S, M, C] {
	m := &machine[S, M, C]{worker: c.newWorker()}
	m.Reset()
	return m
}

func (m *machine[S, M, C]) Reset() { m.now = slices.Clone(m.begin()) }

func (m *machine[S, M, C]) Enabled() []traces.Action {
	m.load(m.now)
	m.actions = m.enabled(m.actions[:0])
	described := make([]traces.Action, len(m.actions))
	for i, a := range m.actions {
		described[i] = m.describe(a)
	}
	m.distinguish(described)
	return described
}

// distinguish makes the texts of all actions of a state differ. Where texts are equal it adds the
// sender's incarnation to those of messages. Texts that are still equal get numbers.
func (m *machine[S, M, C]) distinguish(described []traces.Action) {
	for i, twin := range alike(described) {
		if a := m.actions[i]; twin > 0 && a.kind.moves() {
			described[i].Text += fmt.Sprintf(" (from %v)", m.envelopes.Value(a.envelope).From)
		}
	}
	for i, twin := range alike(described) {
		if twin > 0 {
			described[i].Text += fmt.Sprintf(" (%d)", twin)
		}
	}
}

// alike numbers, from 1, the actions whose texts equal those of others. The rest have 0.
func alike(described []traces.Action) []int {
	groups := map[[4]string][]int{}
	for i, a := range described {
		key := [4]string{a.Kind, a.Node, a.Peer, a.Text}
		groups[key] = append(groups[key], i)
	}
	twins := make([]int, len(described))
	for _, group := range groups {
		for n, i := range group {
			if len(group) > 1 {
				twins[i] = n + 1
			}
		}
	}
	return twins
}

func (m *machine[S, M, C]) describe(a action) traces.Action {
	d := traces.Action{Kind: a.kind.String(), Node: m.Nodes[a.node].Name}
	if f, ok := a.kind.cost(); ok {
		d.Cost = faultNames[f]
	}
	d.Optional = m.optional(a.kind, d.Node)
	switch a.kind {
	case actDeliver, actRepeat, actLate, actDrop, actDuplicate:
		e := m.envelopes.Value(a.envelope)
		d.Peer = m.Nodes[e.from].Name
		d.Text = m.Core.MessageText(e.Message)
		d.Data = m.Core.AppendMessage(nil, e.Message)
	case actTimeout, actSpurious, actSuspect:
		d.Text = m.Core.TimerText(a.timer)
	case actCommand:
		command := m.script(a.node, m.state.Slots[a.node])[0]
		d.Text = m.Core.CommandText(command)
		d.Data = m.Core.AppendCommand(nil, command)
	case actChosen:
		d.Text = fmt.Sprint(a.value)
	case actMeasured:
		d.Peer = m.Nodes[a.timer.Peer.Address].Name
		d.Text = fmt.Sprint(a.value, " us")
	}
	return d
}

func (m *machine[S, M, C]) Take(i int) []string {
	m.load(m.now)
	m.actions = m.enabled(m.actions[:0])
	next := make([]uint32, m.Width())
	result, stepped := m.take(&m.actions[i], next)
	m.now = next
	if !stepped {
		return nil
	}
	r := m.results.Value(result)
	var effects []string
	for _, p := range r.sent {
		for _, id := range m.inboxes.value(p.inbox).envelopes {
			effects = append(effects, "send "+m.envelopeText(id))
		}
	}
	for _, e := range r.events {
		effects = append(effects, "event "+e.String())
	}
	return effects
}

func (m *machine[S, M, C]) envelopeText(id uint32) string {
	e := m.envelopes.Value(id)
	return fmt.Sprintf("%s->%s %s", m.Nodes[e.from].Name, m.Nodes[e.to].Name, m.Core.MessageText(e.Message))
}

func (m *machine[S, M, C]) State() []traces.Variable {
	m.load(m.now)
	var variables []traces.Variable
	for i, s := range m.state.Slots {
		text := "down"
		if s.Up {
			text = m.Core.StateText(s.State)
		}
		if s.Choose > 0 {
			text += fmt.Sprint(" owes a choice of ", s.Choose)
		}
		variables = append(variables, traces.Variable{Name: m.Nodes[i].Name, Value: text})
	}
	var flying, arrived []string
	for i := range m.state.places {
		box := m.state.box(i)
		for _, id := range box.envelopes {
			flying = append(flying, m.envelopeText(id))
		}
		for _, id := range box.arrived {
			arrived = append(arrived, m.envelopeText(id))
		}
	}
	variables = append(variables, traces.Variable{Name: "network", Value: strings.Join(flying, "; ")})
	switch b := m.Info.Budget; {
	case b.Repeat:
		variables = append(variables, traces.Variable{Name: "arrived", Value: strings.Join(arrived, "; ")})
	case b.adversarial():
		variables = append(variables, traces.Variable{Name: "past", Value: strings.Join(arrived, "; ")})
	}
	m.mustShow("StateText or MessageText of the core")
	return append(variables,
		traces.Variable{Name: "monitor", Value: fmt.Sprintf("%x", m.monitors.Bytes(m.mon))},
		traces.Variable{Name: "budget", Value: m.left.String()})
}

// Draw implements [traces.Drawer]. It draws nodes and messages, and System.Draw adds the rest.
func (m *machine[S, M, C]) Draw() traces.Picture {
	m.load(m.now)
	var p traces.Picture
	for i, s := range m.state.Slots {
		figure := traces.Figure{Name: m.Nodes[i].Name}
		switch {
		case !s.Up:
			figure.Status = "down"
		case !s.live:
			figure.Status = "ended"
		}
		p.Nodes = append(p.Nodes, figure)
	}
	for i := range m.state.places {
		for _, id := range m.state.box(i).envelopes {
			e := m.envelopes.Value(id)
			p.Flying = append(p.Flying, traces.Message{
				From: m.Nodes[e.from].Name, To: m.Nodes[e.to].Name, Text: m.Core.MessageText(e.Message),
			})
		}
	}
	if m.System.Draw != nil {
		m.System.Draw(&m.state, &p)
	}
	m.mustShow("Draw, or MessageText of the core,")
	return p
}

// mustShow ends a replay if a function that shows the present state has changed it.
func (m *machine[S, M, C]) mustShow(functions string) {
	if !m.intact() {
		m.restore()
		m.broken("%s changes what it is given; copy slices and maps before changing their elements", functions)
	}
}

func (m *machine[S, M, C]) Check(property string) (bool, error) {
	m.load(m.now)
	for i, p := range m.System.Properties {
		if p.Name != property {
			continue
		}
		if p.Shape == checker.Quiescent && !m.Quiescent(m.now) {
			return true, nil
		}
		return m.Holds(i, m.now), nil
	}
	if property == checker.Deadlock {
		return len(m.Enabled()) > 0 || m.QuiescentEnd(m.now), nil
	}
	return false, fmt.Errorf("model %s has no property %q", m.Info.Name, property)
}
