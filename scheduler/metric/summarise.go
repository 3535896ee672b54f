package metric

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// ErrNoJobs says that no job is counted: none ran, or trimming left out all.
var ErrNoJobs = errors.New("no jobs to count")

// Options choose which jobs are counted.
type Options struct {
	// Trim is "none" or empty, "standard" or "a:b". "standard" leaves out the first hundredth of the
	// jobs to end, rounded down, and all that end after the last submission, as pyss does. "a:b"
	// leaves out the first a percent and the last b percent to end, each rounded down to whole jobs.
	Trim string

	// Tasks has the records of tasks, for jobs whose tasks have an order. Such a job uses nodes only
	// through its tasks; it begins with the first and ends with the last.
	Tasks []scheduler.Record
}

// A job that ran.
type job struct {
	index, cluster     int
	nodes, user        int64
	submit, start, end int64
}

func (j *job) wait() int64     { return j.start - j.submit }
func (j *job) run() int64      { return j.end - j.start }
func (j *job) response() int64 { return j.end - j.submit }

// Summarise describes a run of a workload on a platform. There must be one record for each job, in
// any order. The error is [ErrRecords] with the job that is wrong, a [TrimError], or [ErrNoJobs].
func Summarise(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, o Options,
) (Summary, error) {
	cut, err := parseTrim(o.Trim)
	if err != nil {
		return Summary{}, err
	}
	ran, excluded, err := check(w, p, records)
	if err != nil {
		return Summary{}, err
	}
	if len(ran) == 0 {
		return Summary{}, ErrNoJobs
	}
	r := newRun(p, ran)
	if w.Tasks != nil {
		if r.using, err = tasksOf(w, p, ran, o.Tasks); err != nil {
			return Summary{}, err
		}
	}
	counted := cut.keep(r)
	if len(counted) == 0 {
		return Summary{}, ErrNoJobs
	}
	s := Summary{
		Trim: cut.String(), Submitted: len(w.Jobs), Done: len(ran), Excluded: excluded,
		Measures: measure(counted), BySize: bySize(counted), ByRun: byRun(counted),
	}
	if err := r.use(&s); err != nil {
		return Summary{}, err
	}
	s.ModeShape.Nodes, s.ModeShape.Seconds, s.ModeShape.Jobs = CountShapes(w.Jobs).Mode()
	s.ModeCeilJackson, s.NearOneShare = jacksonTable(counted)
	s.fairness(counted)
	s.Overtaken = r.overtakenShare(counted)
	return s, nil
}

// A run is the jobs that ran, with the orders in which the statistics go through them.
type run struct {
	platform       *scheduler.Platform
	jobs           []job // by index, so by submission
	byStart, byEnd []int // indices in jobs; jobs of equal times by index
	first, last    int64 // submissions
	end            int64 // of the last job to end
	using          *run  // the tasks that use nodes: the run itself, if jobs are rigid
}

func newRun(p *scheduler.Platform, jobs []job) *run {
	r := &run{platform: p, jobs: jobs, first: jobs[0].submit, last: jobs[len(jobs)-1].submit}
	r.byStart, r.byEnd = make([]int, len(jobs)), make([]int, len(jobs))
	for i := range jobs {
		r.byStart[i], r.byEnd[i] = i, i
	}
	slices.SortStableFunc(r.byStart, func(a, b int) int { return cmp.Compare(jobs[a].start, jobs[b].start) })
	slices.SortStableFunc(r.byEnd, func(a, b int) int { return cmp.Compare(jobs[a].end, jobs[b].end) })
	r.end = jobs[r.byEnd[len(jobs)-1]].end
	r.using = r
	return r
}

// quotient is a/b, rounded once; 0 if b is 0.
func quotient(a, b *big.Int) float64 {
	if b.Sign() == 0 {
		return 0
	}
	q, _ := new(big.Rat).SetFrac(a, b).Float64()
	return q
}

// sum adds up integers that may overflow 64 bits together.
type sum struct{ total, product, factor big.Int }

// add adds a product.
func (s *sum) add(factors ...int64) {
	s.product.SetInt64(1)
	for _, f := range factors {
		s.product.Mul(&s.product, s.factor.SetInt64(f))
	}
	s.total.Add(&s.total, &s.product)
}

// over is the sum divided by a product.
func (s *sum) over(factors ...int64) float64 {
	var divisor sum
	divisor.add(factors...)
	return quotient(&s.total, &divisor.total)
}

// seconds turns microseconds into seconds, rounded once.
func seconds(micros int64) float64 { return float64(micros) / float64(scheduler.Second) }
