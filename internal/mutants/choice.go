package mutants

import (
	"fmt"
	"os"
)

// Choice is the variable of the environment that says which mutants are tried: "all" of them, a
// share such as "2/4", "none", or, if it is empty, a few. A mutant is a build of its own, and all
// of them take many minutes: "make test" tries a few, "make mutants" all, and CI the sixth that
// its commit picks.
const Choice = "CANVASS_MUTANTS"

// Chosen returns the mutants of a table that are to be tried: all, a share, none, or so few that
// lie far apart. The shares 1/n to n/n together are all.
func Chosen[T any](all []T, few int) (some []T, err error) {
	first, step := 0, 1
	switch choice := os.Getenv(Choice); choice {
	case "":
		step = (len(all) + few - 1) / few
	case "all":
	case "none":
		return nil, nil
	default:
		if _, err := fmt.Sscanf(choice, "%d/%d", &first, &step); err != nil || first < 1 || first > step ||
			choice != fmt.Sprintf("%d/%d", first, step) {
			return nil, fmt.Errorf("%s=%q: want all, none, a share such as 2/4, or nothing for a few", Choice, choice)
		}
		first--
	}
	for i := first; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some, nil
}
