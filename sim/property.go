package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
)

// PropertyOf returns the property of that name of a world.
func PropertyOf(w World, name string) (p checker.Property, ok bool) {
	all := w.Properties()
	i := slices.IndexFunc(all, func(p checker.Property) bool { return p.Name == name })
	if i < 0 {
		return p, false
	}
	return all[i], true
}

// ShapeOf is the shape of a property of a world, by the names of package traces, or "" if the world
// has no such property.
func ShapeOf(w World, name string) string {
	if p, ok := PropertyOf(w, name); ok {
		return p.Shape.String()
	}
	return ""
}

// Choose returns the properties of some names, which are parted by spaces, from lists of them. It
// panics if one is in none.
func Choose(names string, from ...[]checker.Property) []checker.Property {
	var chosen []checker.Property
	all := slices.Concat(from...)
	for _, name := range strings.Fields(names) {
		i := slices.IndexFunc(all, func(p checker.Property) bool { return p.Name == name })
		if i < 0 {
			panic(fmt.Sprintf("sim: there is no property %s", name))
		}
		chosen = append(chosen, all[i])
	}
	return chosen
}
