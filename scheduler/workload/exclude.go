package workload

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// Exclusion is a job that no cluster of a platform can run.
type Exclusion struct {
	Job    int    `json:"job"`    // index in the workload that it was excluded from
	Number int64  `json:"number"` // in the log
	Nodes  int    `json:"nodes"`
	Reason string `json:"reason"`
}

// Exclude returns a copy of a workload without the jobs that no cluster can run, and a list of
// these. Nothing may be left.
func Exclude(w *scheduler.Workload, p *scheduler.Platform) (fits *scheduler.Workload, excluded []Exclusion) {
	largest := p.Largest()
	reason := fmt.Sprintf("larger than every cluster: the largest of %s has %s", p.Name, counted(largest, "node"))
	fits = clone(w)
	fits.Jobs = fits.Jobs[:0]
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if j.Nodes <= largest {
			fits.Jobs = append(fits.Jobs, *j)
			continue
		}
		excluded = append(excluded, Exclusion{i, j.Number, j.Nodes, reason})
	}
	fits.Note("excluded: larger than every cluster", len(excluded))
	return fits, excluded
}
