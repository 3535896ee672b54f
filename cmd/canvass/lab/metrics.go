package lab

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// metrics is a flag of numbers of rows and of formulas. Commas divide it, but for those within
// parentheses.
type metrics []string

// String is the value, as it is written.
func (m *metrics) String() string { return strings.Join(*m, ",") }

// Set adds metrics.
func (m *metrics) Set(text string) error {
	depth, from := 0, 0
	for i, r := range text + "," {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && (depth <= 0 || i == len(text)):
			*m = append(*m, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return nil
}

// Type is the name of the value in help.
func (*metrics) Type() string { return "METRICS" }

// metricFlag adds --metric to a command that runs cells or judges rows.
func (c *common) metricFlag(flags *pflag.FlagSet) {
	flags.Var(&c.asked, "metric", "show these `METRICS`: numbers of rows by their names in JSON, or formulas over "+
		"jobs, as in p99(wait/requested); see canvass help formulas")
}

// readMetrics reads --metric. Formulas are computed in the runs.
func (c *common) readMetrics() (err error) {
	c.names, c.formulas, err = lab.ReadMetrics(c.asked)
	return err
}

// measured is a metric over the seeds of a cell.
type measured struct {
	Experiment string    `json:"experiment"`
	Cell       string    `json:"cell"`
	Metric     string    `json:"metric"`
	Seeds      []uint64  `json:"seeds"`
	Values     []float64 `json:"values"` // by seed, of those for which it is defined
}

// metricTable writes the metrics of cells, with their experiments.
func metricTable(out *cli.Output, rows []*lab.Row, names []string) error {
	cells, order := report.ByCell(rows)
	t := [][]string{append([]string{"experiment", "cell", "seeds"}, names...)}
	for _, key := range order {
		some := cells[key]
		line := []string{some[0].Experiment, some[0].Settings.String(), fmt.Sprint(len(some))}
		for _, name := range names {
			line = append(line, report.Mean(some, name))
			m := measured{Experiment: line[0], Cell: line[1], Metric: name, Seeds: []uint64{}, Values: []float64{}}
			for _, r := range some {
				if v, err := r.Value(name); err == nil {
					m.Seeds, m.Values = append(m.Seeds, r.Seed), append(m.Values, v)
				}
			}
			if out.WantsJSON() {
				if err := out.JSON(m); err != nil {
					return err
				}
			}
		}
		t = append(t, line)
	}
	if out.WantsJSON() {
		return nil
	}
	return out.Table(&cli.Table{Rows: t})
}

// helpWidth is the longest line of the help about formulas.
const helpWidth = 78

// Formulas is the help about formulas in --metric.
func Formulas() string {
	var t [][]string
	for _, f := range metric.Fields() {
		t = append(t, []string{"  " + f.Name, f.Doc})
	}
	var b strings.Builder
	b.WriteString("With --metric, formulas measure the jobs of a run that --trim counts:\n\n" +
		"  p99(wait/requested)\n  mean(wait where nodes >= 64)/mean(wait)\n  share(wait > 3600 and run < 60)\n" +
		"  exp(mean(log(bsld)))\n\nThe fields of a job are:\n\n")
	if err := cli.NewOutput(&b).Table(&cli.Table{Rows: t}); err != nil {
		panic(err) // a builder takes all that is written
	}
	b.WriteString(`
Operators are + - * /, < <= > >= == != and and, or, not. min(x, y), max(x, y), log(x) and exp(x) are
of one job. Statistics are mean(x), median(x), p90(x) or any percentile, min(x), max(x), sd(x), sum(x),
share(condition), count(condition) and count(). With where, as in mean(wait where nodes == 1), they are
about some of the jobs. Percentiles are nearest ranks.

A field that the log does not have, a division by zero, the log of 0 or less, and a result that is too
large (exp(800)) are unknown. So is all that follows from them, but "or" holds if one side holds, and
"and" does not if one side does not. Statistics leave unknown values out: count(requested > 0) tells how
many jobs have one. The sd of one value is unknown. With canvass lab plot --kind cdf, a formula has a
value for each job: wait/requested.

--metric also takes the numbers of rows by their names in JSON:

`)
	line := " "
	for _, name := range lab.Numbers() {
		if len(line)+1+len(name) > helpWidth {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + name
	}
	b.WriteString(line)
	return b.String()
}
