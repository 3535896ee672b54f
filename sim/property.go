package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
)

// Choose returns the properties with the given names, which are separated by spaces, from several
// lists. It panics if no list has one of them.
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
