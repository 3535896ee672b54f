package metric

import (
	"math"

	"github.com/canvass-grid/canvass/scheduler"
)

// Field is a number of a job that formulas can use.
type Field struct {
	Name, Doc string
	value     func(j *job, of *scheduler.Job) float64 // NaN if it is unknown
}

// Fields lists the fields of the table of jobs.
func Fields() []Field {
	ofLog := func(value func(of *scheduler.Job) int64) func(*job, *scheduler.Job) float64 {
		return func(_ *job, of *scheduler.Job) float64 { return knownNumber(value(of)) }
	}
	return []Field{
		{"wait", "seconds from submission to start", func(j *job, _ *scheduler.Job) float64 { return seconds(j.wait()) }},
		{"run", "seconds from start to end", func(j *job, _ *scheduler.Job) float64 { return seconds(j.run()) }},
		{
			"response", "seconds from submission to end",
			func(j *job, _ *scheduler.Job) float64 { return seconds(j.response()) },
		},
		{"submit", "seconds since the log's beginning", func(j *job, _ *scheduler.Job) float64 { return seconds(j.submit) }},
		{"start", "also since the log's beginning", func(j *job, _ *scheduler.Job) float64 { return seconds(j.start) }},
		{"end", "also since the log's beginning", func(j *job, _ *scheduler.Job) float64 { return seconds(j.end) }},
		{
			"requested", "the run time that the user asked for, in seconds",
			func(_ *job, of *scheduler.Job) float64 { return knownSeconds(of.RequestMicros) },
		},
		{
			"estimate", "the run time that the policy counted on, in seconds",
			func(_ *job, of *scheduler.Job) float64 { return knownSeconds(of.EstimateMicros) },
		},
		{"nodes", "the size", func(j *job, _ *scheduler.Job) float64 { return float64(j.nodes) }},
		{
			"area", "node-seconds",
			func(j *job, _ *scheduler.Job) float64 { return float64(j.nodes) * seconds(j.run()) },
		},
		{"bsld", "bounded slowdown", func(j *job, _ *scheduler.Job) float64 { return j.bsld() }},
		{"sjackson", "slowdown of Jackson", func(j *job, _ *scheduler.Job) float64 { return j.jackson() }},
		{
			"bsld_per_processor", "bounded slowdown per processor",
			func(j *job, _ *scheduler.Job) float64 { return j.perProcessor() },
		},
		{"number", "the number of the job in the log", ofLog(func(of *scheduler.Job) int64 { return of.Number })},
		{"user", "its number in the log, as for the next five", ofLog(func(of *scheduler.Job) int64 { return of.User })},
		{"group", "", ofLog(func(of *scheduler.Job) int64 { return of.Group })},
		{"queue", "", ofLog(func(of *scheduler.Job) int64 { return of.Queue })},
		{"partition", "", ofLog(func(of *scheduler.Job) int64 { return of.Partition })},
		{"executable", "", ofLog(func(of *scheduler.Job) int64 { return of.Executable })},
		{"status", "", ofLog(func(of *scheduler.Job) int64 { return of.Status })},
		{
			"cluster", "in which the job ran: its number in the platform, from 1",
			func(j *job, _ *scheduler.Job) float64 { return float64(j.cluster) + 1 },
		},
	}
}

func knownNumber(n int64) float64 {
	if n == scheduler.Unknown {
		return math.NaN()
	}
	return float64(n)
}

func knownSeconds(micros int64) float64 {
	if micros == scheduler.Unknown {
		return math.NaN()
	}
	return seconds(micros)
}

// fieldNamed finds a field; nil if there is none.
func fieldNamed(name string) *Field {
	for _, f := range Fields() {
		if f.Name == name {
			return &f
		}
	}
	return nil
}

// fieldNames lists the names of the fields.
func fieldNames() []string {
	var names []string
	for _, f := range Fields() {
		names = append(names, f.Name)
	}
	return names
}
