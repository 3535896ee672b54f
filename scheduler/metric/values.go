package metric

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
)

// perJob lists the measures of a single job.
var perJob = []struct {
	name  string
	value func(*job) float64
}{
	{"wait_seconds", func(j *job) float64 { return seconds(j.wait()) }},
	{"response_seconds", func(j *job) float64 { return seconds(j.response()) }},
	{"bsld", (*job).bsld},
	{"sjackson", (*job).jackson},
	{"bsld_per_processor", (*job).perProcessor},
}

// PerJob lists the measures that [Values] takes. The package comment defines them.
func PerJob() []string {
	var names []string
	for _, m := range perJob {
		names = append(names, m.name)
	}
	return names
}

// A MeasureError says that no measure of a job has that name.
type MeasureError struct{ Name string }

// Error names the measures that there are.
func (e *MeasureError) Error() string {
	return fmt.Sprintf("no measure of a job is called %q; %s", e.Name,
		usage.Question(usage.Nearest(e.Name, PerJob()), PerJob()))
}

// Counted reports for each job whether it is counted, which excluded and trimmed jobs are not. The
// error is that of [Summarise].
func Counted(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, o Options,
) ([]bool, error) {
	counted, err := countedJobs(w, p, records, o)
	is := make([]bool, len(w.Jobs))
	for i := range counted {
		is[counted[i].index] = true
	}
	return is, err
}

// countedJobs returns the jobs that are counted, by index.
func countedJobs(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, o Options,
) ([]job, error) {
	cut, err := parseTrim(o.Trim)
	if err != nil {
		return nil, err
	}
	ran, _, err := check(w, p, records)
	if err != nil {
		return nil, err
	}
	if len(ran) == 0 {
		return nil, ErrNoJobs
	}
	return cut.keep(newRun(p, ran)), nil
}

// Values returns a measure of each counted job, in order of submission: one of [PerJob], or a
// [Formula] of jobs. The error is that of [Summarise], a [MeasureError] or a [FormulaError].
func Values(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, measure string, o Options,
) ([]float64, error) {
	for _, m := range perJob {
		if m.name != measure {
			continue
		}
		counted, err := countedJobs(w, p, records, o)
		if err != nil {
			return nil, err
		}
		values := make([]float64, len(counted))
		for i := range counted {
			values[i] = m.value(&counted[i])
		}
		return values, nil
	}
	if !IsFormula(measure) {
		return nil, &MeasureError{measure}
	}
	f, err := ParseFormula(measure)
	if err != nil {
		return nil, err
	}
	return f.Values(w, p, records, o)
}
