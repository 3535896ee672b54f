package experiment

import "github.com/canvass-grid/canvass/scheduler/metric"

// Numbers is how many numbers a claim compares; 0 if it is not judged.
func (c *Claim) Numbers() int { return len(c.Metric.series) }

// Estimates are those of a claim about values, by number and by seed.
func (c *Claim) Estimates(values [][]float64) []metric.Estimate {
	return c.Estimator.estimates(c.Metric.Range, values)
}

// Holds judges estimates.
func (r Relation) Holds(estimates []metric.Estimate) Verdict { return r.holds(estimates) }

// Ordered is a relation of numbers that an estimator compares.
func Ordered(k Kind, e Estimator) Relation { return ordered(k, e) }
