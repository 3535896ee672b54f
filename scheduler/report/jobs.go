package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// mostAgain bounds the rows that are run again for a figure.
const mostAgain = 200

// each calls visit with the schedule of each file and of each row, in their order. The name of a
// row is that of its cell.
func (p *Figures) each(visit func(s *schedule) error) error {
	if len(p.Rows) > mostAgain {
		return usage.Errorf("there are %d rows, and a figure of jobs runs at most %d again; draw fewer", len(p.Rows),
			mostAgain)
	}
	for _, file := range p.Files {
		s, err := readSchedule(file)
		if err != nil {
			return err
		}
		if err := visit(s); err != nil {
			return err
		}
	}
	cells, _ := ByCell(p.Rows)
	varied := Varying(p.Rows)
	for _, r := range p.Rows {
		name := Apart(r, varied)
		label := name
		if len(cells[cellKey(r)]) > 1 {
			label += fmt.Sprintf(", seed %d", r.Seed)
		}
		s, err := again(p.Lab, r, name, label)
		if err != nil {
			return err
		}
		if err := visit(s); err != nil {
			return err
		}
	}
	return nil
}

// caption is the caption of a figure of all runs of cells: whether it is preliminary, its contents
// and its source. A figure of one run makes no statement about chance, and has only a source.
func (p *Figures) caption(what string, files []string) string {
	return p.preliminary() + what + p.source(files)
}

// source is the end of a caption.
func (p *Figures) source(files []string) string {
	text := ""
	if len(files) > 0 {
		text = "Jobs of " + few(files) + ". "
	}
	if len(p.Rows) > 0 {
		text += provenance(p.Rows)
	}
	return text
}

// cdf draws the distribution of a measure over jobs.
func (p *Figures) cdf() ([]*plot.Figure, error) {
	var figures []*plot.Figure
	for _, name := range p.Metrics {
		spec := plot.CDFSpec{
			Title: cmp.Or(p.title, axisLabel(name)), XLabel: axisLabel(name), LogX: p.Log, XTo: p.XTo, YFrom: p.YFrom,
		}
		var files []string
		at := map[string]int{}
		var runs [][][]float64 // by cell and run
		err := p.each(func(s *schedule) error {
			values, err := metric.Values(s.workload, s.platform, s.records, name, metric.Options{Trim: s.trim})
			if wrong := (*metric.FormulaError)(nil); errors.As(err, &wrong) {
				return usage.Errorf("%s: %v", s.name, err)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if s.guessed {
				files = append(files, s.source)
			}
			i, known := at[s.name]
			if !known {
				i = len(spec.Series)
				at[s.name] = i
				spec.Series = append(spec.Series, plot.Sample{Name: s.name})
				runs = append(runs, nil)
			}
			spec.Series[i].Values = append(spec.Series[i].Values, values...)
			runs[i] = append(runs[i], values)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range runs {
			spec.Series[i].Band = bandOf(runs[i])
		}
		spec.Caption = p.caption(fmt.Sprintf("Jobs in a line: %s. ", p.samples(spec.Series, runs)), files)
		figure, err := plot.CDF(spec)
		if err != nil {
			return nil, usage.Errorf("%v", err)
		}
		figures = append(figures, figure)
	}
	return figures, nil
}

// preliminary begins a caption. A figure of one run each makes no statement about chance.
func (p *Figures) preliminary() string {
	if p.firstSeed {
		return "One run each, with the first seed. "
	}
	return preliminary(p.Rows)
}

// samples describes the lines: their numbers of jobs, and their bands if they have any.
func (p *Figures) samples(series []plot.Sample, runs [][][]float64) string {
	var all []string
	for _, s := range series {
		all = append(all, plot.Grouped(float64(len(s.Values)), 0))
	}
	least, most := len(runs[0]), 0
	for _, ofCell := range runs {
		least, most = min(least, len(ofCell)), max(most, len(ofCell))
	}
	switch {
	case most == 1 && (p.firstSeed || len(p.Rows) == 0):
		return few(all)
	case most == 1:
		return few(all) + "; one run each, and one run has no band"
	case least == 1:
		return few(all) + ", those of all seeds together; bands are 95 % intervals of the share over seeds, and one " +
			"run has none"
	}
	return few(all) + ", those of all seeds together; bands are 95 % intervals of the share over seeds"
}

// bandPoints is the number of values at which a distribution has an interval.
const bandPoints = 200

// bandOf is the interval over runs of the share of values up to x, at values that divide all values
// into equal parts. One run has none.
func bandOf(runs [][]float64) (band []plot.Point) {
	if len(runs) < 2 {
		return nil
	}
	all := slices.Sorted(slices.Values(slices.Concat(runs...)))
	sorted := make([][]float64, len(runs))
	for i, values := range runs {
		sorted[i] = slices.Sorted(slices.Values(values))
	}
	shares := make([]float64, len(runs))
	for part := range bandPoints + 1 {
		x := all[part*(len(all)-1)/bandPoints]
		if len(band) > 0 && band[len(band)-1].X == x {
			continue
		}
		for i, values := range sorted {
			upTo, _ := slices.BinarySearchFunc(values, x, func(v, x float64) int {
				if v <= x {
					return -1
				}
				return 1
			})
			shares[i] = float64(upTo) / float64(len(values))
		}
		e := metric.Share.Mean(shares)
		band = append(band, plot.Point{X: x, Mean: e.Value, Low: e.Low, High: e.High})
	}
	return band
}

// shapes draws how many jobs there are of each size and run time.
func (p *Figures) shapes() ([]*plot.Figure, error) {
	var figure *plot.Figure
	err := p.single("shapes", func(s *schedule, caption string) (err error) {
		shapes := metric.CountShapes(s.workload.Jobs)
		spec := plot.HeatSpec{
			Title: "jobs by size and run time", Caption: caption, XLabel: "size (nodes)", YLabel: "run time (s)",
			XTicks: shapes.Nodes, YTicks: shapes.Seconds,
		}
		for _, line := range shapes.Jobs {
			cells := make([]float64, len(line))
			for i, n := range line {
				cells[i] = float64(n)
			}
			spec.Cells = append(spec.Cells, cells)
		}
		if figure, err = plot.Heat(spec); err != nil {
			return usage.Errorf("%v", err)
		}
		return nil
	})
	return []*plot.Figure{figure}, err
}

// single draws one run.
func (p *Figures) single(kind string, draw func(s *schedule, caption string) error) error {
	if n := len(p.Rows) + len(p.Files); n != 1 {
		return usage.Errorf("--kind %s draws one run, and there are %d; name the rows or the jobs of one", kind, n)
	}
	return p.each(func(s *schedule) error {
		var files []string
		if s.guessed {
			files = []string{s.source}
		}
		return draw(s, p.source(files))
	})
}

// timeUnit is the unit in which a span of time reads well, and its length.
func timeUnit(micros int64) (name string, unit int64) {
	const minute = 60 * scheduler.Second
	switch {
	case micros < 3*minute:
		return "s", scheduler.Second
	case micros < 3*60*minute:
		return "min", minute
	case micros < 4*24*60*minute:
		return "h", 60 * minute
	}
	return "d", 24 * 60 * minute
}

// gantt draws which nodes run which job.
func (p *Figures) gantt() ([]*plot.Figure, error) {
	var figure *plot.Figure
	err := p.single("gantt", func(s *schedule, caption string) error {
		first := s.workload.Jobs[0].SubmitMicros
		spec := plot.GanttSpec{
			Title: "jobs on nodes", XLabel: sinceFirst, Caption: fmt.Sprintf("%s %s Times count from the first "+
				"submission, at %s s of the workload.", caption, s.onWhat, plainSeconds(first)),
		}
		for _, c := range s.platform.Clusters {
			spec.Clusters, spec.Nodes = append(spec.Clusters, c.Name), append(spec.Nodes, c.Nodes)
		}
		sets, err := s.hosts()
		if err != nil {
			return usage.Errorf("%v", err)
		}
		for i, r := range s.records {
			j := s.workload.Jobs[i]
			if r.Excluded != "" || j.RunMicros == 0 {
				continue
			}
			spec.Tasks = append(spec.Tasks, s.blocks(sets[i], plot.Task{
				Label: decimal(j.Number), Colour: i,
				StartSeconds: sinceSeconds(r.StartMicros, first), EndSeconds: sinceSeconds(r.EndMicros, first),
			})...)
		}
		if figure, err = plot.Gantt(spec); err != nil {
			return usage.Errorf("%v", err)
		}
		return nil
	})
	return []*plot.Figure{figure}, err
}

// blocks are the nodes of a job as blocks of neighbours in one cluster.
func (s *schedule) blocks(nodes scheduler.NodeSet, job plot.Task) (all []plot.Task) {
	for _, r := range nodes {
		for c, first := range s.firsts {
			low, high := max(r.First, first), min(r.Last, first+s.platform.Clusters[c].Nodes-1)
			if low <= high {
				job.Cluster, job.FirstNode, job.Nodes = c, low-first, high-low+1
				all = append(all, job)
			}
		}
	}
	return all
}

func sinceSeconds(micros, first int64) float64 {
	return float64(micros-first) / float64(scheduler.Second)
}

// plainSeconds writes microseconds as seconds, with as many decimals as they need.
func plainSeconds(micros int64) string {
	return strconv.FormatFloat(float64(micros)/float64(scheduler.Second), 'f', -1, 64)
}
