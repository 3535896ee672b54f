package experiment_test

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/embed"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// The benchmarks below compare each time with that of fcfs on the log CTC-SP2, measured just
// before: times-fcfs depends less on the machine than the time does.

// ctc is the log of the yardstick: 77,205 jobs on one machine.
var ctc = experiment.Cell{Workload: "swf:CTC-SP2-1996-3.1-cln.swf.gz", Platform: "pool:338"}

// bench is a laboratory with logs.
func bench(b *testing.B) *experiment.Lab {
	data := os.Getenv("CANVASS_DATA")
	if data == "" {
		b.Skip("CANVASS_DATA does not name a folder of logs")
	}
	return &experiment.Lab{Data: data}
}

// seconds runs a cell and returns how long its policy took, and for how many jobs.
func seconds(b *testing.B, lab *experiment.Lab, c experiment.Cell, policy string) (float64, int) {
	c.Policy = policy
	o, err := lab.Run(b.Context(), "", &c, 1)
	require.NoError(b, err)
	return o.Row.ElapsedSeconds, o.Row.Summary.Done
}

// yardstick is the time of fcfs on CTC-SP2, the shortest of three.
func yardstick(b *testing.B, lab *experiment.Lab) float64 {
	least, _ := seconds(b, lab, ctc, "fcfs")
	for range 2 {
		again, _ := seconds(b, lab, ctc, "fcfs")
		least = min(least, again)
	}
	return least
}

// BenchmarkGridCentral runs central policies on whole logs. Only the time of the policy counts, not
// that of reading.
func BenchmarkGridCentral(b *testing.B) {
	lab := bench(b)
	curie := experiment.Cell{Workload: "swf:CEA-Curie-2011-2.1-cln.swf.gz", Platform: "pool:93312"}
	for _, c := range []struct {
		name, policy string
		cell         experiment.Cell
	}{
		{"CTC/easy", "easy", ctc}, {"CTC/easy-sjbf", "easy-sjbf", ctc}, {"CTC/conservative", "conservative", ctc},
		{"Curie/easy", "easy", curie},
	} {
		b.Run(c.name, func(b *testing.B) {
			fcfs, own, jobs := yardstick(b, lab), 0.0, 0
			for range b.N {
				taken, done := seconds(b, lab, c.cell, c.policy)
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

// engineRun is what a run of the fast engine took.
type engineRun struct {
	seconds, allocations, routing float64 // routing is the part that finds owners
	events                        uint64
	jobs                          int
}

// engine runs a cell by the fast engine alone.
func engine(b *testing.B, lab *experiment.Lab, c experiment.Cell, over reptask.Over) (r engineRun) {
	w, err := lab.Workload(&c, 1)
	require.NoError(b, err)
	p, err := experiment.Platform(&c, w)
	require.NoError(b, err)
	w, err = experiment.Selected(&c, w, p.Nodes(), 1)
	require.NoError(b, err)
	g, err := parallel.NewGrid(p, nil, 1)
	require.NoError(b, err)
	o := parallel.Defaults()
	o.Seed, o.Over = 1, over
	began := time.Now()
	_, err = g.Place(w, &o)
	require.NoError(b, err)
	r.routing = time.Since(began).Seconds()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began = time.Now()
	result, err := parallel.Run(context.Background(), w, g, o)
	require.NoError(b, err)
	r.seconds = time.Since(began).Seconds()
	runtime.ReadMemStats(&after)
	r.allocations = float64(after.Mallocs - before.Mallocs)
	r.events, r.jobs = result.Counts.Events, len(w.Jobs)
	return r
}

func (r engineRun) report(b *testing.B, fcfs float64) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(r.seconds, "s/run")
	b.ReportMetric(float64(r.jobs)/r.seconds, "jobs/s")
	b.ReportMetric(float64(r.events)/(r.seconds-r.routing)/1e6, "Mevents/s")
	b.ReportMetric(r.allocations/float64(r.events), "allocs/event")
	b.ReportMetric(100*r.routing/r.seconds, "%routing")
	b.ReportMetric(r.seconds/fcfs, "times-fcfs")
}

// BenchmarkGridEngine runs the fast engine of the decentralised scheduler on 1,000 and on 30,000
// jobs. Events a second are those of the scheduler itself: routes to owners are found before.
func BenchmarkGridEngine(b *testing.B) {
	lab := bench(b)
	thunder := experiment.Cell{
		Workload: "swf:LLNL-Thunder-2007-1.1-cln.swf.gz", Platform: "sharcnet",
		Select: "filter:parallel,fold:2,window:densest:30000,compress:to=12h,head:1000",
	}
	large := experiment.Cell{
		Workload: "swf:HPC2N-2002-2.2-cln.swf.gz", Platform: "sharcnet",
		Select: "filter:parallel,window:densest:30000,compress:to=12h",
	}
	for _, c := range []struct {
		name string
		cell experiment.Cell
		over reptask.Over
	}{{"T/total", thunder, reptask.OverTotal}, {"30k/8", large, 8_000}, {"30k/total", large, reptask.OverTotal}} {
		b.Run(c.name, func(b *testing.B) {
			fcfs := yardstick(b, lab)
			var r engineRun
			for range b.N {
				r = engine(b, lab, c.cell, c.over)
			}
			r.report(b, fcfs)
		})
	}
}

// BenchmarkGridScale runs as many jobs a node on two grids. times-small is what a job costs on the
// larger one, as a multiple of the smaller.
func BenchmarkGridScale(b *testing.B) {
	lab := bench(b)
	small := 0.0
	for _, c := range []struct{ name, workload, platform string }{
		{"1,360-nodes", "sharcnet-like:N=13600", "graded:4"}, {"9,981-nodes", "sharcnet-like:N=100000", "graded:40"},
	} {
		b.Run(c.name, func(b *testing.B) {
			fcfs := yardstick(b, lab)
			var r engineRun
			for range b.N {
				r = engine(b, lab, experiment.Cell{
					Workload: c.workload, Platform: c.platform, Clustering: "disjoint:128",
					Select: "filter:size<=128,load:to=0.9",
				}, 8_000)
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
	lab := bench(b)
	g, err := embed.Parse("sharcnet-latency:sites=plane", "", 1)
	require.NoError(b, err)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"dtm", func() error {
			_, err := embed.Predict(g.Input, "dtm", embed.Effort{}, 1)
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
			fcfs := yardstick(b, lab)
			began := time.Now()
			for range b.N {
				require.NoError(b, c.run())
			}
			own := time.Since(began).Seconds() / float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(own, "s/run")
			b.ReportMetric(own/fcfs, "times-fcfs")
		})
	}
}
