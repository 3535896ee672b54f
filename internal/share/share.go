package share

import (
	"errors"
	"fmt"
	"os"
)

// Variable is the variable of the environment that names a share, such as "2/4".
const Variable = "CANVASS_SHARE"

// ErrShare says that a text names no share.
var ErrShare = errors.New("not a share")

// Of returns the share of a list that the environment names: all if the variable is empty.
func Of[T any](all []T) ([]T, error) {
	text := os.Getenv(Variable)
	if text == "" {
		return all, nil
	}
	some, err := Named(all, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return some, nil
}

// Named returns the share of a list with a name: "i/n" is every nth item, from the ith on.
func Named[T any](all []T, name string) (some []T, err error) {
	var i, n int
	if _, err := fmt.Sscanf(name, "%d/%d", &i, &n); err != nil || i < 1 || i > n || name != fmt.Sprintf("%d/%d", i, n) {
		return nil, fmt.Errorf("%w: %q; want a number of shares and which one, such as 2/4", ErrShare, name)
	}
	for ; i <= len(all); i += n {
		some = append(some, all[i-1])
	}
	return some, nil
}
