package reading

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
)

// ErrReading is wrapped by every error about an interpretation that does not exist.
var ErrReading = errors.New("no such interpretation")

// FIFO is the part of an ending for links that keep the order of their messages.
const FIFO = "fifo"

// The name of a reading without parts.
const none = "letter"

// Only is the reading of an algorithm that can be read in one way.
type Only struct{}

// String returns the name of a reading without parts.
func (Only) String() string { return none }

// Suffix returns the ending of the name of a model: "" or "@clears+fifo".
func Suffix(r fmt.Stringer, fifo bool) string {
	parts := partsOf(r.String())
	if fifo {
		parts = append(parts, FIFO)
	}
	if len(parts) == 0 {
		return ""
	}
	return "@" + strings.Join(parts, "+")
}

// Network is that of a model whose links keep the order of their messages, or do not.
func Network(fifo bool) model.Network {
	if fifo {
		return model.FIFO
	}
	return model.Unordered
}

// Every returns all endings: first those with links that keep no order, then the others.
func Every[R fmt.Stringer](every []R) []string {
	var all []string
	for _, fifo := range [...]bool{false, true} {
		for _, r := range every {
			all = append(all, Suffix(r, fifo))
		}
	}
	return all
}

// Parse returns the reading that an ending names, and whether it has links that keep the order. The
// parts may be in any order.
func Parse[R fmt.Stringer](ending string, every []R) (r R, fifo bool, err error) {
	var parts []string
	if ending != "" {
		parts = partsOf(strings.TrimPrefix(ending, "@"))
	}
	for i, part := range parts {
		switch {
		case part == none:
			return r, false, refused(fmt.Sprintf("%q excludes every other interpretation", none), every)
		case part != FIFO && !slices.Contains(partsIn(every), part):
			return r, false, refused(fmt.Sprintf("there is no interpretation %q", part), every)
		case slices.Contains(parts[:i], part):
			return r, false, refused(fmt.Sprintf("the interpretation %q occurs twice", part), every)
		}
	}
	fifo = slices.Contains(parts, FIFO)
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == FIFO })
	slices.Sort(parts)
	for _, r := range every {
		if slices.Equal(slices.Sorted(slices.Values(partsOf(r.String()))), parts) {
			return r, fifo, nil
		}
	}
	return r, false, refused(fmt.Sprintf("the interpretations %s exclude each other", strings.Join(parts, " and ")), every)
}

// partsOf takes an ending apart. One without parts is "letter".
func partsOf(ending string) []string {
	if ending == none {
		return nil
	}
	return strings.Split(ending, "+")
}

// partsIn lists the parts of all readings, in the order in which they first appear.
func partsIn[R fmt.Stringer](every []R) []string {
	var all []string
	for _, r := range every {
		for _, part := range partsOf(r.String()) {
			if !slices.Contains(all, part) {
				all = append(all, part)
			}
		}
	}
	return all
}

func refused[R fmt.Stringer](why string, every []R) error {
	return fmt.Errorf("%w: %s; any of these may follow the @, joined by +: %s (ordered links)",
		ErrReading, why, strings.Join(append(partsIn(every), FIFO), ", "))
}
