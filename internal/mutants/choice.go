package mutants

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/internal/share"
)

// Choice is the variable of the environment that says which mutants are tried: "all" of them, some
// by name with commas between them, a share such as "2/4", "none", or, if it is empty, a few. All
// of them take minutes: "make test" tries a few, "make mutants" all.
const Choice = "CANVASS_MUTANTS"

// Chosen returns the mutants of a table that are to be tried: all, a share, none, or so few that
// lie far apart. The shares 1/n to n/n together are all.
func Chosen[T any](all []T, few int, edit func(T) mutation.Edit) (some []T, err error) {
	switch choice := os.Getenv(Choice); choice {
	case "":
		return share.Named(all, fmt.Sprintf("1/%d", max(1, (len(all)+few-1)/few)))
	case "all":
		return all, nil
	case "none":
		return nil, nil
	default:
		if strings.Contains(choice, "/") {
			some, err = share.Named(all, choice)
			if err != nil {
				return nil, fmt.Errorf("%s: %w; or all, none, names, or nothing for a few", Choice, err)
			}
			return some, nil
		}
		names := strings.Split(choice, ",")
		return slices.DeleteFunc(slices.Clone(all), func(m T) bool { return !slices.Contains(names, edit(m).Name) }), nil
	}
}
