package lab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// mostLines bounds a summary: the rest is in the rows.
const mostLines = 24

// summary writes a line for each cell: means over its seeds, with their 95 % intervals.
func (env Env) summary(rows []*experiment.Row) error {
	cells, order := byCell(rows)
	if common := shared(rows); len(common) > 0 {
		fmt.Fprintln(env.Stdout, strings.Join(common, " "))
	}
	varied := varying(rows)
	t := table{{"cell", "seeds", "done", "excluded", "mean wait, s", "mean bounded slowdown", "utilisation"}}
	for _, key := range order[:min(len(order), mostLines)] {
		some := cells[key]
		t = append(t, []string{
			apart(some[0], varied), fmt.Sprint(len(some)), fmt.Sprint(some[0].Summary.Done), excluded(some[0]),
			interval(some, func(r *experiment.Row) float64 { return r.Summary.Wait.Mean }),
			interval(some, func(r *experiment.Row) float64 { return r.Summary.BoundedSlowdown.Mean }),
			interval(some, func(r *experiment.Row) float64 { return r.Summary.Utilisation }),
		})
	}
	if err := t.write(env.Stdout); err != nil {
		return err
	}
	if n := len(order) - mostLines; n > 0 {
		fmt.Fprintf(env.Stdout, "and %d more cells; --json shows all\n", n)
	}
	if slices.ContainsFunc(rows, balancesOneCluster) {
		fmt.Fprintln(env.Stdout, "all nodes are one cluster, within which moves of jobs gain little; a platform with "+
			"several, such as --platform sharcnet, shows what they are for")
	}
	env.messages(rows)
	env.cleaned(rows)
	return env.reasons(rows)
}

// balancesOneCluster reports whether a decentralised policy had no other cluster to move jobs to. A
// log without a platform is run on one cluster.
func balancesOneCluster(r *experiment.Row) bool {
	c := &r.Settings
	platform := c.Get("platform")
	one := platform == "" || strings.HasPrefix(platform, "pool:") || c.Get("pool") == "yes"
	return r.Decentralised != nil && c.Get("policy") != "static" && one && c.Get("clustering") == "actual"
}

// mostCleaned bounds the workloads of which a summary says what was left out.
const mostCleaned = 3

// cleaned writes what reading and selecting left out of each workload, or changed.
func (env Env) cleaned(rows []*experiment.Row) {
	var said []string
	for _, r := range rows {
		if len(r.Changes) == 0 {
			continue
		}
		var all []string
		for _, c := range r.Changes {
			all = append(all, fmt.Sprintf("%s %s", english.Count(c.Jobs, "job"), c.What))
		}
		if text := r.Source + ": " + strings.Join(all, "; "); !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	for _, text := range said[:min(len(said), mostCleaned)] {
		fmt.Fprintln(env.Stdout, text)
	}
	if n := len(said) - mostCleaned; n > 0 {
		fmt.Fprintf(env.Stdout, "jobs of %s more were left out or changed; --json shows all\n", english.Count(n,
			"workload"))
	}
}

// mostReasons bounds the reasons that a summary lists: one for each size of job is possible.
const mostReasons = 3

// reasons writes why jobs were never started, the most frequent reasons of the first row that has
// any.
func (env Env) reasons(rows []*experiment.Row) error {
	at := slices.IndexFunc(rows, func(r *experiment.Row) bool { return len(r.Summary.Excluded) > 0 })
	if at < 0 {
		return nil
	}
	all := rows[at].Summary.Excluded
	order := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a, b))
	})
	for _, reason := range order[:min(len(order), mostReasons)] {
		fmt.Fprintf(env.Stdout, "%s excluded: %s\n", english.Count(all[reason], "job"), reason)
	}
	if n := len(order) - mostReasons; n > 0 {
		fmt.Fprintf(env.Stdout, "%s beside these; --json shows all\n", english.Count(n, "reason"))
	}
	if first := rows[at].FirstExcluded; len(first) > 0 {
		var numbers []string
		for _, n := range first {
			numbers = append(numbers, fmt.Sprint(n))
		}
		fmt.Fprintf(env.Stdout, "the first of them by number: %s; --jobs-out lists all\n", strings.Join(numbers, ", "))
	}
	return nil
}

// byCell groups rows by their cells, and lists the cells in the order in which they occur.
func byCell(rows []*experiment.Row) (cells map[string][]*experiment.Row, order []string) {
	cells = map[string][]*experiment.Row{}
	for _, r := range rows {
		key := cellKey(r)
		if cells[key] == nil {
			order = append(order, key)
		}
		cells[key] = append(cells[key], r)
	}
	return cells, order
}

// cellKey identifies the cell of a row.
func cellKey(r *experiment.Row) string { return r.Experiment + " " + r.Settings.String() }

// excluded counts the jobs that were never started.
func excluded(r *experiment.Row) string {
	n := 0
	for _, jobs := range r.Summary.Excluded {
		n += jobs
	}
	return fmt.Sprint(n)
}

// parts are the settings of a row that differ from their defaults.
func parts(r *experiment.Row) []string {
	var all []string
	for _, s := range experiment.Settings() {
		if v := r.Settings.Get(s.Name); v != s.Default {
			all = append(all, s.Name+"="+v)
		}
	}
	return all
}

// shared are the settings that all rows have in common.
func shared(rows []*experiment.Row) []string {
	if len(rows) == 0 {
		return nil
	}
	all := parts(rows[0])
	for _, r := range rows[1:] {
		own := parts(r)
		all = slices.DeleteFunc(all, func(s string) bool { return !slices.Contains(own, s) })
	}
	return all
}

// apart names a row by the settings that vary among the rows beside it.
func apart(r *experiment.Row, varied []string) string {
	if len(varied) == 0 {
		varied = []string{"policy"}
	}
	var own []string
	for _, name := range varied {
		text := name + "=" + r.Settings.Get(name)
		if name == "policy" { // what most readers look for comes first
			own = append([]string{text}, own...)
		} else {
			own = append(own, text)
		}
	}
	return strings.Join(own, " ")
}

// varying lists the settings that do not have one value in all rows.
func varying(rows []*experiment.Row) []string {
	var all []string
	for _, s := range experiment.Settings() {
		if slices.ContainsFunc(rows, func(r *experiment.Row) bool {
			return r.Settings.Get(s.Name) != rows[0].Settings.Get(s.Name)
		}) {
			all = append(all, s.Name)
		}
	}
	return all
}

// interval is a mean over seeds with half the width of its 95 % interval.
func interval(rows []*experiment.Row, value func(*experiment.Row) float64) string {
	var all []float64
	for _, r := range rows {
		all = append(all, value(r))
	}
	mean, low, high := metric.Interval(all)
	if len(all) < 2 || low == high {
		return metric.Text(mean, 6)
	}
	return metric.Text(mean, 5) + " ± " + metric.Text((high-low)/2, 2)
}
