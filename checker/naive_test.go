package checker_test

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
)

// naive decides properties of drawn models by the definitions, at any cost: cycles are found by
// trying all sets of states. It shares no code with the engine.
type naive struct {
	*drawn
	dist   map[int]int // of the reachable states
	parent map[int]int // in the tree of a sequential breadth-first search
	edges  int
}

func newNaive(m *drawn) *naive {
	n := &naive{drawn: m, dist: map[int]int{}, parent: map[int]int{}}
	var queue []int
	for _, s := range m.initial {
		if _, ok := n.dist[s]; !ok {
			n.dist[s], n.parent[s] = 0, -1
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, a := range m.edges[s] {
			n.edges++
			if _, ok := n.dist[a.to]; !ok {
				n.dist[a.to], n.parent[a.to] = n.dist[s]+1, s
				queue = append(queue, a.to)
			}
		}
	}
	return n
}

// route is the path to a state in the breadth-first tree.
func (n *naive) route(s int) []int {
	if s < 0 {
		return nil
	}
	return append(n.route(n.parent[s]), s)
}

// nearest is the least distance of a state that satisfies pred, or -1.
func nearest(dist map[int]int, pred func(s int) bool) int {
	best := -1
	for s, d := range dist {
		if pred(s) && (best < 0 || d < best) {
			best = d
		}
	}
	return best
}

// answer returns the verdict on a complete search and the number of steps that the evidence takes
// before it loops or ends, -1 if there is none.
func (n *naive) answer(r rule) (checker.Verdict, int) {
	holds := func(s int) bool { return in(r.holds, s) }
	evidence := -1
	switch r.Shape {
	case checker.Sometimes:
		if evidence = nearest(n.dist, holds); evidence < 0 {
			return checker.Violated, -1
		}
		return checker.Holds, evidence
	case checker.Always:
		evidence = nearest(n.dist, func(s int) bool { return !holds(s) })
	case checker.Quiescent:
		evidence = nearest(n.dist, func(s int) bool { return in(n.quiet, s) && !holds(s) })
	case checker.DeadlockFree:
		evidence = nearest(n.dist, func(s int) bool { return len(n.drawn.edges[s]) == 0 && !in(n.terminal, s) })
	case checker.Reaches:
		evidence = nearest(n.dist, func(s int) bool { return in(r.triggers, s) && !n.canReach(s, r) })
	case checker.AlmostSurely:
		evidence = nearest(n.openDist(r), func(s int) bool { return !n.canReach(s, r) })
	case checker.LeadsTo:
		stuck := n.stuck(r)
		evidence = nearest(n.openDist(r), func(s int) bool { return stuck[s] })
	}
	if evidence < 0 {
		return checker.Holds, -1
	}
	return checker.Violated, evidence
}

// canReach reports whether a goal can be reached from s.
func (n *naive) canReach(s int, r rule) bool {
	seen := map[int]bool{}
	var visit func(s int) bool
	visit = func(s int) bool {
		if in(r.holds, s) {
			return true
		}
		if seen[s] {
			return false
		}
		seen[s] = true
		for _, a := range n.drawn.edges[s] {
			if visit(a.to) {
				return true
			}
		}
		return false
	}
	return visit(s)
}

// openDist searches the product of the model with a bit that records whether an obligation is open.
func (n *naive) openDist(r rule) map[int]int {
	type point struct {
		state int
		open  bool
	}
	step := func(open bool, s int) point {
		return point{s, (open || in(r.triggers, s)) && !in(r.holds, s)}
	}
	dist := map[point]int{}
	var queue []point
	for _, s := range n.initial {
		p := step(false, s)
		dist[p] = 0
		queue = append(queue, p)
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, a := range n.drawn.edges[p.state] {
			q := step(p.open, a.to)
			if _, ok := dist[q]; !ok {
				dist[q] = dist[p] + 1
				queue = append(queue, q)
			}
		}
	}
	open := map[int]int{}
	for p, d := range dist {
		if p.open {
			open[p.state] = d
		}
	}
	return open
}

// stuck returns the states in which, without a goal, a run can end or stay forever and be fair.
func (n *naive) stuck(r rule) map[int]bool {
	stuck := map[int]bool{}
	for s, arrows := range n.drawn.edges {
		lasts := slices.ContainsFunc(arrows, func(a arrow) bool {
			c := n.Classes()[a.class]
			return !c.Finite && !c.Optional
		})
		if !lasts && !in(r.holds, s) {
			stuck[s] = true
		}
	}
	for subset := 1; subset < 1<<len(n.drawn.edges); subset++ {
		if !n.fairCycle(subset, r) {
			continue
		}
		for s := range n.drawn.edges {
			if subset>>s&1 == 1 {
				stuck[s] = true
			}
		}
	}
	return stuck
}

// fairCycle reports whether some fair run without a goal passes exactly these states forever.
func (n *naive) fairCycle(subset int, r rule) bool {
	met := make([]bool, len(n.Classes()))
	taken := make([]bool, len(met))
	somewhere := make([]bool, len(met))
	for s, arrows := range n.drawn.edges {
		if subset>>s&1 == 0 {
			continue
		}
		if in(r.holds, s) || n.closure(s, subset) != subset {
			return false
		}
		enabled := make([]bool, len(met))
		for _, a := range arrows {
			enabled[a.class], somewhere[a.class] = true, true
			inside := subset>>a.to&1 == 1 && !n.Classes()[a.class].Finite
			taken[a.class] = taken[a.class] || inside
			met[a.class] = met[a.class] || inside
		}
		for class := range met {
			met[class] = met[class] || !enabled[class]
		}
	}
	for class, c := range n.Classes() {
		if c.Fair && !met[class] || c.Strong && somewhere[class] && !taken[class] {
			return false
		}
	}
	return true
}

// closure is the set of states reachable from s in at least one step without leaving the subset.
func (n *naive) closure(s, subset int) int {
	reached := 0
	var visit func(s int)
	visit = func(s int) {
		for _, a := range n.drawn.edges[s] {
			if bit := 1 << a.to; subset&bit != 0 && reached&bit == 0 && !n.Classes()[a.class].Finite {
				reached |= bit
				visit(a.to)
			}
		}
	}
	visit(s)
	return reached
}
