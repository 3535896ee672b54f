package nemesis

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

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
	for i := range e.Plan.Nodes {
		found, _ := filepath.Glob(filepath.Join(e.grid.Data(i), "flight", "*.cfr")) // the pattern is a good one
		files = append(files, found...)
	}
	all, err := parts(files, mostMerged)
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

// parts are files of records, of so many or few more each, in the order in which their lives have
// begun. Each part begins in the middle of the one before. A life is in a part as a whole.
func parts(files []string, most int) (all [][]string, err error) {
	type life struct {
		name  string
		files []string
		at    time.Duration // when it began
	}
	var lives []life
	for _, file := range files {
		r, err := flight.Open(file)
		if err != nil {
			return nil, err
		}
		h := r.Header
		if err := r.Close(); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(lives, func(l life) bool { return l.name == h.Life })
		if i < 0 {
			i, lives = len(lives), append(lives, life{name: h.Life, at: h.At})
		}
		lives[i].files, lives[i].at = append(lives[i].files, file), min(lives[i].at, h.At)
	}
	slices.SortFunc(lives, func(a, b life) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name)) })
	for from := 0; from < len(lives); {
		var part []string
		to := from
		for ; to < len(lives) && len(part) < most; to++ {
			part = append(part, lives[to].files...)
		}
		all = append(all, part)
		if to == len(lives) {
			break
		}
		from += (to - from + 1) / 2
	}
	return all, nil
}
