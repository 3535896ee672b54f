package report_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/scheduler/report"
)

// Two schedules of one workload are compared job by job.
func ExampleCompareStarts() {
	folder, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	schedule := func(name, lines string) []report.Started {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("number,start_seconds\n"+lines), 0o600); err != nil {
			panic(err)
		}
		all, err := report.ReadStarts(path)
		if err != nil {
			panic(err)
		}
		return all
	}
	c := report.CompareStarts(schedule("a.csv", "1,0\n2,10\n3,20\n"), schedule("b.csv", "1,0\n2,15\n"), 10)
	fmt.Println(c.Equal, "equal,", c.Different, "different,", c.OnlyFirst, "only in the first")
	// Output: 1 equal, 1 different, 1 only in the first
}
