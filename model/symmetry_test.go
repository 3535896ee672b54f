package model_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// symmetricToy is a system of couriers, some of them interchangeable.
type symmetricToy struct {
	name    string
	script  toyScript
	groups  [][]int
	budgets []model.Budget
}

func symmetricToys() []symmetricToy {
	faults := []model.Budget{
		{}, {Drop: 1}, {Duplicate: 1}, {Spurious: 1}, {Suspect: 1}, {Crash: 1}, {Crash: 1, Restart: 1}, {Repeat: true},
		{Adversarial: true, Crash: 1, Restart: 1}, {Late: 1, Crash: 1, Restart: 1},
	}
	giveBoth := couriers([][]order{{}}, [][]order{{give(0)}, {give(0)}}, [][]order{{give(0)}, {give(0)}})
	ends := couriers([][]order{{self(), end()}}, [][]order{{self(), end()}}, [][]order{{self(), end()}})
	ends.core.chatty = true
	return []symmetricToy{
		{"two give to a third", giveBoth, [][]int{{1, 2}}, []model.Budget{{}, {Drop: 1}, {Crash: 1}}},
		{
			"two give to each other",
			couriers([][]order{{give(1)}, {give(1)}}, [][]order{{give(0)}, {give(0)}}),
			[][]int{{1, 0}},
			faults,
		},
		{
			"two measure each other",
			couriers([][]order{{probe(1)}, {give(1)}}, [][]order{{probe(0)}, {give(0)}}),
			[][]int{{0, 1}},
			faults,
		},
		{"all end", ends, [][]int{{2, 0, 1}}, []model.Budget{{}}},
		{"nobody", twoCouriers(), nil, faults[:2]},
		{"two give to a third in order", giveBoth.inOrder(), [][]int{{1, 2}}, []model.Budget{{}, {Drop: 1, Duplicate: 1}}},
		{"all end in order", ends.inOrder(), [][]int{{2, 0, 1}}, []model.Budget{{}}},
		{
			"two give to each other in order",
			couriers([][]order{{give(1)}, {give(1)}}, [][]order{{give(0)}, {give(0)}}).inOrder(),
			[][]int{{1, 0}},
			faults[:7],
		},
	}
}

func (s symmetricToy) system(b model.Budget) *model.System[courier, note, order] {
	sys := s.script.system(b)
	sys.Symmetry = &model.Symmetry[courier, note, order]{
		Groups: s.groups, State: renamedCourier, Command: renamedCommand, Monitor: renamedDiary, Persisted: renamedDisk,
	}
	return sys
}

func renamedCourier(s courier, to model.Renaming) courier {
	known := s.Known
	for i, k := range s.Known {
		known[to.Node(i)] = k
	}
	s.Self, s.To, s.Known = to.ID(s.Self), to.ID(s.To), known
	return s
}

func renamedCommand(o order, to model.Renaming) order {
	if o.Kind == orderGive || o.Kind == orderProbe {
		o.To = to.Address(o.To)
	}
	return o
}

func renamedDiary(mon []byte, to model.Renaming) []byte {
	d := toyMonitor{}.decode(mon)
	back := byte(0)
	for i := range toyNodes {
		back |= d.back >> i & 1 << to.Node(i)
	}
	d.back = back
	return toyMonitor{}.encode(d)
}

func renamedDisk(disk []byte, to model.Renaming) []byte {
	if len(disk) == 0 {
		return disk
	}
	r := protocol.NewReader(disk)
	self, got := r.NodeID(), r.Uint(2)
	return protocol.AppendUint(protocol.AppendNodeID(nil, to.ID(self)), got)
}

// orbit is the least key of all globes that differ from one only in which of the interchangeable
// couriers is which. It shares no code with the package under test.
func (g *globe) orbit(groups [][]int) string {
	least := ""
	for _, to := range orders(groups, len(g.places)) {
		if key := g.renamed(to).key(); least == "" || key < least {
			least = key
		}
	}
	return least
}

// orders lists the permutations of a number of couriers that keep each group in place.
func orders(groups [][]int, n int) [][]int {
	home := make([]int, n) // the group of each; a lone node has a separate one
	for i := range home {
		home[i] = -1 - i
	}
	for number, group := range groups {
		for _, i := range group {
			home[i] = number
		}
	}
	all := [][]int{{}}
	for i := range n {
		var longer [][]int
		for _, to := range all {
			for j := range n {
				if home[i] == home[j] && !slices.Contains(to, j) {
					longer = append(longer, append(slices.Clone(to), j))
				}
			}
		}
		all = longer
	}
	return all
}

func (g *globe) renamed(to []int) *globe {
	id := func(id protocol.NodeID) protocol.NodeID {
		if id.IsNobody() {
			return id
		}
		return protocol.NodeID{Address: protocol.Address(to[id.Address]), Incarnation: id.Incarnation}
	}
	mail := func(all []protocol.Envelope[note]) (renamed []protocol.Envelope[note]) {
		for _, e := range all {
			renamed = append(renamed, protocol.Envelope[note]{From: id(e.From), To: id(e.To), Message: e.Message})
		}
		return renamed
	}
	after := g.clone()
	after.net, after.came, after.diary.back = mail(g.net), mail(g.came), 0
	for i, j := range to {
		p := &after.places[j]
		*p = g.clone().places[i]
		if p.up {
			p.state.Self, p.state.To = id(p.state.Self), id(p.state.To)
			for k, l := range to {
				p.state.Known[l] = g.places[i].state.Known[k]
			}
		}
		for t := range p.timers {
			p.timers[t].Peer = id(p.timers[t].Peer)
		}
		for m := range p.measuring {
			p.measuring[m] = id(p.measuring[m])
		}
		slices.SortFunc(p.measuring, protocol.NodeID.Compare)
		if p.persisted != "" {
			disk := []byte(p.persisted)
			r := protocol.NewReader(disk)
			p.persisted = string(protocol.AppendUint(protocol.AppendNodeID(nil, id(r.NodeID())), r.Uint(2)))
		}
		after.diary.back |= g.diary.back >> i & 1 << j
	}
	return after
}

// orbits counts those of all states, one by one.
func orbits(script toyScript, b model.Budget, groups [][]int) uint64 {
	initial := newGlobe(script, b)
	todo, seen := []*globe{initial}, map[string]bool{initial.key(): true}
	found := map[string]bool{}
	for len(todo) > 0 {
		g := todo[0]
		todo = todo[1:]
		found[g.orbit(groups)] = true
		for _, m := range g.moves() {
			if key := m.next.key(); !seen[key] {
				seen[key] = true
				todo = append(todo, m.next)
			}
		}
	}
	return uint64(len(found))
}

// One state of each orbit is explored, no more and no less, and that changes no verdict and no
// length of a path.
func TestOrbitsAreWhatADumbSearchCounts(t *testing.T) {
	gained := false
	for _, toy := range symmetricToys() {
		for _, b := range toy.budgets {
			if testing.Short() && (b.Restart+b.Suspect+b.Spurious > 0 || strings.HasPrefix(toy.name, "all end")) {
				continue
			}
			t.Run(fmt.Sprintf("%s, %v", toy.name, b), func(t *testing.T) {
				m, err := toy.system(b).Compile()
				require.NoError(t, err)
				all := check(t, m.Model(), everything(1))
				for workers := 1; workers <= 2; workers++ {
					o := everything(workers)
					o.Reduce = true
					reduced := check(t, m.Model(), o)
					assert.Equal(t, []string{"symmetry"}, reduced.Reductions)
					assert.Equal(t, orbits(toy.script, b, toy.groups), reduced.States)
					assert.Equal(t, all.Depth, reduced.Depth)
					assertSameVerdicts(t, m, all, reduced)
					gained = gained || reduced.States*3 < all.States*2
				}
			})
		}
	}
	assert.True(t, gained, "no orbit has many states, so nothing was compared")
}

// assertSameVerdicts demands equal verdicts, equally long paths, and paths that the system can go.
func assertSameVerdicts(t *testing.T, m model.Checkable, want, got *checker.Report) {
	t.Helper()
	for i, o := range got.Outcomes {
		name := o.Property.Name
		assert.Equal(t, want.Outcomes[i].Verdict, o.Verdict, name)
		if o.Path == nil || want.Outcomes[i].Path == nil {
			assert.Equal(t, want.Outcomes[i].Path, o.Path, name)
			continue
		}
		assert.Len(t, o.Path.Steps, len(want.Outcomes[i].Path.Steps), name)
		machine := m.Machine()
		machine.Reset()
		for _, step := range o.Path.Steps[1:] {
			require.Less(t, step.Action, len(machine.Enabled()), name)
			machine.Take(step.Action)
		}
		holds, err := machine.Check(name)
		require.NoError(t, err)
		assert.Equal(t, o.Property.Shape == checker.Sometimes, holds, name)
	}
}

// With independent nodes that take a fixed number of steps each, an orbit is a multiset of steps.
func TestOrbitsOfStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread and many states: nothing for the race detector")
	}
	for nodes, orbits := range map[int]uint64{1: 4, 2: 10, 3: 20, 4: 35, 5: 56, 6: 84} {
		m, err := strangers(nodes, 3).Compile()
		require.NoError(t, err)
		all := check(t, m.Model(), checker.Options{})
		reduced := check(t, m.Model(), checker.Options{Reduce: true})
		assert.Equal(t, uint64(1)<<(2*nodes), all.States)
		assert.Equal(t, orbits, reduced.States, "%d nodes", nodes)
	}
}

// hermit is a node that obeys orders and does nothing else.
type hermit struct {
	Self  protocol.NodeID
	Steps uint8
}

func strangers(nodes, orders int) *model.System[hermit, struct{}, struct{}] {
	step := func(s hermit, in protocol.Input[struct{}, struct{}]) (hermit, protocol.Output[struct{}]) {
		if in.Kind == protocol.Command {
			s.Steps++
		}
		return s, protocol.Output[struct{}]{}
	}
	sys := &model.System[hermit, struct{}, struct{}]{
		Info: model.Info{Name: "strangers"}, Core: model.Plain(step),
		Identity:     func(s hermit) protocol.NodeID { return s.Self },
		QuiescentEnd: func(*model.GlobalState[hermit, struct{}]) bool { return true },
		Symmetry:     &model.Symmetry[hermit, struct{}, struct{}]{Groups: [][]int{{}}},
	}
	for i := range nodes {
		sys.Nodes = append(sys.Nodes, model.Node[hermit, struct{}]{
			Name: fmt.Sprint(i), State: hermit{Self: protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}},
			Commands: [][]struct{}{make([]struct{}, orders)},
		})
		sys.Symmetry.Groups[0] = append(sys.Symmetry.Groups[0], i)
	}
	return sys
}

// A node waits for two others, by a timer and by a measurement of each: of either, both pending,
// one or none.
func TestPendingTimersAndMeasurementsAreRenamed(t *testing.T) {
	sys := strangers(3, 0)
	sys.Symmetry.Groups = [][]int{{1, 2}}
	sys.Nodes[0].Commands = [][]struct{}{{{}}}
	sys.Latency = func(from, to protocol.NodeID) []uint32 { return []uint32{1} }
	sys.Core = model.Plain(func(s hermit, in protocol.Input[struct{}, struct{}]) (hermit, protocol.Output[struct{}]) {
		var out protocol.Output[struct{}]
		for peer := protocol.Address(1); in.Kind == protocol.Command && peer <= 2; peer++ {
			id := protocol.NodeID{Address: peer, Incarnation: 1}
			out.Set = append(out.Set, protocol.SetTimer{Timer: protocol.Timer{Kind: 1, Peer: id}})
			out.Measure = append(out.Measure, id)
		}
		return s, out
	})
	m, err := sys.Compile()
	require.NoError(t, err)
	assert.Equal(t, uint64(1+4*4), check(t, m.Model(), checker.Options{}).States)
	assert.Equal(t, uint64(1+4*5/2), check(t, m.Model(), checker.Options{Reduce: true}).States)
}

// A check ends with an error, and without a verdict, if nodes are not interchangeable.
func TestFalseSymmetryIsTold(t *testing.T) {
	toy := symmetricToys()[1]
	type system = model.System[courier, note, order]
	tests := []struct {
		name   string
		budget model.Budget
		spoil  func(s *system)
		says   string
	}{
		{"a node is forgotten", model.Budget{}, func(s *system) {
			s.Symmetry.State = func(c courier, to model.Renaming) courier {
				c.Self = to.ID(c.Self)
				return c
			}
		}, "names a node that is not renamed"},
		{"one after the other", model.Budget{}, func(s *system) {
			s.Symmetry.State = func(c courier, to model.Renaming) courier {
				c = renamedCourier(c, to)
				c.Paint = min(c.Paint+1, 2)
				return c
			}
		}, "applied twice"},
		{
			"the monitor",
			model.Budget{Crash: 1},
			func(s *system) { s.Symmetry.Monitor = nil },
			"names a node that is not renamed",
		},
		{"a property", model.Budget{}, func(s *system) {
			s.Properties[0].Holds = func(w *model.GlobalState[courier, note]) bool { return w.Slots[0].State.To.IsNobody() }
		}, `property "True" differs between a state and its image`},
		{"what is settled", model.Budget{}, func(s *system) {
			s.QuiescentEnd = func(w *model.GlobalState[courier, note]) bool { return w.Slots[0].State.To.IsNobody() }
		}, "System.QuiescentEnd differs"},
		{"when timers fire", model.Budget{Drop: 1}, func(s *system) {
			due := s.Due
			s.Due = func(w *model.GlobalState[courier, note], node int, timer protocol.Timer) model.Due {
				if node == 0 {
					return model.Never
				}
				return due(w, node, timer)
			}
		}, "or the system distinguishes the nodes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sys := toy.system(test.budget)
			test.spoil(sys)
			m, err := sys.Compile()
			require.NoError(t, err)
			_, err = checker.Check(context.Background(), m.Model(), checker.Options{Reduce: true, ContinueAfterViolation: true})
			var broken *checker.ContractError
			require.ErrorAs(t, err, &broken)
			assert.Contains(t, err.Error(), "checker: the model breaks its contract in a state")
			assert.Contains(t, err.Error(), "if A is B, B is A")
			assert.Contains(t, err.Error(), test.says)
			_, err = checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			assert.NoError(t, err, "no predicate relied on it")
		})
	}
}

// In a small system no asymmetry is missed, for any two preferred nodes.
func TestEveryAsymmetryOfASmallSystemIsTold(t *testing.T) {
	for first := range 3 {
		for second := range 3 {
			if first == second {
				continue
			}
			sys := strangers(3, 2)
			sys.Properties = []model.Property[hermit, struct{}]{{
				Property: checker.Property{Name: "Preference", Shape: checker.Always},
				Holds: func(w *model.GlobalState[hermit, struct{}]) bool {
					steps := func(i int) uint8 { return w.Slots[i].State.Steps }
					return steps(first) != 2 || steps(second) != 1 || steps(3-first-second) != 0
				},
			}}
			m, err := sys.Compile()
			require.NoError(t, err)
			again := m.Model()
			for range 2 {
				_, err = checker.Check(context.Background(), again, checker.Options{Reduce: true, ContinueAfterViolation: true})
				require.ErrorContains(t, err, `property "Preference" differs between a state and its image`)
			}
		}
	}
}

func TestImpossibleSymmetries(t *testing.T) {
	type system = model.System[courier, note, order]
	groups := func(groups ...[]int) func(*system) {
		return func(s *system) { s.Symmetry.Groups = groups }
	}
	tests := []struct {
		spoil func(s *system)
		says  string
	}{
		{groups([]int{0, 2}), "there is no node 2 among 2"},
		{groups([]int{-1}), "there is no node -1"},
		{groups([]int{0, 1}, []int{1}), "node 1 (B) is listed twice"},
		{func(s *system) { s.Nodes[0].Commands = nil }, "have different commands"},
		{func(s *system) { s.Nodes[0].Commands = [][]order{{give(1)}, {self()}} }, "have different commands"},
		{func(s *system) { s.Symmetry.Command = nil }, ""}, // by type
		{
			func(s *system) { s.Info.Budget = model.Budget{Crash: 1, Restart: 1}; s.Nodes[1].State.Got = 1 },
			"have different states to restart in",
		},
		{func(s *system) { s.Info.Budget = model.Budget{Crash: 1}; s.Nodes[1].State.Got = 1 }, ""},
	}
	for _, test := range tests {
		sys := symmetricToys()[1].system(model.Budget{})
		test.spoil(sys)
		_, err := sys.Compile()
		if test.says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, model.ErrSymmetry)
		assert.Contains(t, err.Error(), test.says)
	}
	_, err := strangers(7, 1).Compile()
	require.ErrorIs(t, err, model.ErrSymmetry)
	assert.Contains(t, err.Error(), "more than 720 permutations")
	nobody := strangers(2, 1)
	for i := range nobody.Nodes {
		nobody.Nodes[i].State.Self.Incarnation = 0
	}
	_, err = nobody.Compile()
	require.ErrorIs(t, err, model.ErrSymmetry)
	assert.Contains(t, err.Error(), "node 0 (0) has no incarnation")
}

// letter names nodes in all ways that a plain value can.
type letter struct {
	From    protocol.NodeID
	Copies  []protocol.Address
	Pairs   [2]struct{ A, B protocol.NodeID }
	Number  uint32
	Nothing []protocol.NodeID
}

// Without functions all that has the type of a node's name is renamed, and nothing else.
func TestPlainValuesAreRenamedByType(t *testing.T) {
	var got letter
	step := func(s hermit, in protocol.Input[letter, struct{}]) (hermit, protocol.Output[letter]) {
		return s, protocol.Output[letter]{}
	}
	sys := &model.System[hermit, letter, struct{}]{
		Info: model.Info{
			Name: "letters",
		}, Core: model.Plain(step), Identity: func(s hermit) protocol.NodeID { return s.Self },
		Symmetry: &model.Symmetry[hermit, letter, struct{}]{Groups: [][]int{{1, 2}}},
	}
	for i := range 3 {
		sys.Nodes = append(sys.Nodes, model.Node[hermit, struct{}]{
			Name: fmt.Sprint(i), State: hermit{Self: protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}},
		})
	}
	_, err := sys.Compile()
	require.NoError(t, err)
	node := func(i, life int) protocol.NodeID {
		return protocol.NodeID{Address: protocol.Address(i), Incarnation: uint16(life)}
	}
	before := letter{From: node(1, 2), Copies: []protocol.Address{0, 1, 2, 99}, Number: 1}
	before.Pairs[1].A, before.Pairs[1].B = node(2, 1), node(3, 1)
	got = model.RenamedByType(before, 1, 2)
	want := letter{From: node(2, 2), Copies: []protocol.Address{0, 2, 1, 99}, Number: 1}
	want.Pairs[1].A, want.Pairs[1].B = node(1, 1), node(3, 1)
	assert.Equal(t, want, got)
	assert.Equal(t, protocol.Address(1), before.Copies[1], "the value that was given has changed")
}

// For values that are not plain the error names the function that is needed.
func TestTypesThatAreNotPlainNeedFunctions(t *testing.T) {
	type closed struct {
		self protocol.NodeID //lint:ignore U1000 its type alone counts
	}
	sys := &model.System[hermit, closed, struct{}]{
		Info: model.Info{
			Name: "closed",
		}, Core: anyCore[hermit, closed, struct{}]{}, Identity: func(s hermit) protocol.NodeID { return s.Self },
		Nodes:    []model.Node[hermit, struct{}]{{State: hermit{Self: protocol.NodeID{Incarnation: 1}}}},
		Symmetry: &model.Symmetry[hermit, closed, struct{}]{},
	}
	_, err := sys.Compile()
	require.ErrorIs(t, err, model.ErrSymmetry)
	assert.Contains(t, err.Error(), "Symmetry.Message is needed")
	assert.Contains(t, err.Error(), "its field self is not exported")
}

// anyCore is a core of which nothing is wanted.
type anyCore[S, M, C any] struct{ protocol.Core[S, M, C] }

// Confluent deliveries and interchangeable nodes go together.
func TestSymmetryAndConfluence(t *testing.T) {
	toy := symmetricToys()[0]
	sys := toy.system(model.Budget{})
	sys.Confluent = func(w *model.GlobalState[courier, note], e protocol.Envelope[note]) bool {
		return e.Message.Kind == noteBye
	}
	sys.Nodes[0].Commands = [][]order{{end()}}
	m, err := sys.Compile()
	require.NoError(t, err)
	all := check(t, m.Model(), everything(1))
	o := everything(1)
	o.Reduce = true
	both := check(t, m.Model(), o)
	sys.Confluent = nil
	m, err = sys.Compile()
	require.NoError(t, err)
	one := check(t, m.Model(), o)
	assert.Equal(t, []string{"confluence", "symmetry"}, both.Reductions)
	assert.Less(t, both.States, one.States)
	assert.Less(t, one.States, all.States)
	for i, outcome := range all.Outcomes {
		assert.Equal(t, outcome.Verdict, both.Outcomes[i].Verdict, outcome.Property.Name)
	}
}

func TestRenaming(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node := rapid.IntRange(-1, 40).Draw(t, "node")
		var to model.Renaming
		assert.Equal(t, node, to.Node(node))
		id := protocol.NodeID{Address: protocol.Address(max(node, 0)), Incarnation: 3}
		assert.Equal(t, id, to.ID(id))
	})
}
