package plot_test

import (
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

func Example() {
	figure, err := plot.Bars(plot.BarsSpec{
		Title:   "Mean slowdown by policy",
		Caption: "20 seeds; whiskers are 95 % intervals, hollow marks published values",
		YLabel:  "mean slowdown (1)",
		Groups: []plot.Bar{
			{Label: "qb+dlb", Mean: 85.1, Low: 60.5, High: 109.7, N: 20, Published: 77.9},
			{Label: "easy", Mean: 31, Low: 25, High: 37, N: 20, Published: math.NaN()},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(figure.CSV))
	// Output:
	// label,mean,low,high,n,published
	// qb+dlb,85.1,60.5,109.7,20,77.9
	// easy,31,25,37,20,
}

func ExampleCDF() {
	figure, err := plot.CDF(plot.CDFSpec{
		Title: "Waits", XLabel: "wait (s)",
		Series: []plot.Sample{{Name: "easy", Values: []float64{0, 7, 0, 120}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(figure.CSV))
	// Output:
	// series,value,share
	// easy,0,0.5
	// easy,7,0.75
	// easy,120,1
}
