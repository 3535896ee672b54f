package can_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/can"
)

// No property can distinguish the full system from the reduced one. They are branching bisimilar
// with respect to all predicates of the model, to deadlocks, and to the states in which runs can
// end or continue forever unseen. That is more than equal verdicts.
func TestReducedSystemsAreBisimilar(t *testing.T) {
	for _, name := range []string{
		"can/row2/join-join", "can/row2/join-join-same", "can/row3/leave-leave", "can/tee/join-leave", "can/row5/leave-leave",
		"can/row2/join-crash-rejoin", "can/row3/leave-crash-rejoin", "can/tee/leave-crash", "can/clones/join-join",
		"can/row3/join-crash",
	} {
		t.Run(name, func(t *testing.T) {
			m := modelNamed(t, name)
			full, reduced := explore(m, false), explore(m, true)
			require.Less(t, len(reduced.next), len(full.next), "nothing was left out")
			both := full.beside(reduced)
			blocks := both.bisimulation()
			require.Equal(t, blocks[0], blocks[len(full.next)])
		})
	}
}

// The test notices a visible delivery that is treated as an invisible one.
func TestBisimulationTellsSystemsApart(t *testing.T) {
	one := &lts{next: [][]int{{1, 2}, {}, {}}, label: []string{"a", "b", "c"}}
	other := &lts{next: [][]int{{1}, {}}, label: []string{"a", "b"}}
	blocks := one.beside(other).bisimulation()
	require.NotEqual(t, blocks[0], blocks[3])
	idle := &lts{next: [][]int{{1}, {0, 2}, {}}, label: []string{"a", "a", "b"}}
	steady := &lts{next: [][]int{{1}, {}}, label: []string{"a", "b"}}
	blocks = idle.beside(steady).bisimulation()
	require.NotEqual(t, blocks[0], blocks[3], "one can loop forever, the other cannot")
}

func modelNamed(t *testing.T, name string) checker.Model {
	t.Helper()
	for _, m := range can.Models() {
		if m.Info().Name == name {
			return m.Model()
		}
	}
	t.Fatalf("there is no model %s", name)
	return nil
}

// lts is a system of states with labels; the first state is the initial one.
type lts struct {
	next  [][]int
	label []string
}

// explore builds the system of a model that has one initial state.
func explore(m checker.Model, reduce bool) *lts {
	w, out := m.NewWorker(), checker.NewSuccessors(m.Width())
	s, index, states := &lts{}, map[string]int{}, [][]uint32{}
	find := func(state []uint32) int {
		key := fmt.Sprint(state)
		if _, ok := index[key]; !ok {
			index[key] = len(states)
			states = append(states, slices.Clone(state))
		}
		return index[key]
	}
	m.Initial(func(state []uint32) { find(state) })
	for i := 0; i < len(states); i++ {
		out.Reset()
		confluent, ok := w.(checker.Confluent)
		if !reduce || !ok || !confluent.Confluent(states[i], out) {
			w.Expand(states[i], out)
		}
		var next []int
		for k := range out.Len() {
			next = append(next, find(out.At(k)))
		}
		slices.Sort(next)
		s.next = append(s.next, slices.Compact(next))
		s.label = append(s.label, labelOf(m, w, states[i], len(next) == 0))
	}
	return s
}

// labelOf is all that the properties can see of a state.
func labelOf(m checker.Model, w checker.Worker, state []uint32, end bool) string {
	var b strings.Builder
	fmt.Fprint(&b, end && !w.QuiescentEnd(state))
	for i, p := range m.Properties() {
		switch p.Shape {
		case checker.Quiescent:
			fmt.Fprint(&b, w.Quiescent(state) && !w.Holds(i, state)) // rest itself is no event
		case checker.LeadsTo, checker.Reaches, checker.AlmostSurely:
			fmt.Fprint(&b, w.Holds(i, state), w.Triggers(i, state))
		default:
			fmt.Fprint(&b, w.Holds(i, state))
		}
	}
	return b.String()
}

// beside returns the two systems as one, the other's states behind these.
func (s *lts) beside(other *lts) *lts {
	both := &lts{next: slices.Clone(s.next), label: append(slices.Clone(s.label), other.label...)}
	for _, next := range other.next {
		var moved []int
		for _, n := range next {
			moved = append(moved, n+len(s.next))
		}
		both.next = append(both.next, moved)
	}
	return both
}

// bisimulation returns the block of each state in the coarsest branching bisimulation that keeps
// labels and divergence, by the refinement of signatures (Blom and Orzan, 2003).
func (s *lts) bisimulation() []int {
	blocks, count := number(s.label)
	for {
		signatures := s.signatures(blocks)
		keys := make([]string, len(blocks))
		for i := range keys {
			keys[i] = fmt.Sprint(blocks[i], signatures[i])
		}
		finer, n := number(keys)
		if n == count {
			return finer
		}
		blocks, count = finer, n
	}
}

func number(keys []string) ([]int, int) {
	seen, numbers := map[string]int{}, make([]int, len(keys))
	for i, key := range keys {
		if _, ok := seen[key]; !ok {
			seen[key] = len(seen)
		}
		numbers[i] = seen[key]
	}
	return numbers, len(seen)
}

// forever stands in a signature for a run that stays in the block, or ends there.
const forever = -1

// signatures lists the other blocks that each state can go to after any number of steps inside its
// own.
func (s *lts) signatures(blocks []int) [][]int {
	c := condense(s.next, func(a, b int) bool { return blocks[a] == blocks[b] })
	all := make([][]int, len(c.members)) // by component; its successors come before it
	for k, members := range c.members {
		var set []int
		for _, m := range members {
			if len(s.next[m]) == 0 {
				set = append(set, forever)
			}
			for _, n := range s.next[m] {
				switch {
				case blocks[n] != blocks[m]:
					set = append(set, blocks[n])
				case c.of[n] != k:
					set = append(set, all[c.of[n]]...)
				default:
					set = append(set, forever)
				}
			}
		}
		slices.Sort(set)
		all[k] = slices.Compact(set)
	}
	signatures := make([][]int, len(blocks))
	for i := range signatures {
		signatures[i] = all[c.of[i]]
	}
	return signatures
}

// condensed is a graph's strongly connected components, each behind all that it leads to.
type condensed struct {
	members [][]int
	of      []int
}

// condense is Tarjan's algorithm on the edges that are inside.
func condense(next [][]int, inside func(a, b int) bool) *condensed {
	c := &condensed{of: make([]int, len(next))}
	order, low, open := make([]int, len(next)), make([]int, len(next)), []int{}
	visited := 0
	var visit func(v int)
	visit = func(v int) {
		visited++
		order[v], low[v], c.of[v] = visited, visited, -1
		open = append(open, v)
		for _, n := range next[v] {
			if !inside(v, n) {
				continue
			}
			if order[n] == 0 {
				visit(n)
			}
			if c.of[n] < 0 {
				low[v] = min(low[v], low[n])
			}
		}
		if low[v] != order[v] {
			return
		}
		at := slices.Index(open, v)
		for _, m := range open[at:] {
			c.of[m] = len(c.members)
		}
		c.members = append(c.members, slices.Clone(open[at:]))
		open = open[:at]
	}
	for v := range next {
		if order[v] == 0 {
			visit(v)
		}
	}
	return c
}
