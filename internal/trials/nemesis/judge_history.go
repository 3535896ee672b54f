package main

import (
	"fmt"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/traces"
)

// mostMerged bounds the records that are merged: a trace has the states of all lives in each step.
const mostMerged = 80

// merged: the records of all daemons are those of one run, in which no zones overlap and no job
// runs in two attempts. The records of a long run are merged in parts.
func (e *evidence) merged() Judgement {
	var f finding
	var files []string
	for _, folder := range e.folders() {
		found, _ := filepath.Glob(filepath.Join(folder, "flight", "*.cfr")) // the pattern is a good one
		files = append(files, found...)
	}
	all, err := flight.Parts(files, mostMerged)
	if err != nil {
		f.add("%v", err)
	}
	steps, unseen := 0, 0
	for n, part := range all {
		m, err := flight.Merge(part, fmt.Sprintf("nemesis, seed %d, part %d", e.Plan.Seed, n+1))
		if err != nil {
			f.add("%v", err)
		} else if m.Trace.Header.Verdict == traces.Violated {
			f.add("part %d: %s does not hold after step %d", n+1, m.Trace.Header.Property, m.Steps)
		}
		steps, unseen = steps+m.Steps, unseen+m.Unseen
	}
	return f.as("J6b OneHistory", fmt.Sprintf("%d records in %d parts: %d steps, each enabled; the sending of "+
		"%d messages is in no record", len(files), len(all), steps, unseen))
}
