package can

import (
	"fmt"
	"testing"

	"github.com/canvass-grid/canvass/sim"
)

func BenchmarkSteady(b *testing.B) {
	for _, nodes := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			c := Steady(nodes, 1, sim.Exponential(50_000))
			c.RunUntil(3_000_000, nil)
			before := c.Stats().Delivered
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				c.RunUntil(c.Now()+1_000_000, nil)
			}
			b.ReportMetric(float64(c.Stats().Delivered-before)/b.Elapsed().Seconds(), "messages/s")
			b.Logf("%+v", c.Stats())
		})
	}
}
