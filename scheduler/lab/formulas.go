package lab

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// ReadMetrics reads metrics: names of numbers, which must be those of some row, and formulas.
func ReadMetrics(texts []string) (names []string, formulas []*metric.Formula, err error) {
	for _, text := range texts {
		if !metric.IsFormula(text) {
			if err := knowsNumber(text); err != nil {
				return nil, nil, err
			}
		}
	}
	return ReadFormulas(texts)
}

// ReadFormulas reads the metrics that are formulas. Each must have one value for a run. The names
// that it returns are those of all metrics, with formulas as [metric.Formula.String] writes them.
func ReadFormulas(texts []string) (names []string, formulas []*metric.Formula, err error) {
	for _, text := range texts {
		if !metric.IsFormula(text) {
			names = append(names, text)
			continue
		}
		f, err := metric.ParseFormula(text)
		if err == nil {
			err = f.OfRun()
		}
		if err != nil {
			return nil, nil, asUsage(err)
		}
		names, formulas = append(names, f.String()), append(formulas, f)
	}
	return names, formulas, nil
}

// evaluate computes formulas from the jobs of a run.
func (r *Row) evaluate(
	formulas []*metric.Formula, w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record,
) error {
	for _, f := range formulas {
		v, err := f.Of(w, p, records, metric.Options{Trim: r.Summary.Trim})
		if err != nil {
			return err
		}
		if r.Formulas == nil {
			r.Formulas = map[string]*float64{}
		}
		if r.Formulas[f.String()] = nil; !math.IsNaN(v) {
			r.Formulas[f.String()] = &v
		}
	}
	return nil
}

// lacks reports whether a row has no entry for one of the formulas.
func (r *Row) lacks(formulas []*metric.Formula) bool {
	return slices.ContainsFunc(formulas, func(f *metric.Formula) bool {
		_, there := r.Formulas[f.String()]
		return !there && r.Settings.Get("predict") == ""
	})
}

// keep takes over the formulas of an earlier row of the same run.
func (r *Row) keep(earlier *Row) {
	if len(earlier.Formulas) == 0 || earlier.StartsDigest != r.StartsDigest {
		return
	}
	all := maps.Clone(earlier.Formulas)
	maps.Copy(all, r.Formulas)
	r.Formulas = all
}

// Evaluate computes formulas for rows that lack one: rows hold no jobs, so their cells are run
// again, as by [Lab.Again].
func (l *Lab) Evaluate(ctx context.Context, rows []*Row, formulas []*metric.Formula) error {
	for _, r := range rows {
		if !r.lacks(formulas) {
			continue
		}
		o, err := l.Again(ctx, r)
		if err != nil {
			return err
		}
		if err := r.evaluate(formulas, o.Workload, o.Platform, o.Records); err != nil {
			return asUsage(err)
		}
	}
	return nil
}
