package report

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Versus compares a metric of a cell with that of its baseline, the same cell with other settings.
// Runs are paired by seed.
type Versus struct {
	Experiment string   `json:"experiment"`
	Cell       string   `json:"cell"`
	Against    string   `json:"against"` // the settings of the baseline
	Metric     string   `json:"metric"`
	Seeds      []uint64 `json:"seeds"`      // for which both have a value; one, if all seeds have the same run
	Over       lab.Over `json:"over"`       // the sources of chance
	Mean       *float64 `json:"mean"`       // over these seeds; null without any
	Baseline   *float64 `json:"baseline"`   // likewise
	Difference *Spread  `json:"difference"` // cell - baseline: the mean over seeds
	Ratio      *Spread  `json:"ratio"`      // cell / baseline: the geometric mean; null unless all are positive
	Lower      int      `json:"lower"`      // seeds for which the cell is below its baseline
	Equal      int      `json:"equal"`
	Higher     int      `json:"higher"`

	row *lab.Row // one of the cell
}

// Spread is an estimate with its 95 % interval, which a single seed does not have.
type Spread struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func spreadOf(e metric.Estimate) *Spread {
	if !e.Bounded() {
		return &Spread{Value: e.Value}
	}
	return &Spread{e.Value, &e.Low, &e.High}
}

// text writes the value and its interval.
func (s *Spread) text() string {
	switch {
	case s == nil:
		return "-"
	case s.Low == nil:
		return metric.Text(s.Value, 5)
	}
	return fmt.Sprintf("%s (%s to %s)", metric.Text(s.Value, 5), metric.Text(*s.Low, 4), metric.Text(*s.High, 4))
}

// Baseline is the settings that a sweep compares others with, as NAME=VALUE.
type Baseline []string

// Of returns a cell with the settings of the baseline.
func (b Baseline) Of(c lab.Cell) (lab.Cell, error) {
	for _, text := range b {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return c, usage.Errorf("--against %q: write NAME=VALUE: --against policy=easy", text)
		}
		if err := c.Set(name, value); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Runs adds the runs of the baselines to runs that lack them.
func (b Baseline) Runs(runs []lab.Run) ([]lab.Run, error) {
	listed := map[string]bool{}
	key := func(r lab.Run) string { return fmt.Sprintf("%s|%s|%d", r.Experiment, r.Cell, r.Seed) }
	for _, r := range runs {
		listed[key(r)] = true
	}
	all := runs
	for _, r := range runs {
		var err error
		if r.Cell, err = b.Of(r.Cell); err != nil {
			return nil, err
		}
		if !listed[key(r)] {
			listed[key(r)] = true
			all = append(all, r)
		}
	}
	return all, nil
}

// Against compares each metric of each cell with its baseline, in the order of the rows. Baselines
// are not compared with themselves, and a run without its baseline is ignored.
func (b Baseline) Against(rows []*lab.Row, metrics []string) ([]Versus, error) {
	byKey := map[string]*lab.Row{}
	for _, r := range rows {
		byKey[r.Key()] = r
	}
	cells, order := ByCell(rows)
	var all []Versus
	for _, key := range order {
		var own, base []*lab.Row
		for _, r := range cells[key] {
			of := *r
			var err error
			if of.Settings, err = b.Of(r.Settings); err != nil {
				return nil, err
			}
			if other := byKey[of.Key()]; other != nil && other != r {
				own, base = append(own, r), append(base, other)
			}
		}
		if len(own) == 0 {
			continue
		}
		for _, name := range metrics {
			v := versus(own, base, name)
			v.Against = strings.Join(b, " ")
			all = append(all, v)
		}
	}
	return all, nil
}

// versus compares a metric of runs with that of the runs beside them.
func versus(own, base []*lab.Row, name string) Versus {
	v := Versus{
		Experiment: own[0].Experiment, Cell: own[0].Settings.String(), Metric: name, Seeds: []uint64{},
		Over: lab.OverOf(append(append([]*lab.Row{}, own...), base...)), row: own[0],
	}
	var a, b, differences, ratios []float64
	for i, r := range own {
		x, errX := r.Value(name)
		y, errY := base[i].Value(name)
		if errX != nil || errY != nil || v.Over == lab.OneRun && len(v.Seeds) > 0 {
			continue
		}
		v.Seeds = append(v.Seeds, r.Seed)
		a, b, differences = append(a, x), append(b, y), append(differences, x-y)
		ratios = append(ratios, quotient(x, y))
		switch {
		case x < y:
			v.Lower++
		case x > y:
			v.Higher++
		default:
			v.Equal++
		}
	}
	if len(v.Seeds) == 0 {
		return v
	}
	mean, baseline := metric.AnyNumber.Mean(a).Value, metric.AnyNumber.Mean(b).Value
	v.Mean, v.Baseline = &mean, &baseline
	v.Difference = spreadOf(metric.AnyNumber.Mean(differences))
	if ratio, possible := metric.GeometricMean(ratios); possible {
		v.Ratio = spreadOf(ratio)
	}
	return v
}

// quotient is x/y if both are positive, and otherwise -1, for which there is no geometric mean.
func quotient(x, y float64) float64 {
	if x <= 0 || y <= 0 {
		return -1
	}
	return x / y
}

// VersusTable is a table of comparisons, a line for each.
func VersusTable(all []Versus, rows []*lab.Row) [][]string {
	varied := Varying(rows)
	t := [][]string{{"cell", "metric", "seeds", "mean", "baseline", "difference", "ratio", "lower, equal, higher"}}
	number := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return metric.Text(*x, 5)
	}
	for _, v := range all {
		t = append(t, []string{
			Apart(v.row, varied), v.Metric, fmt.Sprint(len(v.Seeds)), number(v.Mean), number(v.Baseline),
			v.Difference.text(), v.Ratio.text(), fmt.Sprintf("%d, %d, %d", v.Lower, v.Equal, v.Higher),
		})
	}
	return t
}
