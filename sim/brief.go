package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Brief says in a line, for people, what a plan is about: who is there, what is done, and what messages and clocks suffer. Actions of a walk
// are not what is done to it, but what it does.
func (p *Plan) Brief() string {
	parts := []string{numbered(p.Nodes, "node")}
	if p.Founders > 0 && p.Founders < p.Nodes {
		parts[0] += fmt.Sprintf(", %d of them from the beginning", p.Founders)
	}
	if done := p.done(); done != "" {
		parts = append(parts, done)
	}
	walk := p.UntilMicros == 0 && p.SettleMicros == 0
	if !walk {
		parts = append(parts, "latency "+p.Latency+" (microseconds)")
	}
	for _, rate := range []struct {
		what      string
		inMillion uint32
	}{{"lost", p.Lose}, {"repeated", p.Duplicate}, {"late", p.Delay}} {
		if rate.inMillion > 0 && p.Faults == nil {
			parts = append(parts, fmt.Sprintf("%.2g %% of messages %s", float64(rate.inMillion)/10_000, rate.what))
		}
	}
	if n := len(p.Faults); n > 0 {
		parts = append(parts, numbered(n, "message")+" lost, repeated or late")
	}
	if p.DriftPPM > 0 {
		parts = append(parts, fmt.Sprintf("clocks wrong by up to %d in a million", p.DriftPPM))
	}
	return strings.Join(parts, "; ")
}

// done counts the operations of each kind.
func (p *Plan) done() string {
	var kinds []string
	times := map[string]int{}
	for _, op := range p.Ops {
		if op.IsStep() {
			continue
		}
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

func numbered(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}
