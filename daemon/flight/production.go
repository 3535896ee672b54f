package flight

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/traces"
)

// ProductionModel is the name of the machine of merged records.
const ProductionModel = "production/peer"

// The properties of merged records.
const (
	Complete  = "Complete"  // all recorded steps were taken again, as in the trace of a sound run
	NoOverlap = "NoOverlap" // zones of two incarnations that both go on never overlap
	OneTask   = "OneTask"   // two incarnations that both go on never run tasks of two attempts of one job
)

// properties lists the properties that are evaluated in each state.
var properties = []string{NoOverlap, OneTask}

// ErrProduction says that a trace was not made from merged records.
var ErrProduction = errors.New("not a trace of merged flight records")

// made is an incarnation as a record begins: its name, and the state that its process was made
// with.
type made struct {
	Name  string `json:"name"`
	State string `json:"state"` // in hexadecimal
}

// start is the initial state of a machine. The header of a trace holds it as JSON: the name lives
// stays, since traces outlive releases.
type start struct {
	Config peer.Config `json:"config"`
	Lives  []made      `json:"lives"`
}

// Production is the machine of merged records: the cores of all incarnations, the messages on their
// way, and the pending timers. Deliveries, time-outs and answers must be enabled in it. Commands
// and measurements come from outside, so the next action of the trace says which.
type Production struct {
	core   *peer.Core
	start  start
	script []traces.Action // of a replay; empty while records are merged

	position int
	lives    []*productionLife
	flying   []letter
	enabled  []traces.Action
}

// productionLife is one incarnation of a node.
type productionLife struct {
	name    string
	state   peer.State
	begun   bool
	choose  uint32 // the question that waits for its answer; 0: none
	pending []protocol.Timer
	measure []protocol.NodeID
	left    int    // actions that the script still has for it
	digest  string // of the state; "": not computed yet
}

// letter is a message on its way.
type letter struct {
	from, to protocol.NodeID
	payload  []byte
	text     string
}

// NewProduction returns the machine of a trace. It replays this trace and no other.
func NewProduction(t *traces.Trace) (*Production, error) {
	m := &Production{}
	d := json.NewDecoder(bytes.NewReader([]byte(t.Header.Bounds)))
	d.DisallowUnknownFields()
	if err := d.Decode(&m.start); err != nil {
		return nil, fmt.Errorf("%w: its bounds: %w", ErrProduction, err)
	}
	if err := m.start.Config.Validate(); err != nil {
		return nil, fmt.Errorf("%w: its configuration: %w", ErrProduction, err)
	}
	m.core = &peer.Core{Config: m.start.Config}
	for _, s := range t.Steps[1:] {
		m.script = append(m.script, s.Action)
	}
	for _, l := range m.start.Lives {
		state, err := hex.DecodeString(l.State)
		if err == nil {
			_, err = m.core.DecodeState(state)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: the state of life %s: %w", ErrProduction, l.Name, err)
		}
	}
	m.Reset()
	return m, nil
}

// Reset implements traces.Machine.
func (m *Production) Reset() {
	m.position, m.flying, m.lives = 0, nil, nil
	for _, l := range m.start.Lives {
		state, _ := hex.DecodeString(l.State)   // see NewProduction
		decoded, _ := m.core.DecodeState(state) // likewise
		life := &productionLife{name: l.Name, state: decoded}
		for _, a := range m.script {
			if a.Node == l.Name {
				life.left++
			}
		}
		m.lives = append(m.lives, life)
	}
}

// life finds an incarnation by its name.
func (m *Production) life(name string) *productionLife {
	i := slices.IndexFunc(m.lives, func(l *productionLife) bool { return l.name == name })
	if i < 0 {
		return nil
	}
	return m.lives[i]
}

// Enabled implements traces.Machine.
func (m *Production) Enabled() []traces.Action {
	m.enabled = m.enabled[:0]
	for _, l := range m.lives {
		if !l.begun || l.choose > 0 {
			continue
		}
		for _, t := range l.pending {
			in := peer.Input{Kind: protocol.Timeout, Timer: t}
			m.enabled = append(m.enabled, m.action(l, in))
		}
	}
	for i := range m.flying {
		f := &m.flying[i]
		if l := m.life(f.to.String()); l != nil && l.begun && l.choose == 0 {
			m.enabled = append(m.enabled, traces.Action{
				Kind: "deliver", Node: l.name, Peer: f.from.String(), Text: f.text, Data: m.delivery(f),
			})
		}
	}
	if m.position < len(m.script) {
		next := m.script[m.position]
		l := m.life(next.Node)
		in, err := protocol.DecodeInput(m.core, next.Data)
		if l == nil || err != nil {
			return m.enabled
		}
		given := in.Kind != protocol.Deliver && in.Kind != protocol.Timeout || m.unseen(in)
		if why := m.refuse(l, in); given && why == "" {
			m.enabled = append(m.enabled, m.action(l, in))
		}
	}
	return m.enabled
}

func (m *Production) delivery(f *letter) []byte {
	message, _ := m.core.DecodeMessage(f.payload) // the core has encoded it
	return protocol.AppendInput(nil, m.core, peer.Input{Kind: protocol.Deliver, From: f.from, Message: message})
}

// action is an input in the vocabulary of traces.
func (m *Production) action(l *productionLife, in peer.Input) traces.Action {
	a := traces.Action{Kind: in.Kind.String(), Node: l.name, Data: protocol.AppendInput(nil, m.core, in)}
	switch in.Kind {
	case protocol.Start, protocol.Restart:
		a.Kind, a.Text = "restart", "a life begins"
	case protocol.Deliver:
		a.Kind, a.Peer, a.Text = "deliver", in.From.String(), m.core.MessageText(in.Message)
		if m.unseen(in) {
			a.Cost = unseenCost
		}
	case protocol.Timeout:
		a.Kind, a.Text = "timeout", m.core.TimerText(in.Timer)
	case protocol.Command:
		a.Kind, a.Text = "command", m.core.CommandText(in.Command)
	case protocol.Measured:
		a.Kind, a.Peer, a.Text = "measured", in.From.String(), strconv.FormatUint(uint64(in.Measure), 10)
	case protocol.Chosen:
		a.Kind, a.Text = "chosen", strconv.FormatUint(uint64(in.Choice), 10)
	}
	return a
}

// unseenCost marks a message whose sending is in no record.
const unseenCost = "unseen"

// unseen reports whether a message comes from an incarnation whose record has ended: a kill loses
// its last 100 ms, and the messages sent then.
func (m *Production) unseen(in peer.Input) bool {
	if in.Kind != protocol.Deliver {
		return false
	}
	l := m.life(in.From.String())
	return l == nil || l.left == 0
}

// refuse says why an input is not enabled, or nothing.
func (m *Production) refuse(l *productionLife, in peer.Input) string {
	begins := in.Kind == protocol.Start || in.Kind == protocol.Restart
	switch {
	case begins == l.begun:
		return "an incarnation begins once, and nothing happens before"
	case l.choose > 0 && (in.Kind != protocol.Chosen || in.Choice >= l.choose):
		return fmt.Sprintf("a question for a number below %d waits for its answer", l.choose)
	}
	switch in.Kind {
	case protocol.Deliver:
		if m.flies(l, in) < 0 && !m.unseen(in) {
			return "no such message is on its way"
		}
	case protocol.Timeout:
		if !slices.Contains(l.pending, in.Timer) {
			return "the timer is not pending"
		}
	case protocol.Measured:
		if !slices.Contains(l.measure, in.From) {
			return "no core has asked for this measurement"
		}
	case protocol.Chosen:
		if l.choose == 0 {
			return "there is no question"
		}
	}
	return ""
}

// flies finds the message of a delivery, or returns -1.
func (m *Production) flies(l *productionLife, in peer.Input) int {
	payload := m.core.AppendMessage(nil, in.Message)
	return slices.IndexFunc(m.flying, func(f letter) bool {
		return f.from == in.From && f.to.String() == l.name && bytes.Equal(f.payload, payload)
	})
}

// Take implements traces.Machine.
func (m *Production) Take(i int) (effects []string) {
	a := m.enabled[i]
	in, err := protocol.DecodeInput(m.core, a.Data)
	if err != nil {
		panic("flight: an enabled action does not decode: " + err.Error())
	}
	m.position++
	l := m.life(a.Node)
	out := m.step(l, in)
	return m.effects(l, out)
}

// step takes an enabled step.
func (m *Production) step(l *productionLife, in peer.Input) protocol.Output[peer.Message] {
	l.begun, l.choose = true, 0
	if l.left--; l.left == 0 {
		m.flying = slices.DeleteFunc(m.flying, func(f letter) bool { return f.to.String() == l.name })
	}
	switch in.Kind {
	case protocol.Deliver:
		if at := m.flies(l, in); at >= 0 {
			m.flying = slices.Delete(m.flying, at, at+1)
		}
	case protocol.Timeout:
		l.forget(in.Timer)
	case protocol.Measured:
		l.measure = slices.DeleteFunc(l.measure, func(id protocol.NodeID) bool { return id == in.From })
	}
	var out protocol.Output[peer.Message]
	l.state, out = m.core.Step(l.state, in)
	l.digest = ""
	for _, e := range out.Send {
		if to := m.life(e.To.String()); to == nil || to.left == 0 {
			continue // it has no receiver
		}
		m.flying = append(m.flying, letter{
			e.From, e.To, m.core.AppendMessage(nil, e.Message), m.core.MessageText(e.Message),
		})
	}
	for _, t := range out.Cancel {
		l.forget(t)
	}
	for _, s := range out.Set {
		l.forget(s.Timer)
		l.pending = append(l.pending, s.Timer)
	}
	l.measure = append(l.measure, out.Measure...)
	l.choose = out.Choose
	return out
}

func (l *productionLife) forget(t protocol.Timer) {
	l.pending = slices.DeleteFunc(l.pending, func(other protocol.Timer) bool { return other == t })
}

// effects are the effects of a step as traces have them.
func (m *Production) effects(l *productionLife, out protocol.Output[peer.Message]) (lines []string) {
	for _, e := range out.Send {
		lines = append(lines, fmt.Sprintf("send %v->%v %s", e.From, e.To, m.core.MessageText(e.Message)))
	}
	for _, e := range out.Events {
		lines = append(lines, "event "+e.String())
	}
	return lines
}

// State implements traces.Machine: a digest of the state of each incarnation that has begun.
func (m *Production) State() (all []traces.Variable) {
	for _, l := range m.lives {
		if l.digest == "" {
			l.digest = "-"
			if l.begun {
				l.digest = fmt.Sprintf("%016x", protocol.Hash(m.core.AppendState(nil, l.state)))
			}
		}
		all = append(all, traces.Variable{Name: l.name, Value: l.digest})
	}
	return all
}

// Check implements traces.Machine.
func (m *Production) Check(property string) (bool, error) {
	switch property {
	case Complete:
		return m.position == len(m.script), nil
	case NoOverlap:
		return m.pairs(func(a, b *peer.State) bool {
			return a.Can.Phase != can.Member || b.Can.Phase != can.Member || !a.Can.Self.Zone.Overlaps(b.Can.Self.Zone)
		}), nil
	case OneTask:
		return m.pairs(func(a, b *peer.State) bool {
			s, aRuns := a.Tasks.Runs()
			t, bRuns := b.Tasks.Runs()
			return !aRuns || !bRuns || s.Job != t.Job || s.By == t.By && s.Epoch == t.Epoch
		}), nil
	}
	return false, fmt.Errorf("%w: it has no property %q", ErrProduction, property)
}

// pairs reports whether all pairs of incarnations that go on satisfy a predicate.
func (m *Production) pairs(holds func(a, b *peer.State) bool) bool {
	for i, a := range m.lives {
		for _, b := range m.lives[:i] {
			if a.begun && b.begun && a.left > 0 && b.left > 0 && !holds(&a.state, &b.state) {
				return false
			}
		}
	}
	return true
}
