//go:build unix

package experiment_test

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/latency"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// The benchmarks below measure processor time of the process, which a busy machine disturbs less
// than the time of day, and compare it with that of fcfs on the log CTC-SP2, measured just before:
// times-fcfs depends less on the machine than the time does.

// processor is the processor time that the process has used, in seconds.
func processor(b *testing.B) float64 {
	var r syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// ctc is the log of the yardstick: 77,205 jobs on one machine.
var ctc = lab.MustCell("workload=swf:CTC-SP2-1996-3.1-cln.swf.gz", "platform=pool:338")

// bench is a laboratory with logs.
func bench(b *testing.B) *lab.Lab {
	data := os.Getenv("CANVASS_DATA")
	if data == "" {
		b.Skip("CANVASS_DATA does not name a folder of logs")
	}
	return &lab.Lab{Data: data}
}

// jobsOf makes the jobs and the platform of a cell.
func jobsOf(b *testing.B, in *lab.Lab, c lab.Cell) (*scheduler.Workload, *scheduler.Platform) {
	w, p, err := in.Jobs(c, 1)
	require.NoError(b, err)
	return w, p
}

// seconds is how long a central policy takes for the jobs of a cell, and how many there are.
func seconds(b *testing.B, in *lab.Lab, c lab.Cell, policy string) (float64, int) {
	w, p := jobsOf(b, in, c)
	w, err := workload.Estimate(w, "requested", 1)
	require.NoError(b, err)
	began := processor(b)
	_, err = central.Run(b.Context(), w, p, central.Options{Policy: policy, Choice: "best", Passes: "instant", Seed: 1})
	require.NoError(b, err)
	return processor(b) - began, len(w.Jobs)
}

// yardstick is the time of fcfs on CTC-SP2, a mean of five.
func yardstick(b *testing.B, in *lab.Lab) float64 {
	const runs = 5
	sum := 0.0
	for range runs {
		again, _ := seconds(b, in, ctc, "fcfs")
		sum += again
	}
	return sum / runs
}

// BenchmarkGridCentral runs central policies on whole logs. Only the time of the policy counts, not
// that of reading.
func BenchmarkGridCentral(b *testing.B) {
	in := bench(b)
	curie := lab.MustCell("workload=swf:CEA-Curie-2011-2.1-cln.swf.gz", "platform=pool:93312")
	for _, c := range []struct {
		name, policy string
		cell         lab.Cell
	}{
		{"CTC/easy", "easy", ctc}, {"CTC/easy-sjbf", "easy-sjbf", ctc}, {"CTC/conservative", "conservative", ctc},
		{"Curie/easy", "easy", curie},
	} {
		b.Run(c.name, func(b *testing.B) {
			fcfs, own, jobs := yardstick(b, in), 0.0, 0
			for range b.N {
				taken, done := seconds(b, in, c.cell, c.policy)
				own += taken
				jobs = done
			}
			own /= float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(own, "s/run")
			b.ReportMetric(float64(jobs)/own, "jobs/s")
			b.ReportMetric(own/fcfs, "times-fcfs")
		})
	}
}

// engineRun has the cost of a run of the fast engine.
type engineRun struct {
	seconds, allocations, routing float64 // routing is the part that finds owners
	events, messages              uint64
	jobs                          int
}

// engine runs a cell by the fast engine alone.
func engine(b *testing.B, in *lab.Lab, c lab.Cell, over reptask.Over) (r engineRun) {
	w, p := jobsOf(b, in, c)
	g, err := parallel.NewGrid(p, nil, 1, 1)
	require.NoError(b, err)
	o := parallel.Defaults()
	o.Seed, o.Over = 1, over
	began := processor(b)
	_, err = g.Place(w, &o)
	require.NoError(b, err)
	r.routing = processor(b) - began
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began = processor(b)
	result, err := parallel.Run(context.Background(), w, g, o)
	require.NoError(b, err)
	r.seconds = processor(b) - began
	runtime.ReadMemStats(&after)
	r.allocations = float64(after.Mallocs - before.Mallocs)
	r.events, r.messages, r.jobs = result.Counts.Events, result.Counts.Messages, len(w.Jobs)
	return r
}

func (r engineRun) report(b *testing.B, fcfs float64) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(r.seconds, "s/run")
	b.ReportMetric(float64(r.jobs)/r.seconds, "jobs/s")
	b.ReportMetric(float64(r.events)/(r.seconds-r.routing)/1e6, "Mevents/s")
	b.ReportMetric(float64(r.messages)/(r.seconds-r.routing)/1e6, "Mmessages/s")
	b.ReportMetric(r.allocations/float64(r.messages), "allocs/message")
	b.ReportMetric(100*r.routing/r.seconds, "%routing")
	b.ReportMetric(r.seconds/fcfs, "times-fcfs")
}

// BenchmarkGridEngine runs the fast engine of the decentralised scheduler on 1,000 and on 30,000
// jobs. Events a second are those of the scheduler itself: routes to owners are found before. The
// messages of a node to a whole cluster are one event.
func BenchmarkGridEngine(b *testing.B) {
	in := bench(b)
	thunder := lab.MustCell("workload=swf:LLNL-Thunder-2007-1.1-cln.swf.gz", "platform=sharcnet",
		"select=filter:parallel,fold:2,window:densest:30000,compress:to=12h,head:1000")
	large := lab.MustCell("workload=swf:HPC2N-2002-2.2-cln.swf.gz", "platform=sharcnet",
		"select=filter:parallel,window:densest:30000,compress:to=12h")
	for _, c := range []struct {
		name string
		cell lab.Cell
		over reptask.Over
	}{{"T/total", thunder, reptask.OverTotal}, {"30k/8", large, 8_000}, {"30k/total", large, reptask.OverTotal}} {
		b.Run(c.name, func(b *testing.B) {
			fcfs := yardstick(b, in)
			var r engineRun
			for range b.N {
				r = engine(b, in, c.cell, c.over)
			}
			r.report(b, fcfs)
		})
	}
}

// BenchmarkGridScale runs as many jobs a node on two grids. times-small is the cost of a job on the
// larger one, as a multiple of the smaller.
func BenchmarkGridScale(b *testing.B) {
	in := bench(b)
	small := 0.0
	for _, c := range []struct{ name, workload, platform string }{
		{"1,360-nodes", "sharcnet-like:N=13600", "graded:4"}, {"9,981-nodes", "sharcnet-like:N=100000", "graded:40"},
	} {
		b.Run(c.name, func(b *testing.B) {
			fcfs := yardstick(b, in)
			var r engineRun
			for range b.N {
				r = engine(b, in, lab.MustCell("workload="+c.workload, "platform="+c.platform, "clustering=disjoint:128",
					"select=filter:size<=128,load:to=0.9"), 8_000)
			}
			r.report(b, fcfs)
			each := r.seconds / float64(r.jobs)
			if small == 0 {
				small = each
			}
			b.ReportMetric(each/small, "times-small")
		})
	}
}

// BenchmarkGridLatencies predicts the latencies of the 2,091 hosts of SHARCNET, and finds clusters
// by them.
func BenchmarkGridLatencies(b *testing.B) {
	in := bench(b)
	g, err := latency.Parse("sharcnet-latency:sites=plane", "", 1)
	require.NoError(b, err)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"dtm", func() error {
			_, err := latency.Predict(g.Input, "dtm", latency.Effort{}, 1)
			return err
		}},
		{"clusters-128", func() error {
			s, _, err := cluster.ParseSettings("128")
			if err == nil {
				_, err = cluster.Find(b.Context(), g.Input, s, 1, nil)
			}
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			fcfs := yardstick(b, in)
			began := processor(b)
			for range b.N {
				require.NoError(b, c.run())
			}
			own := (processor(b) - began) / float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(own, "s/run")
			b.ReportMetric(own/fcfs, "times-fcfs")
		})
	}
}
