package refine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Random walks go where the checker does not reach: up to nine nodes with any candidates, bounds
// and criteria, several changes at a time, messages lost, repeated and overtaken, timers at any
// moment. A failure shows the shrunk walk step by step and the command that repeats it. To walk
// longer: go test ./protocol/refine -run TestWalk -rapid.checks=10000

// In every state the bounds hold and clusters are cliques; at rest, heads and members agree.
func TestWalk(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 9)
		if w := k.run(func(w *world) { w.events = seen }); w.broken != nil {
			k.run(func(w *world) { w.log = func(line string) { t.Log(line) } })
			t.Fatal(w.broken)
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

// walk is a run of a world written down as data: it can be drawn, shrunk and repeated.
type walk struct {
	Nodes, M, N int
	Criterion   refine.Criterion
	Far         []uint16
	Candidates  []uint16 // what each node is told first
	Moves       []move
}

// move is a step of a walk. What is done to whom is picked among what there is.
type move struct {
	Kind moveKind
	Who  uint16
	What uint16
}

type moveKind uint8

const (
	moveDeliver moveKind = iota
	moveMeasure
	moveTimer
	moveAdd
	moveDrop
	moveAgain
	moveLeave
	moveLose
	moveRepeat
	moveCrash
	moveRestart
	moveSettle
)

// evenly draws a number below n evenly: rapid's own numbers are mostly small ones.
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
		{moveDeliver, 8}, {moveMeasure, 4}, {moveTimer, 4}, {moveAdd, 2}, {moveDrop, 2}, {moveAgain, 2}, {moveLeave, 2}, {moveLose, 2},
		{moveRepeat, 2}, {moveCrash, 2}, {moveRestart, 2}, {moveSettle, 2},
	} {
		for range evenly(t, m.most, "weight") {
			mixture = append(mixture, m.kind)
		}
	}
	one := rapid.Custom(func(t *rapid.T) move {
		return move{
			mixture[evenly(t, len(mixture), "kind")],
			uint16(evenly(t, 1<<10, "who")),
			uint16(evenly(t, 1<<10, "what")),
		}
	})
	k.Moves = rapid.SliceOfN(one, evenly(t, 200, "least"), 300).Draw(t, "moves")
	return k
}

// run takes the walk, lets the world come to rest at its end, and returns it.
func (k *walk) run(prepare func(*world)) *world {
	cfg := refine.DefaultConfig(k.M, k.N, diameter)
	cfg.Criterion = k.Criterion
	w := newWorld(&cfg, k.Nodes)
	for _, f := range k.Far {
		a, b := protocol.Address(int(f)%k.Nodes), protocol.Address(int(f)/k.Nodes%k.Nodes)
		w.far[[2]protocol.Address{min(a, b), max(a, b)}] = a != b
	}
	prepare(w)
	for _, p := range w.nodes {
		w.start(p)
	}
	for i, p := range w.nodes {
		w.order(p, refine.Command{Kind: refine.CommandAdd, Nodes: w.chosen(k.Candidates[i])})
	}
	for _, m := range k.Moves {
		w.take(m)
		if w.checkAlways(); w.broken != nil {
			return w
		}
	}
	w.rest()
	return w
}

// rest settles the world and looks at what came of it.
func (w *world) rest() {
	if !w.settle() {
		w.violated("Converges: the world does not come to rest")
	}
	w.checkAlways()
	w.checkAtRest()
}

// pick chooses among what there is; with nothing there, nothing happens.
func pick[T any](list []T, which uint16, do func(T)) {
	if len(list) > 0 {
		do(list[int(which)%len(list)])
	}
}

func (w *world) take(m move) {
	pick(w.live(), m.Who, func(p *process) {
		switch m.Kind {
		case moveMeasure:
			var can []int
			for i, id := range p.measuring {
				if w.running(id) {
					can = append(can, i)
				}
			}
			pick(can, m.What, func(i int) { w.measure(p, i) })
		case moveTimer:
			pick(p.timers, m.What, func(t protocol.Timer) {
				if t.Kind != refine.MissedTimer || !w.running(t.Peer) {
					w.fire(p, t)
				}
			})
		case moveAdd, moveDrop:
			kinds := map[moveKind]refine.CommandKind{moveAdd: refine.CommandAdd, moveDrop: refine.CommandDrop}
			w.order(p, refine.Command{Kind: kinds[m.Kind], Nodes: w.chosen(m.What)})
		case moveAgain:
			w.order(p, refine.Command{Kind: refine.CommandMeasure})
		case moveLeave:
			w.order(p, refine.Command{Kind: refine.CommandLeave})
		case moveCrash:
			w.crash(p)
		case moveSettle:
			w.rest()
		}
	})
	switch n := len(w.net); m.Kind {
	case moveDeliver:
		if n > 0 {
			w.deliver(int(m.What) % n)
		}
	case moveLose:
		if n > 0 {
			i := int(m.What) % n
			w.note("lose %v<-%v %s", w.net[i].To, w.net[i].From, refine.MessageText(w.net[i].Message))
			w.net = slices.Delete(w.net, i, i+1)
		}
	case moveRepeat:
		if n > 0 {
			w.hand(w.net[int(m.What)%n])
		}
	case moveRestart:
		pick(w.nodes, m.Who, func(p *process) {
			if !p.up || p.state.Departed {
				w.start(p)
			}
		})
	}
}

// chosen reads a number as a set of nodes, as they are called at present.
func (w *world) chosen(bits uint16) []protocol.NodeID {
	var ids []protocol.NodeID
	for i, p := range w.nodes {
		if bits>>i&1 == 1 {
			ids = append(ids, p.state.ID)
		}
	}
	return ids
}
