package lab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// mostLines bounds a summary: the rest is in the rows.
const mostLines = 24

// usualMetrics are shown without --metric.
var usualMetrics = []string{"mean_wait_seconds", "mean_bsld", "utilisation"}

// summary writes a line for each cell: means of metrics over its seeds, with their 95 % intervals.
// Without metrics, it has three that most readers want.
func (env Env) summary(rows []*lab.Row, names []string) error {
	cells, order := report.ByCell(rows)
	if common := report.Shared(rows); len(common) > 0 {
		fmt.Fprintln(env.Stdout, strings.Join(common, " "))
	}
	varied := report.Varying(rows)
	labels := names
	if len(names) == 0 {
		names = usualMetrics
		labels = []string{"mean wait, s", "mean bounded slowdown", "utilisation"}
	}
	t := [][]string{append([]string{"cell", "seeds", "done", "excluded"}, labels...)}
	for _, key := range order[:min(len(order), mostLines)] {
		some := cells[key]
		line := []string{
			report.Apart(some[0], varied), fmt.Sprint(len(some)), fmt.Sprint(some[0].Summary.Done), excluded(some[0]),
		}
		for _, name := range names {
			line = append(line, report.Mean(some, name))
		}
		t = append(t, line)
	}
	if err := env.Stdout.Table(&cli.Table{Rows: t}); err != nil {
		return err
	}
	if n := len(order) - mostLines; n > 0 {
		fmt.Fprintf(env.Stdout, "and %d more cells; --json shows all\n", n)
	}
	if slices.ContainsFunc(rows, balancesOneCluster) {
		fmt.Fprintln(env.Stdout, "all nodes are one cluster, within which moves of jobs gain little; a platform with "+
			"several, such as --platform sharcnet, shows their purpose")
	}
	env.messages(rows)
	env.headers(rows)
	env.cleaned(rows)
	return env.reasons(rows)
}

// balancesOneCluster reports whether a decentralised policy had no other cluster to move jobs to.
func balancesOneCluster(r *lab.Row) bool {
	return r.Decentralised != nil && r.Settings.Get("policy") != "static" && r.Settings.OneCluster()
}

// headers writes the used fields of the header of each log: the size of the machine if no other
// platform is named, and the number of processors of a node.
func (env Env) headers(rows []*lab.Row) {
	var said []string
	for _, r := range rows {
		if len(r.Header) == 0 || r.Settings.Get("platform") != "" && r.Settings.Get("unit") != "node" {
			continue
		}
		var all []string
		for _, h := range r.Header {
			if h.Derived == "" {
				all = append(all, h.String())
			}
		}
		if len(all) == 0 {
			continue
		}
		if text := r.Source + ": the header states " + strings.Join(all, "; "); !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	for _, text := range said[:min(len(said), mostCleaned)] {
		fmt.Fprintln(env.Stdout, text)
	}
	if n := len(said) - mostCleaned; n > 0 {
		fmt.Fprintf(env.Stdout, "headers of %s more were used; --json shows all\n", english.Count(n, "log"))
	}
}

// mostCleaned bounds the workloads for which a summary lists the jobs that were left out.
const mostCleaned = 3

// cleaned writes the jobs of each workload that reading and selecting left out or changed.
func (env Env) cleaned(rows []*lab.Row) {
	var said []string
	for _, r := range rows {
		if len(r.Changes) == 0 {
			continue
		}
		var all []string
		for _, c := range r.Changes {
			jobs := english.Count(c.Jobs, "job")
			if r.Settings.Get("select") != "" && isOfLog(c.What) {
				jobs += " of the whole log" // of which the selections may leave few
			}
			all = append(all, jobs+" "+c.What)
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

// isOfLog reports whether a change is by reading a log, as in "dropped: no run time", rather than
// by a selection, as in "left out by head:5".
func isOfLog(what string) bool {
	kind, _, found := strings.Cut(what, ": ")
	return found && !strings.Contains(kind, " by ") && kind != "excluded"
}

// mostReasons bounds the reasons that a summary lists: one for each size of job is possible.
const mostReasons = 3

// reasons writes why jobs were never started, the most frequent reasons of the first row that has
// any.
func (env Env) reasons(rows []*lab.Row) error {
	at := slices.IndexFunc(rows, func(r *lab.Row) bool { return len(r.Summary.Excluded) > 0 })
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

// excluded counts the jobs that were never started.
func excluded(r *lab.Row) string {
	n := 0
	for _, jobs := range r.Summary.Excluded {
		n += jobs
	}
	return fmt.Sprint(n)
}
