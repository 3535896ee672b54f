package model

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// Coverage reports what happened in the checks of a compiled system. A model that holds because
// little happens in it shows here.
type Coverage struct {
	Actions map[string]uint64 // transitions, by kind of action
	Events  []string          // names and details of all events but those of the first steps, sorted
	Known   []string          // the names of all events of the core; nil if the core does not list them
	Never   []string          // possible events that never happened, one line each
}

// Coverer is implemented by the models of compiled systems.
type Coverer interface {
	// Coverage sums up all checks of the model so far; the counts are those of [checker.Report].
	Coverage(classCounts []uint64) Coverage
}

// EventNamer is implemented by cores that can list the names of their events.
type EventNamer interface{ EventNames() []string }

var _ Coverer = (*compiled[int, int, int])(nil)

// Coverage implements [Coverer].
func (c *compiled[S, M, C]) Coverage(classCounts []uint64) Coverage {
	v := Coverage{Actions: map[string]uint64{}}
	count := func(kind actionKind, node int) uint64 { return classCounts[int(kind)*c.n+node] }
	for kind := range actionKinds {
		for node := range c.n {
			if n := count(kind, node); n > 0 {
				v.Actions[kind.String()] += n
			}
		}
	}
	for id := range c.results.Len() {
		r := c.results.Value(uint32(id))
		if atomic.LoadUint32(&r.taken) == 0 {
			continue
		}
		for _, e := range r.events {
			name := e.Name
			if e.Detail != "" {
				name += " " + e.Detail
			}
			if i, ok := slices.BinarySearch(v.Events, name); !ok {
				v.Events = slices.Insert(v.Events, i, name)
			}
		}
	}
	if core, ok := c.Core.(EventNamer); ok {
		v.Known = core.EventNames()
	}
	for node, n := range c.Nodes {
		given := func(other int) bool { return count(actCommand, other) > 0 }
		if len(n.Commands) > 0 && len(n.Commands[0]) > 0 && !slices.ContainsFunc(c.interchangeable(node), given) {
			v.Never = append(v.Never, fmt.Sprintf("%s never gets its command", n.Name))
		}
	}
	for kind := range actionKinds {
		if f, costs := kind.cost(); costs && c.Info.Budget.packed().left(f) && v.Actions[kind.String()] == 0 {
			v.Never = append(v.Never, fmt.Sprintf("%s never happens, although the budget allows it", kind))
		}
	}
	return v
}

// interchangeable lists the nodes of a node's symmetry group, itself included. Where a check
// explores one state of each orbit, an event at one node of a group stands for all.
func (c *compiled[S, M, C]) interchangeable(node int) []int {
	if c.orbits != nil {
		for _, group := range c.orbits.groups {
			if slices.Contains(group, node) {
				return group
			}
		}
	}
	return []int{node}
}
