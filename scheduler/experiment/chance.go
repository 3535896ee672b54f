package experiment

import "strings"

// Chance reports whether the result of the cell depends on the seed: if jobs, estimates, clusters
// or latencies are drawn. A decentralised policy draws the map, and when nodes have their turns.
func (c *Cell) Chance() bool {
	for _, s := range []struct {
		setting string
		drawn   func(value string) bool
	}{
		{"workload", func(v string) bool { return v != "" && !strings.HasPrefix(v, "swf:") }},
		{"predict", func(v string) bool { return v != "" }},
		{"select", func(v string) bool { return strings.Contains(v, "shake:") }},
		{"estimate", func(v string) bool { return strings.HasPrefix(v, "factor:") }},
		{"choice", func(v string) bool { return v == "random" }},
		{"policy", func(v string) bool { return v == "random" }},
	} {
		if s.drawn(c.Get(s.setting)) {
			return true
		}
	}
	_, runner, err := policyOf(c)
	return err == nil && runner.overlaps
}
