package scheduler

import (
	"cmp"
	"fmt"
	"slices"
)

// Million is one in parts per million.
const Million = 1_000_000

// Curves has the value of each job as a function of its stretch: the time from its submission to
// its end, divided by its critical path.
type Curves struct {
	first  []int32 // point, by job, and one more
	points []CurvePoint
	most   []int64 // value, by job
}

// CurvePoint is a point of a curve: the part of the highest value that is left at a stretch.
// Between two points the curve is linear.
type CurvePoint struct{ StretchPPM, PartPPM int64 }

// NewCurves returns a table without jobs.
func NewCurves() *Curves { return &Curves{first: []int32{0}} }

const (
	mostValue   = 1 << 40
	mostStretch = 1_000_000 * Million
)

// Add adds the curve of the next job. Its value is most up to the first point, where the whole of
// it is left, and 0 from the last point on, where nothing is. The table is not changed if there is
// an error.
func (c *Curves) Add(most int64, points []CurvePoint) error {
	job := c.Jobs()
	if most < 0 || most > mostValue {
		return fmt.Errorf("job %d has value %d; use 0 to %d", job, most, mostValue)
	}
	if n := len(points); n < 2 || points[0].PartPPM != Million || points[n-1].PartPPM != 0 {
		return fmt.Errorf("the curve of job %d has %d points; use at least two, the first with part %d and the last with 0",
			job, n, Million)
	}
	for i, p := range points {
		switch {
		case p.StretchPPM < 0 || p.StretchPPM > mostStretch:
			return fmt.Errorf("the curve of job %d, point %d: stretch %d; use 0 to %d", job, i, p.StretchPPM, mostStretch)
		case i > 0 && (p.StretchPPM <= points[i-1].StretchPPM || p.PartPPM > points[i-1].PartPPM):
			return fmt.Errorf("the curve of job %d, point %d: the stretch must grow and the part must not", job, i)
		}
	}
	c.most = append(c.most, most)
	c.points = append(c.points, points...)
	c.first = append(c.first, int32(len(c.points)))
	return nil
}

// Jobs counts the jobs.
func (c *Curves) Jobs() int { return len(c.most) }

// Most is the highest value of a job.
func (c *Curves) Most(job int) int64 { return c.most[job] }

// Deadlines returns the stretch up to which a job has its highest value, and the stretch from which
// on it has no value.
func (c *Curves) Deadlines(job int) (initialPPM, finalPPM int64) {
	points := c.of(job)
	return points[0].StretchPPM, points[len(points)-1].StretchPPM
}

func (c *Curves) of(job int) []CurvePoint { return c.points[c.first[job]:c.first[job+1]] }

// ValuePPM is the value of a job at a stretch, in millionths, rounded down.
func (c *Curves) ValuePPM(job int, stretchPPM int64) int64 {
	return c.most[job] * c.partPPM(job, stretchPPM)
}

// partPPM is the part of its highest value that a job has at a stretch.
func (c *Curves) partPPM(job int, stretchPPM int64) int64 {
	points := c.of(job)
	// The first point beyond the stretch: the segment ends there.
	end, _ := slices.BinarySearchFunc(points, stretchPPM+1, func(p CurvePoint, at int64) int {
		return cmp.Compare(p.StretchPPM, at)
	})
	switch end {
	case 0:
		return Million
	case len(points):
		return 0
	}
	a, b := points[end-1], points[end]
	return a.PartPPM - ceilDiv((a.PartPPM-b.PartPPM)*(stretchPPM-a.StretchPPM), b.StretchPPM-a.StretchPPM)
}

// ceilDiv is a/b, rounded up, of a at least 0 and b above 0.
func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
