package model

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
)

// StateProperties lists the properties of some systems that concern single states: those of shape
// Always or Quiescent. A property of several systems is listed once, with the documentation of the
// first. A simulator can check a running system against them.
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
