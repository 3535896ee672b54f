package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
)

// seeds is how often a change is measured if its cost depends on the seed: several takers of one
// zone disturb each other, and retry after random delays.
const seeds = 11

// row is one change on one map.
type row struct {
	layout
	change     string
	neighbours int
	published  []cost // one a seed
	corrected  []cost
}

// rows measures everything.
func rows() ([]row, error) {
	var all []row
	for _, l := range layouts() {
		for _, change := range changes {
			times := uint64(1)
			if change == crash && l.takers > 1 {
				times = seeds
			}
			r, err := measuredRow(l, change, times)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	return all, nil
}

func measuredRow(l layout, change string, times uint64) (row, error) {
	r := row{layout: l, change: change}
	for seed := range times {
		was, err := measured(&l, transcribed(&l), change, seed)
		if err != nil {
			return r, fmt.Errorf("published: %w", err)
		}
		c := corrected(&l)
		is, err := measured(&l, c, change, seed)
		if err != nil {
			return r, fmt.Errorf("corrected: %w", err)
		}
		r.published, r.corrected = append(r.published, was), append(r.corrected, is)
		r.neighbours = len(c.view(c.members[l.subject].state).Known)
	}
	return r, nil
}

const header = `| map | N_L | what | messages | bytes | owned after | known after |
|---|---|---|---|---|---|---|
`

// canTable is the table of the page. In each cell the published protocol comes first.
func canTable(all []row) string {
	var b strings.Builder
	b.WriteString(header)
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |", r.name, r.neighbours, r.change,
			r.pair("", func(c cost) int64 { return int64(c.messages) }),
			r.pair("", func(c cost) int64 { return int64(c.bytes) }))
		if r.change == updates {
			b.WriteString(" – | – |\n")
			continue
		}
		fmt.Fprintf(&b, " %s | %s |\n",
			r.pair(" ms", func(c cost) int64 { return c.owned / 1000 }),
			r.pair(" ms", func(c cost) int64 { return c.known / 1000 }))
	}
	return b.String()
}

// pair is a figure of the published protocol and of the corrected one.
func (r *row) pair(unit string, figure func(cost) int64) string {
	return spread(r.published, figure) + ", **" + spread(r.corrected, figure) + "**" + unit
}

// spread is the median of a figure, with the range in brackets if seeds differ.
func spread(costs []cost, figure func(cost) int64) string {
	var sorted []uint64
	for _, c := range costs {
		sorted = append(sorted, uint64(figure(c)))
	}
	slices.Sort(sorted)
	least, median, most := sorted[0], sorted[len(sorted)/2], sorted[len(sorted)-1]
	if least == most {
		return english.Grouped(median)
	}
	return fmt.Sprintf("%s (%s–%s)", english.Grouped(median), english.Grouped(least), english.Grouped(most))
}
