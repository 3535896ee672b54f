package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
)

// Brief describes a plan in one line, for people: its nodes, its operations, and the faults of
// messages and clocks. Scenarios without a clock have a description of their own: see
// [Scenario.Bounds].
func (p *Plan) Brief() string {
	parts := []string{english.Count(p.Nodes, "node")}
	if p.Founders > 0 && p.Founders < p.Nodes {
		parts[0] += fmt.Sprintf(", %d of them members from the beginning", p.Founders)
	}
	if done := p.done(); done != "" {
		parts = append(parts, done)
	}
	parts = append(parts, "latency "+p.Latency+" (microseconds)")
	for _, rate := range []struct {
		what      string
		inMillion uint32
	}{{"dropped", p.Drop}, {"duplicated", p.Duplicate}, {"delayed", p.Delay}} {
		if rate.inMillion > 0 && p.Faults == nil {
			parts = append(parts, fmt.Sprintf("%.2g %% of messages %s", float64(rate.inMillion)/10_000, rate.what))
		}
	}
	if n := len(p.Faults); n > 0 {
		parts = append(parts, english.Count(n, "message")+" dropped, duplicated or delayed")
	}
	if p.DriftPPM > 0 {
		parts = append(parts, fmt.Sprintf("clocks wrong by up to %d ppm", p.DriftPPM))
	}
	return strings.Join(parts, "; ")
}

// done counts the operations of each kind.
func (p *Plan) done() string {
	var kinds []string
	times := map[string]int{}
	for _, op := range p.Ops {
		if !slices.Contains(kinds, op.Do) {
			kinds = append(kinds, op.Do)
		}
		times[op.Do]++
	}
	for i, kind := range kinds {
		if n := times[kind]; n > 1 {
			kinds[i] = fmt.Sprintf("%d × %s", n, kind)
		}
	}
	return strings.Join(kinds, ", ")
}
