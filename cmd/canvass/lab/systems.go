package lab

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/lab"
	gridsim "github.com/canvass-grid/canvass/sim/grid"
)

// cores are the systems that run message by message. A new one needs its name here.
var cores = []scheduler.System{gridsim.System{}}

// messages writes how many messages of each kind a job of the first row took, if that row is of the
// cores.
func (env Env) messages(rows []*lab.Row) {
	if len(rows) == 0 || rows[0].Cores == nil || rows[0].Summary.Submitted == 0 {
		return
	}
	jobs := float64(rows[0].Summary.Submitted)
	var all []string
	sum := uint64(0)
	for _, kind := range slices.Sorted(maps.Keys(rows[0].Cores.Messages)) {
		n := rows[0].Cores.Messages[kind]
		sum += n
		all = append(all, fmt.Sprintf("%s %.4g", kind, float64(n)/jobs))
	}
	fmt.Fprintf(env.Stdout, "messages per job: %.4g; %s\n", float64(sum)/jobs, strings.Join(all, ", "))
}
