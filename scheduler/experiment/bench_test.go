package experiment_test

import (
	"os"
	"testing"

	"github.com/canvass-grid/canvass/scheduler/experiment"
)

// BenchmarkGrid runs policies on whole logs, each in turn with fcfs on the same jobs. Only the time
// of the policy counts, not that of reading. times-fcfs is the ratio of the two, which depends less
// on the machine than the time does.
func BenchmarkGrid(b *testing.B) {
	data := os.Getenv("CANVASS_DATA")
	if data == "" {
		b.Skip("CANVASS_DATA does not name a folder of logs")
	}
	ctc := experiment.Cell{Workload: "swf:CTC-SP2-1996-3.1-cln.swf.gz", Platform: "pool:338"}
	thunder := experiment.Cell{
		Workload: "swf:LLNL-Thunder-2007-1.1-cln.swf.gz", Platform: "sharcnet", Estimate: "exact",
		Select: "filter:parallel,fold:2,window:densest:30000,compress:to=12h,head:1000",
	}
	curie := experiment.Cell{Workload: "swf:CEA-Curie-2011-2.1-cln.swf.gz", Platform: "pool:93312"}
	lab := &experiment.Lab{Data: data}
	for _, c := range []struct {
		name, policy string
		cell         experiment.Cell
	}{
		{"CTC/easy", "easy", ctc}, {"CTC/easy-sjbf", "easy-sjbf", ctc}, {"CTC/conservative", "conservative", ctc},
		{"Curie/easy", "easy", curie}, {"T/qb+dlb", "qb+dlb", thunder},
	} {
		b.Run(c.name, func(b *testing.B) {
			var own, fcfs float64
			jobs := 0
			for range b.N {
				for policy, seconds := range map[string]*float64{c.policy: &own, "fcfs": &fcfs} {
					cell := c.cell
					cell.Policy = policy
					o, err := lab.Run(b.Context(), "", &cell, 1)
					if err != nil {
						b.Fatal(err)
					}
					*seconds += o.Row.ElapsedSeconds
					jobs = o.Row.Summary.Done
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(own/float64(b.N), "s/run")
			b.ReportMetric(float64(jobs)*float64(b.N)/own, "jobs/s")
			b.ReportMetric(own/fcfs, "times-fcfs")
		})
	}
}
