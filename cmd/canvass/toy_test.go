package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// toy is a small closed system for the tests: A sends B some numbers over a network that reorders
// and drops messages. The tests run every command on a few of its variants.
type toy struct {
	info       model.Info
	numbers    int
	sorted     bool   // B sorts what it received: the corrected core
	clock      bool   // B has a clock that goes tick, tock
	bars       bool   // B writes its state another way
	dead       bool   // the end is not an accepted one
	endless    bool   // A counts forever
	bound      uint64 // as far as this, if it is not 0; such a toy can be checkpointed
	panics     bool   // B panics at the number 2
	properties []string
}

// toyState is one state. It is a plain value: numbers in flight and received are strings.
type toyState struct {
	Sent, Lost int
	Net, Got   string
	Tock, Down bool
	Count      uint64
}

type toyMove struct {
	action  traces.Action
	class   int
	next    toyState
	effects []string
}

const (
	classFair = iota
	classFree
)

func (t *toy) moves(s toyState) []toyMove {
	var moves []toyMove
	add := func(class int, a traces.Action, next toyState, effects ...string) {
		moves = append(moves, toyMove{a, class, next, effects})
	}
	if t.endless {
		for _, bit := range []uint64{0, 1} {
			next := s
			next.Count = 2*s.Count + bit + 1
			if t.bound > 0 && next.Count > t.bound {
				continue
			}
			add(classFree, traces.Action{Kind: "chosen", Node: "A", Text: fmt.Sprint(bit)}, next)
		}
		return moves
	}
	if s.Sent < t.numbers {
		next := s
		next.Sent++
		next.Net += fmt.Sprint(next.Sent)
		add(classFair, traces.Action{Kind: "command", Node: "A", Text: fmt.Sprint("tell ", next.Sent)}, next,
			fmt.Sprintf("send A->B number %d", next.Sent))
	}
	for i, n := range s.Net {
		message := traces.Action{
			Kind: "deliver",
			Node: "B",
			Peer: "A",
			Text: fmt.Sprintf("number %c", n),
			Data: []byte{byte(n)},
		}
		next := s
		next.Net = s.Net[:i] + s.Net[i+1:]
		lost := next
		if !s.Down {
			if t.panics && n == '2' {
				panic("number 2\nis too much")
			}
			next.Got = t.receive(s.Got, n)
		}
		add(classFair, message, next, fmt.Sprintf("event got %c", n))
		if s.Lost < t.info.Budget.Drop {
			message.Kind, message.Cost = "drop", "drop"
			lost.Lost++
			add(classFree, message, lost)
		}
	}
	if t.clock && s.Sent > 0 {
		next := s
		next.Tock = !s.Tock
		add(classFree, traces.Action{Kind: "timeout", Node: "B", Text: "clock"}, next)
	}
	if t.info.Budget.Crash > 0 && !s.Down {
		next := s
		next.Down, next.Got = true, ""
		add(classFree, traces.Action{Kind: "crash", Node: "B", Cost: "crash"}, next)
	}
	return moves
}

func (t *toy) receive(got string, n rune) string {
	got += string(n)
	if !t.sorted {
		return got
	}
	letters := []byte(got)
	slices.Sort(letters)
	return string(letters)
}

func (t *toy) ended(s toyState) bool { return s.Sent == t.numbers && s.Net == "" }

// toyProperty is a property of a toy, in words that both the checker and a replay understand.
type toyProperty struct {
	shape    checker.Shape
	holds    func(t *toy, s toyState) bool
	triggers func(t *toy, s toyState) bool
}

var toyProperties = map[string]toyProperty{
	"InOrder": {checker.Always, func(_ *toy, s toyState) bool { return slices.IsSorted([]byte(s.Got)) }, nil},
	"Small":   {checker.Always, func(_ *toy, s toyState) bool { return s.Count < 1<<60 }, nil},
	"Arrives": {checker.Sometimes, func(_ *toy, s toyState) bool { return s.Got != "" }, nil},
	"Nine":    {checker.Sometimes, func(_ *toy, s toyState) bool { return strings.Contains(s.Got, "9") }, nil},
	"Complete": {checker.Quiescent, func(t *toy, s toyState) bool { return !t.ended(s) || len(s.Got) == t.numbers },
		nil},
	"Delivers": {checker.LeadsTo, func(t *toy, s toyState) bool { return len(s.Got) == t.numbers },
		func(t *toy, s toyState) bool { return s.Sent == t.numbers }},
	"Never": {
		checker.LeadsTo,
		func(t *toy, s toyState) bool { return true },
		func(t *toy, s toyState) bool { return s.Sent > 9 },
	},
}

func (t *toy) Info() model.Info { return t.info }

func (t *toy) With(b model.Budget) (model.Checkable, error) {
	if b.Crash > 1 {
		return nil, fmt.Errorf("--crash %d with 2 nodes; at most 1 can crash", b.Crash)
	}
	if b.Drop < 0 {
		return nil, errors.New("--drop is negative; the least is 0")
	}
	with := *t
	with.info.Budget = b
	return &with, nil
}

func (t *toy) Model() checker.Model {
	spec := checker.Spec[toyState]{
		Init:    []toyState{{}},
		Classes: []checker.Class{{Name: "fair", Fair: true}, {Name: "free"}},
		Next: func(s toyState, yield func(int, toyState)) {
			for _, m := range t.moves(s) {
				yield(m.class, m.next)
			}
		},
		Encode:       func(dst []byte, s toyState) []byte { return fmt.Appendf(dst, "%+v", s) },
		Quiescent:    t.ended,
		QuiescentEnd: func(s toyState) bool { return !t.dead },
	}
	if t.bound > 0 {
		spec.Encode = func(dst []byte, s toyState) []byte { return fmt.Append(dst, s.Count) }
		spec.Decode = func(encoding []byte) (s toyState, err error) {
			s.Count, err = strconv.ParseUint(string(encoding), 10, 64)
			return s, err
		}
	}
	for _, name := range t.properties {
		p := toyProperties[name]
		predicate := checker.Predicate[toyState]{
			Property: checker.Property{Name: name, Shape: p.shape, Doc: "A toy's " + name + "."},
			Holds:    func(s toyState) bool { return p.holds(t, s) },
		}
		if p.triggers != nil {
			predicate.Triggers = func(s toyState) bool { return p.triggers(t, s) }
		}
		spec.Properties = append(spec.Properties, predicate)
	}
	return checker.Of(spec)
}

func (t *toy) Machine() traces.Machine { return &toyMachine{toy: t} }

// toyMachine drives a toy for replays.
type toyMachine struct {
	toy *toy
	now toyState
}

func (m *toyMachine) Reset() { m.now = toyState{} }

func (m *toyMachine) Enabled() []traces.Action {
	var actions []traces.Action
	for _, move := range m.toy.moves(m.now) {
		actions = append(actions, move.action)
	}
	return actions
}

func (m *toyMachine) Take(i int) []string {
	move := m.toy.moves(m.now)[i]
	m.now = move.next
	return move.effects
}

func (m *toyMachine) State() []traces.Variable {
	b := "got " + m.now.Got
	if m.toy.bars {
		b = "|" + m.now.Got + "|"
	}
	if m.now.Tock {
		b += " tock"
	}
	if m.now.Down {
		b = "down"
	}
	return []traces.Variable{
		{Name: "A", Value: fmt.Sprint("sent ", m.now.Sent)}, {Name: "B", Value: b}, {Name: "network", Value: m.now.Net},
	}
}

func (m *toyMachine) Check(property string) (bool, error) {
	if property == checker.Deadlock {
		return len(m.Enabled()) > 0 || !m.toy.dead, nil
	}
	if !slices.Contains(m.toy.properties, property) {
		return false, fmt.Errorf("toy has no property %q", property)
	}
	return toyProperties[property].holds(m.toy, m.now), nil
}

// toys is the catalog of the tests.
func toys() []model.Checkable {
	disorder := model.Expectation{Property: "InOrder", Violated: true, Why: "the network reorders"}
	all := []*toy{
		{info: model.Info{Name: "toy/relay", Doc: "A tells B two numbers.", Expected: []model.Expectation{disorder}},
			properties: []string{"InOrder", "Arrives", "Complete", "Delivers"}},
		{info: model.Info{Name: "toy/sorted", Doc: "A tells B two numbers,\n  and B sorts them."},
			sorted: true, properties: []string{"InOrder", "Arrives", "Complete", "Delivers"}},
		{info: model.Info{Name: "toy/bars"}, sorted: true, bars: true, properties: []string{"InOrder"}},
		{info: model.Info{Name: "toy/lossy", Budget: model.Budget{Drop: 1}, Expected: []model.Expectation{
			{Property: "Complete", Violated: true}, {Property: "Delivers", Violated: true,
				Why: "nothing is sent twice"}}},
			sorted: true, properties: []string{"Complete", "Delivers"}},
		{info: model.Info{Name: "bad/unsafe"}, properties: []string{"InOrder"}},
		{info: model.Info{Name: "bad/stuck"}, dead: true, properties: []string{"Arrives"}},
		{info: model.Info{Name: "bad/forever", Budget: model.Budget{Drop: 1}}, clock: true,
			properties: []string{"Delivers"}},
		{
			info: model.Info{
				Name:     "bad/both",
				Budget:   model.Budget{Drop: 1},
				Expected: []model.Expectation{{Property: "Complete", Violated: true}},
			},
			sorted:     true,
			properties: []string{"Complete", "Delivers"},
		},
		{
			info:       model.Info{Name: "bad/promise", Expected: []model.Expectation{disorder}},
			sorted:     true,
			properties: []string{"InOrder"},
		},
		{info: model.Info{Name: "bad/unseen"}, properties: []string{"Nine"}},
		{info: model.Info{Name: "bad/idle"}, properties: []string{"Never"}},
		{
			info: model.Info{Name: "bad/misspelt", Expected: []model.Expectation{{Property: "InOdrer",
				Violated: true}}},
			properties: []string{"Arrives"},
		},
		{info: model.Info{Name: "bad/panics"}, panics: true, properties: []string{"Arrives"}},
		{
			info:       model.Info{Name: "saved/count", Deep: true, Doc: "A counts to a bound."},
			endless:    true,
			bound:      5000,
			properties: []string{"Small"},
		},
		{info: model.Info{Name: "deep/endless", Deep: true, Doc: "A counts."}, endless: true,
			properties: []string{"Small"}},
	}
	var systems []model.Checkable
	for _, t := range all {
		if t.info.Doc == "" {
			t.info.Doc = "A variation."
		}
		t.numbers, t.info.Nodes, t.info.Bounds = 2, 2, "2 numbers"
		systems = append(systems, t)
	}
	return systems
}
