package lab

import (
	"strings"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// Selections is the help about --select.
func Selections() string {
	t := [][]string{}
	for _, s := range workload.Steps() {
		t = append(t, []string{"  " + s.Form, s.Doc})
	}
	var b strings.Builder
	b.WriteString("With --select, steps change the jobs one after the other, separated by commas:\n\n" +
		"  filter:parallel,fold:2,window:densest:30000,compress:to=12h,head:1000\n\n")
	if err := cli.NewOutput(&b).Table(&cli.Table{Rows: t}); err != nil {
		panic(err) // a builder takes all that is written
	}
	b.WriteString("\nA DURATION is a decimal number with unit ms, s, m, h or d; without a unit it is in seconds. A\n" +
		"FACTOR or LOAD is a decimal number above 0. The offered load is the sum of size times run time,\n" +
		"divided by nodes times the span of the submissions. canvass lab workload describe counts what steps\n" +
		"leave out or change. Write semicolons between the values of --over if they have commas.")
	return b.String()
}
