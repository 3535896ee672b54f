package dtm_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Random walks go where the checker does not reach: up to nine hosts on any tree, several joins and
// leaves at a time, messages dropped, duplicated and reordered, timers at any moment. A failure
// shows the shrunk walk step by step. To walk longer: go test ./protocol/dtm -run TestHosts
// -rapid.checks=10000

// When the network is quiescent, all labels are true and predict the latencies of the tree.
func TestHostsJoinAndLeave(t *testing.T) {
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
		dtm.EventJoined, dtm.EventFailed, dtm.EventRefused, dtm.EventAsks, dtm.EventAborts, dtm.EventMoved, dtm.EventLeft,
	} {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// walk is a run of a network as data: it can be drawn, shrunk and replayed.
type walk struct {
	Tree  tree
	Near  int
	Moves []move
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
	moveJoin
	moveLeave
	moveDrop
	moveDuplicate
	moveCrash
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
	k := &walk{Tree: drawTree(t, most), Near: evenly(t, 2, "near") * 16}
	for len(k.Tree.at) < 3 {
		k.Tree.at = append(k.Tree.at, 0)
	}
	for v := range k.Tree.edge {
		k.Tree.edge[v] *= 2
	}
	mixture := []moveKind{moveDeliver, moveDeliver, moveMeasure, moveTimer, moveJoin}
	for _, m := range []struct {
		kind moveKind
		most int
	}{
		{moveDeliver, 12}, {moveMeasure, 4}, {moveTimer, 4}, {moveJoin, 3}, {moveLeave, 3}, {moveDrop, 2}, {moveDuplicate, 2},
		{moveCrash, 2}, {moveSettle, 2},
	} {
		for range evenly(t, m.most, "weight") {
			mixture = append(mixture, m.kind)
		}
	}
	one := rapid.Custom(func(t *rapid.T) move {
		return move{
			mixture[evenly(t, len(mixture), "kind")], uint16(evenly(t, 1<<10, "node")), uint16(evenly(t, 1<<10, "what")),
		}
	})
	k.Moves = rapid.SliceOfN(one, evenly(t, 200, "least"), 300).Draw(t, "moves")
	return k
}

// run takes the walk, lets the network become quiescent at its end, and returns it.
func (k *walk) run(prepare func(*network)) *network {
	cfg := dtm.DefaultConfig(1)
	cfg.Manner, cfg.AggregateLimit, cfg.Refusals = dtm.Walk, k.Near, 1<<10
	w := newNetwork(&cfg, len(k.Tree.at), k.Tree.far)
	prepare(w)
	for _, p := range w.Nodes {
		w.Start(p)
	}
	w.Command(w.Nodes[0], dtm.Command{Kind: dtm.CommandJoin})
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
	}
}

// takeAt takes a step that happens at a live node. A host leaves only if another one stays, and
// crashes only if nothing is in progress: all else are limits of the protocol.
func (w *network) takeAt(p *process, m move) {
	members := w.Having(func(p *process) bool { return p.Running() && p.State().Phase == dtm.Member })
	stay := slices.DeleteFunc(slices.Clone(members), func(p *process) bool {
		s := p.State()
		return s.Departure.Stage != dtm.Staying
	})
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
	case moveJoin:
		if s := p.State(); s.Phase != dtm.Outside {
			return
		}
		var ids []protocol.NodeID
		for _, p := range stay {
			ids = append(ids, p.ID())
		}
		pick(ids, m.What, func(id protocol.NodeID) {
			w.Command(p, dtm.Command{Kind: dtm.CommandJoin, Nodes: append(ids, id)})
		})
	case moveLeave:
		if s := p.State(); s.Phase == dtm.Member && len(stay) > 1 {
			w.Command(p, dtm.Command{Kind: dtm.CommandLeave})
		}
	case moveCrash:
		if w.idle() && len(members) > 1 {
			w.Crash(p)
		}
	case moveSettle:
		w.rest()
	}
}
