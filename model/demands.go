package model

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
)

// StateProperties lists what some systems demand of single states, each property once, as the first of them
// says it: those whose shape is Always or Quiescent. A simulator can hold a running system to them.
func StateProperties(systems []Checkable) []checker.Property {
	var all []checker.Property
	for _, s := range systems {
		for _, p := range s.Model().Properties() {
			known := slices.ContainsFunc(all, func(q checker.Property) bool { return q.Name == p.Name })
			if !known && (p.Shape == checker.Always || p.Shape == checker.Quiescent) {
				all = append(all, p)
			}
		}
	}
	return all
}
