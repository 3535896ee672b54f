package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
)

// coverageObject is the coverage of a model in JSON.
type coverageObject struct {
	Actions map[string]uint64 `json:"actions"`             // transitions by kind
	Events  []string          `json:"events"`              // names and details of all events
	Never   []string          `json:"unreached,omitempty"` // possible actions and events that never occurred
	Former  []string          `json:"never,omitempty"`     // former name of unreached
}

// coverageTable lists, after all models, which actions and events occurred, and in how many models.
type coverageTable struct{ w io.Writer }

func (c *coverageTable) result(*result) error { return nil }

func (c *coverageTable) end(all []*result) error {
	actions, events, reached := map[string]uint64{}, map[string]uint64{}, map[string]bool{}
	var known []string
	for _, r := range all {
		if r.coverage == nil {
			continue
		}
		for kind, n := range r.coverage.Actions {
			actions[kind] += n
		}
		for _, e := range r.coverage.Events {
			events[e]++
			name, _, _ := strings.Cut(e, " ")
			reached[name] = true
		}
		known = append(known, r.coverage.Known...)
	}
	var b strings.Builder
	tally(&b, "ACTION", "TRANSITIONS", actions)
	tally(&b, "EVENT", "MODELS", events)
	slices.Sort(known)
	for _, name := range slices.Compact(known) {
		if !reached[name] {
			fmt.Fprintf(&b, "%-*s  %12s\n", len(name), name, "never")
		}
	}
	_, err := io.WriteString(c.w, b.String())
	return err
}

// tally writes counts under a title, by name.
func tally(b *strings.Builder, title, unit string, counts map[string]uint64) {
	names, width := make([]string, 0, len(counts)), len(title)
	for name := range counts {
		names = append(names, name)
		width = max(width, len(name))
	}
	slices.Sort(names)
	fmt.Fprintf(b, "\n%-*s  %12s\n", width, title, unit)
	for _, name := range names {
		fmt.Fprintf(b, "%-*s  %12s\n", width, name, english.Grouped(counts[name]))
	}
}
