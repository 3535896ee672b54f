package mutants

import (
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/internal/share"
)

// Choice is the variable of the environment that says which mutants are tried: "all" of them, a
// share such as "2/4", "none", or, if it is empty, a few. A mutant is a build of its own, and all
// of them take many minutes: "make test" tries a few, "make mutants" all, and CI the share that
// its commit picks.
const Choice = "CANVASS_MUTANTS"

// Chosen returns the mutants of a table that are to be tried: all, a share, none, or so few that
// lie far apart. The shares 1/n to n/n together are all.
func Chosen[T any](all []T, few int) (some []T, err error) {
	switch choice := os.Getenv(Choice); choice {
	case "":
		return share.Named(all, fmt.Sprintf("1/%d", max(1, (len(all)+few-1)/few)))
	case "all":
		return all, nil
	case "none":
		return nil, nil
	default:
		if some, err = share.Named(all, choice); err != nil {
			return nil, fmt.Errorf("%s: %w; or all, none, or nothing for a few", Choice, err)
		}
		return some, nil
	}
}
