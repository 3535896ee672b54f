package traces_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/traces"
)

// relay is a toy: A tells B some numbers, over a network that reorders and, once, loses. B also has
// a clock that goes tick, tock. With sorted set, B puts what it got in order: the corrected
// version.
type relay struct {
	sorted bool
	sent   int
	got    []int
	net    []int
	lost   int
	tock   bool
}

const relayed = 2

func (r *relay) Reset() { *r = relay{sorted: r.sorted} }

type relayMove struct {
	action traces.Action
	do     func() []string
}

func (r *relay) moves() []relayMove {
	var m []relayMove
	if r.sent < relayed {
		m = append(
			m,
			relayMove{traces.Action{Kind: "command", Node: "A", Text: fmt.Sprintf("tell %d", r.sent+1)}, func() []string {
				r.sent++
				r.net = append(r.net, r.sent)
				return []string{fmt.Sprintf("send A->B number %d", r.sent)}
			}},
		)
	}
	for i, n := range r.net {
		message := traces.Action{Node: "B", Peer: "A", Text: fmt.Sprintf("number %d", n), Data: []byte{byte(n)}}
		message.Kind = "deliver"
		m = append(m, relayMove{message, func() []string { return r.receive(i) }})
		if r.lost == 0 {
			message.Kind, message.Cost = "drop", "drop"
			m = append(m, relayMove{message, func() []string {
				r.lost++
				r.net = slices.Delete(r.net, i, i+1)
				return nil
			}})
		}
	}
	if r.sent > 0 {
		m = append(
			m,
			relayMove{
				traces.Action{Kind: "timeout", Node: "B", Text: "clock"},
				func() []string { r.tock = !r.tock; return nil },
			},
		)
	}
	return m
}

func (r *relay) receive(i int) []string {
	n := r.net[i]
	r.net = slices.Delete(r.net, i, i+1)
	r.got = append(r.got, n)
	if r.sorted {
		slices.Sort(r.got)
	}
	return []string{fmt.Sprintf("event got %d", n)}
}

func (r *relay) Enabled() []traces.Action {
	var actions []traces.Action
	for _, m := range r.moves() {
		actions = append(actions, m.action)
	}
	return actions
}

func (r *relay) Take(i int) []string { return r.moves()[i].do() }

func (r *relay) State() []traces.Variable {
	b := fmt.Sprintf("got %v", r.got)
	if r.tock {
		b += " tock"
	}
	return []traces.Variable{
		{Name: "A", Value: fmt.Sprintf("sent %d", r.sent)},
		{Name: "B", Value: b},
		{Name: "network", Value: strings.Trim(fmt.Sprint(r.net), "[]")},
	}
}

func (r *relay) Check(property string) (bool, error) {
	switch property {
	case "InOrder":
		return slices.IsSorted(r.got), nil
	case "AllArrive":
		return len(r.got) == relayed, nil
	case "SomeArrive":
		return len(r.got) > 0, nil
	}
	return false, fmt.Errorf("relay has no property %q", property)
}

// pick finds the enabled action of this text, and fails loudly if there is none.
func pick(m traces.Machine, text string) int {
	for i, a := range m.Enabled() {
		if a.String() == text {
			return i
		}
	}
	panic(fmt.Sprintf("%q is not among %v", text, m.Enabled()))
}

// choices turns a script of actions into indexes.
func choices(m traces.Machine, script ...string) []int {
	m.Reset()
	var indexes []int
	for _, text := range script {
		i := pick(m, text)
		indexes = append(indexes, i)
		m.Take(i)
	}
	return indexes
}

func header(property, shape string) traces.Header {
	h := traces.Header{
		Model: "toy/relay", Property: property, Shape: shape, Verdict: traces.Violated, Trigger: -1,
		Bounds: "2 numbers", Budget: traces.Budget{Drop: 1}, Commit: "0123abc", Go: "go1.26",
		Description: "A tells B two numbers; <B> wants them in order.",
	}
	if shape == traces.Sometimes {
		h.Verdict = traces.Holds
	}
	return h
}

func record(script []string, loop int, h traces.Header) *traces.Trace {
	m := &relay{}
	t, err := traces.Record(m, choices(m, script...), loop, h)
	if err != nil {
		panic(err)
	}
	return t
}

// disordered is a counterexample to InOrder: the second number overtakes the first.
func disordered() *traces.Trace {
	return record([]string{"command A tell 1", "command A tell 2", "deliver A->B number 2", "deliver A->B number 1"},
		-1, header("InOrder", traces.Always))
}

// forever is a lasso: the first number is lost and the clock goes on.
func forever() *traces.Trace {
	h := header("AllArrive", traces.LeadsTo)
	h.Trigger = 1
	return record([]string{"command A tell 1", "drop A->B number 1", "command A tell 2", "deliver A->B number 2",
		"timeout B clock", "timeout B clock"}, 4, h)
}

// witnessed shows that something arrives at all.
func witnessed() *traces.Trace {
	return record([]string{"command A tell 1", "deliver A->B number 1"}, -1, header("SomeArrive", traces.Sometimes))
}
