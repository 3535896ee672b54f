package refine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Random walks go where the checker does not reach: up to nine nodes with any candidates, bounds
// and criteria, several changes at a time, messages dropped, duplicated and reordered, timers at
// any moment. A failure shows the shrunk walk step by step and the command that repeats it. To walk
// longer: go test ./protocol/refine -run TestWalk -rapid.checks=10000

// In every state the bounds hold and clusters are cliques. When the network is quiescent, heads and
// members agree.
func TestWalk(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 9)
		if w := k.run(func(w *network) { w.Events = seen }); w.Broken != nil {
			k.run(func(w *network) { w.Log = func(e drivetest.Entry) { t.Log(e) } })
			t.Fatal(w.Broken)
		}
	})
	if testing.Short() {
		return // a few walks need not come to everything
	}
	for _, name := range []string{
		refine.EventDeny, refine.EventDefer, refine.EventCommitted, refine.EventReleased, refine.EventRemoved,
		refine.EventFailed, refine.EventLeft,
	} {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// walk is a run of a network as data: it can be drawn, shrunk and replayed.
type walk struct {
	Nodes, M, N int
	Criterion   refine.Criterion
	Far         []uint16
	Candidates  []uint16 // first measurements of each node
	Moves       []move
}

// move is a step of a walk. Its numbers pick among the possible choices.
type move struct {
	Kind moveKind
	Node uint16
	What uint16
}

type moveKind uint8

const (
	moveDeliver moveKind = iota
	moveMeasure
	moveTimer
	moveAdd
	moveRemove
	moveAgain
	moveLeave
	moveDrop
	moveDuplicate
	moveCrash
	moveRestart
	moveSettle
)

// evenly draws a number below n evenly: rapid's own numbers are mostly small.
func evenly(t *rapid.T, n int, label string) int {
	v := 0
	for range 10 {
		v <<= 1
		if rapid.Bool().Draw(t, label) {
			v++
		}
	}
	return v % n
}

func drawWalk(t *rapid.T, most int) *walk {
	k := &walk{
		Nodes: 2 + evenly(t, most-1, "nodes"), M: 1 + evenly(t, 4, "M"), N: 1 + evenly(t, 5, "N"),
		Criterion: refine.Criterion(evenly(t, 3, "criterion")),
	}
	for range evenly(t, k.Nodes, "far pairs") {
		k.Far = append(k.Far, uint16(evenly(t, 1<<10, "far")))
	}
	for range k.Nodes {
		k.Candidates = append(k.Candidates, uint16(evenly(t, 1<<10, "candidates")))
	}
	// Each walk has its own mixture of moves; some faults do not happen at all.
	mixture := []moveKind{moveDeliver, moveDeliver, moveMeasure, moveTimer, moveAdd}
	for _, m := range []struct {
		kind moveKind
		most int
	}{
		{moveDeliver, 8}, {moveMeasure, 4}, {moveTimer, 4}, {moveAdd, 2}, {moveRemove, 2}, {moveAgain, 2},
		{moveLeave, 2}, {moveDrop, 2}, {moveDuplicate, 2}, {moveCrash, 2}, {moveRestart, 2}, {moveSettle, 2},
	} {
		for range evenly(t, m.most, "weight") {
			mixture = append(mixture, m.kind)
		}
	}
	one := rapid.Custom(func(t *rapid.T) move {
		return move{
			mixture[evenly(t, len(mixture), "kind")],
			uint16(evenly(t, 1<<10, "node")),
			uint16(evenly(t, 1<<10, "what")),
		}
	})
	k.Moves = rapid.SliceOfN(one, evenly(t, 200, "least"), 300).Draw(t, "moves")
	return k
}

// run takes the walk, lets the network become quiescent at its end, and returns it.
func (k *walk) run(prepare func(*network)) *network {
	cfg := refine.DefaultConfig(k.M, k.N, diameter)
	cfg.Criterion = k.Criterion
	w := newNetwork(&cfg, k.Nodes)
	for _, f := range k.Far {
		a, b := protocol.Address(int(f)%k.Nodes), protocol.Address(int(f)/k.Nodes%k.Nodes)
		w.setFar(a, b, a != b)
	}
	prepare(w)
	w.startAll()
	for i, p := range w.Nodes {
		w.Command(p, refine.Command{Kind: refine.CommandAdd, Nodes: w.chosen(k.Candidates[i])})
	}
	for _, m := range k.Moves {
		w.take(m)
		if w.Broken != nil {
			return w
		}
	}
	w.rest()
	return w
}

// pick chooses among what there is; with nothing there, nothing happens.
func pick[T any](list []T, which uint16, do func(T)) {
	if len(list) > 0 {
		do(list[int(which)%len(list)])
	}
}

func (w *network) take(m move) {
	pick(w.Live(), m.Node, func(p *process) { w.takeAt(p, m) })
	switch n := len(w.InFlight); m.Kind {
	case moveDeliver:
		if n > 0 {
			w.Deliver(int(m.What) % n)
		}
	case moveDrop:
		if n > 0 {
			w.Lose(int(m.What) % n)
		}
	case moveDuplicate:
		if n > 0 {
			w.Duplicate(int(m.What) % n)
		}
	case moveRestart:
		pick(w.Nodes, m.Node, func(p *process) {
			if !p.Running() || p.State().Departed {
				w.Start(p)
			}
		})
	}
}

// takeAt takes a step that happens at a live node.
func (w *network) takeAt(p *process, m move) {
	switch m.Kind {
	case moveMeasure:
		answering := slices.DeleteFunc(p.Measuring(), func(id protocol.NodeID) bool { return !w.Running(id) })
		pick(answering, m.What, func(id protocol.NodeID) { w.Measure(p, id) })
	case moveTimer:
		pick(p.Pending(), m.What, func(t protocol.Timer) {
			if w.mayFire(t) {
				w.Fire(p, t)
			}
		})
	case moveAdd:
		w.Command(p, refine.Command{Kind: refine.CommandAdd, Nodes: w.chosen(m.What)})
	case moveRemove:
		w.Command(p, refine.Command{Kind: refine.CommandDrop, Nodes: w.chosen(m.What)})
	case moveAgain:
		w.Command(p, refine.Command{Kind: refine.CommandMeasure})
	case moveLeave:
		w.Command(p, refine.Command{Kind: refine.CommandLeave})
	case moveCrash:
		w.Crash(p)
	case moveSettle:
		w.rest()
	}
}

// chosen reads a number as a set of nodes, in their present incarnations.
func (w *network) chosen(bits uint16) []protocol.NodeID {
	var ids []protocol.NodeID
	for i, p := range w.Nodes {
		if bits>>i&1 == 1 {
			ids = append(ids, p.ID())
		}
	}
	return ids
}
