package mutants

import (
	"fmt"
	"os"
)

// Choice is the variable of the environment that says which mutants are tried: "all" of them, those
// at "even" or at "odd" places of a table, "none", or, if it is empty, a few. A mutant is a build
// of its own, and all of them take many minutes: "make test" tries a few, "make mutants" all, and
// CI the half that its commit picks.
const Choice = "CANVASS_MUTANTS"

// Chosen returns the mutants of a table that are to be tried: all, half of them, none, or so few
// that lie far apart.
func Chosen[T any](all []T, few int) (some []T, err error) {
	first, step := 0, 2
	switch choice := os.Getenv(Choice); choice {
	case "":
		step = (len(all) + few - 1) / few
	case "all":
		step = 1
	case "none":
		return nil, nil
	case "even":
	case "odd":
		first = 1
	default:
		return nil, fmt.Errorf("%s=%q: want all, even, odd, none, or nothing for a few", Choice, choice)
	}
	for i := first; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some, nil
}
