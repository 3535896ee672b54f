package central

import (
	"fmt"
	"slices"
	"sort"
)

// profile is the number of free nodes of a cluster over time: steps in order of time, each of which
// lasts until the next begins, and the last forever. Neighbouring steps differ.
type profile struct {
	nodes int
	steps []step
}

type step struct {
	at   int64
	free int
}

func newProfile(nodes int) profile { return profile{nodes, []step{{0, nodes}}} }

// trim forgets what was before now.
func (p *profile) trim(now int64) {
	i := p.index(now)
	p.steps = p.steps[i:]
	p.steps[0].at = now
}

// index finds the step in which a time lies.
func (p *profile) index(at int64) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].at > at }) - 1
}

// end is when a step ends.
func (p *profile) end(i int) int64 {
	if i+1 < len(p.steps) {
		return p.steps[i+1].at
	}
	return never
}

// take lowers what is free between two times.
func (p *profile) take(from, to int64, nodes int) { p.add(from, to, -nodes) }

// give raises it.
func (p *profile) give(from, to int64, nodes int) { p.add(from, to, nodes) }

func (p *profile) add(from, to int64, nodes int) {
	if from >= to {
		return
	}
	first := p.split(from)
	last := p.split(to)
	for i := first; i < last; i++ {
		p.steps[i].free += nodes
		if free := p.steps[i].free; free < 0 || free > p.nodes {
			panic(fmt.Sprintf("central: a profile has %d of %d nodes free at %d µs", free, p.nodes, p.steps[i].at))
		}
	}
	p.join(last)
	p.join(first)
}

// split makes a step begin at a time and returns its index.
func (p *profile) split(at int64) int {
	i := p.index(at)
	if p.steps[i].at == at {
		return i
	}
	p.steps = slices.Insert(p.steps, i+1, step{at, p.steps[i].free})
	return i + 1
}

// join makes one of a step and the one before it, if both are equal.
func (p *profile) join(i int) {
	if i > 0 && p.steps[i-1].free == p.steps[i].free {
		p.steps = slices.Delete(p.steps, i, i+1)
	}
}

// earliest finds the first time at or after from, but before limit, from which the given number of
// nodes are free for a duration. Only the part of that duration before until counts. It returns
// limit if there is none.
func (p *profile) earliest(from, limit, until int64, nodes int, duration int64) int64 {
	at := from
	for i := p.index(from); at < limit; i++ {
		end := p.end(i)
		if p.steps[i].free < nodes {
			at = end
		} else if end >= until || end-at >= duration {
			return at
		}
	}
	return limit
}
