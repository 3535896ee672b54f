package report

import (
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// quantity is a number that changes when jobs are submitted, start or end.
type quantity struct {
	title, label string
	change       func(e *event) int
	unit         func(s *schedule) float64 // the size of its unit
	possible     metric.Range
}

// queue draws how many jobs wait, over time.
func (p *Figures) queue() ([]*plot.Figure, error) {
	return p.overTime(&quantity{
		"waiting jobs", "waiting jobs", func(e *event) int { return e.waiting },
		func(*schedule) float64 { return 1 }, metric.AtLeast0,
	})
}

// utilisation draws the share of nodes that are busy, over time.
func (p *Figures) utilisation() ([]*plot.Figure, error) {
	return p.overTime(&quantity{
		"utilisation", "busy nodes (share)", func(e *event) int { return e.busy },
		func(s *schedule) float64 { return float64(s.platform.Nodes()) }, metric.Share,
	})
}

// course is a quantity over the time of one run: from micros[i] on it has values[i].
type course struct {
	name, label string
	micros      []int64
	values      []float64
}

// courseOf follows a quantity through a run.
func (q *quantity) courseOf(s *schedule) course {
	c := course{name: s.name, label: s.label}
	total, unit := 0, q.unit(s)
	events := s.events()
	for i := range events {
		total += q.change(&events[i])
		if i+1 < len(events) && events[i+1].micros == events[i].micros {
			continue
		}
		c.micros, c.values = append(c.micros, events[i].micros), append(c.values, float64(total)/unit)
	}
	return c
}

func (c *course) span() int64 { return c.micros[len(c.micros)-1] - c.micros[0] }

// overTime draws a quantity over time: the steps of each run, or if cells have several seeds, means
// over seeds.
func (p *Figures) overTime(q *quantity) ([]*plot.Figure, error) {
	var courses []course
	var files []string
	averaged := false
	if err := p.each(func(s *schedule) error {
		if s.guessed {
			files = append(files, s.source)
		}
		averaged = averaged || s.label != s.name
		courses = append(courses, q.courseOf(s))
		return nil
	}); err != nil {
		return nil, err
	}
	draw := q.steps
	if averaged {
		draw = q.means
	}
	figure, err := draw(courses, func(what string) string { return p.caption(what, files) })
	if err != nil {
		return nil, usage.Errorf("%v", err)
	}
	return []*plot.Figure{figure}, nil
}

// steps draws each run, over the time since the first submission of all.
func (q *quantity) steps(courses []course, caption func(what string) string) (*plot.Figure, error) {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range courses {
		first, last = min(first, c.micros[0]), max(last, c.micros[len(c.micros)-1])
	}
	name, micros := timeUnit(last - first)
	spec := plot.StepsSpec{
		Title: q.title, YLabel: q.label, Caption: caption(""), XLabel: sinceFirst + " (" + name + ")",
		XTo: float64(last-first) / float64(micros),
	}
	for _, c := range courses {
		track := plot.Track{Name: c.label, Y: c.values}
		for _, at := range c.micros {
			track.X = append(track.X, float64(at-first)/float64(micros))
		}
		spec.Series = append(spec.Series, track)
	}
	return plot.Steps(spec)
}

// sinceFirst labels the time of a figure, which counts from the first submission.
const sinceFirst = "time since the first submission"

// timeParts is the number of parts of equal length into which means over seeds divide the time.
const timeParts = 200

// means draws the mean of each cell over seeds, over the time since the first submission of each
// run. In each part of the time, the value of a run is its average there.
func (q *quantity) means(courses []course, caption func(what string) string) (*plot.Figure, error) {
	longest := int64(timeParts)
	for i := range courses {
		longest = max(longest, courses[i].span())
	}
	name, micros := timeUnit(longest)
	spec := plot.LinesSpec{
		Title: q.title, XLabel: sinceFirst + " (" + name + ")", YLabel: q.label,
		Caption: caption(fmt.Sprintf(
			"Means over seeds with 95 %% intervals, of averages over each of %d parts of the time. ", timeParts)),
	}
	at := map[string]int{}
	var runs [][][]float64 // by cell and run
	for i := range courses {
		c := &courses[i]
		k, known := at[c.name]
		if !known {
			k = len(runs)
			at[c.name] = k
			runs = append(runs, nil)
			spec.Series = append(spec.Series, plot.Series{Name: c.name})
		}
		runs[k] = append(runs[k], c.averages(longest))
	}
	for k, values := range runs {
		for part := range timeParts {
			all := make([]float64, len(values))
			for i := range values {
				all[i] = values[i][part]
			}
			e := q.possible.Mean(all)
			if !e.Bounded() {
				e.Low, e.High = math.NaN(), math.NaN()
			}
			x := (float64(part) + 0.5) / timeParts * float64(longest) / float64(micros)
			spec.Series[k].Points = append(spec.Series[k].Points, plot.Point{X: x, Mean: e.Value, Low: e.Low, High: e.High})
		}
	}
	return plot.Lines(spec)
}

// averages are the averages over each part of a time that begins with the run. After the end of the
// run nothing waits or is busy.
func (c *course) averages(micros int64) []float64 {
	all := make([]float64, timeParts)
	length := float64(micros) / timeParts
	for i, value := range c.values {
		if i+1 == len(c.values) || value == 0 {
			continue // the last value is that after the end: 0
		}
		from, to := float64(c.micros[i]-c.micros[0]), float64(c.micros[i+1]-c.micros[0])
		for part := int(from / length); part < timeParts && float64(part)*length < to; part++ {
			shared := min(to, float64(part+1)*length) - max(from, float64(part)*length)
			all[part] += value * max(0, shared) / length
		}
	}
	return all
}
