package lab

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// Over names the draws that differ from seed to seed. An interval over seeds is over these draws,
// and says nothing about anything that all seeds share.
type Over string

// The draws of a seed.
const (
	OneRun     Over = "one run"                  // nothing: all seeds have the same run
	Placements Over = "placements"               // the run: places on the map, sites, clusters, failures, choices
	Workloads  Over = "workloads"                // the jobs, or their estimates
	Both       Over = "workloads and placements" // both of these
	Latencies  Over = "latencies"                // of a cell without jobs: hosts, measurements and their order
)

// drawsJobs reports whether the jobs of the cell depend on the seed.
func (c Cell) drawsJobs() bool {
	jobs := c.Get("workload")
	_, _, isLog := logOf(jobs)
	return jobs != "" && !isLog || len(workload.Drawn(c.Get("select"))) > 0 ||
		strings.HasPrefix(c.Get("estimate"), "factor:")
}

// drawsRuns reports whether runs of the same jobs depend on the seed.
func (c Cell) drawsRuns() bool {
	policy, _, err := known.policy(c.Get("policy"))
	return err == nil && policy.Draws || c.Get("choice") == "random"
}

// Draws names the draws of a seed, by the settings of the cell.
func (c Cell) Draws() Over {
	if c.Get("predict") != "" {
		return Latencies
	}
	return drawing(c.drawsJobs(), c.drawsRuns())
}

// Chance reports whether the result of the cell depends on the seed.
func (c Cell) Chance() bool { return c.Draws() != OneRun }

func drawing(jobs, runs bool) Over {
	switch {
	case jobs && runs:
		return Both
	case jobs:
		return Workloads
	case runs:
		return Placements
	}
	return OneRun
}

// OneCluster reports whether no job of the cell can move to another cluster. A log without a
// platform is run on one cluster.
func (c Cell) OneCluster() bool {
	platform := c.Get("platform")
	return (platform == "" || strings.HasPrefix(platform, "pool:") || c.Get("pool") == "yes") &&
		c.Get("clustering") == "actual"
}

// OverOf names the draws that differ from seed to seed in rows whose cells are compared. Settings
// show which draws there are; digests of jobs and starts show whether they made a difference.
func OverOf(rows []*Row) Over {
	seeds := map[uint64]bool{}
	jobs, starts := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, r := range rows {
		seeds[r.Seed] = true
		cell := r.Settings.String()
		if jobs[cell] == nil {
			jobs[cell], starts[cell] = map[string]bool{}, map[string]bool{}
		}
		jobs[cell][r.JobsDigest], starts[cell][r.StartsDigest] = true, true
	}
	if len(seeds) < 2 {
		return OneRun
	}
	var ofJobs, ofRuns bool
	for _, r := range rows {
		cell := r.Settings.String()
		switch {
		case r.Settings.Get("predict") != "":
			return Latencies
		case len(starts[cell]) > 1 || starts[cell][""]: // a row of jobs that were not run has no digest
			ofJobs = ofJobs || r.Settings.drawsJobs() && (len(jobs[cell]) > 1 || jobs[cell][""])
			ofRuns = ofRuns || r.Settings.drawsRuns()
		}
	}
	return drawing(ofJobs, ofRuns)
}

// jobsDigest condenses the jobs of a run, with all of their numbers that policies and measures use,
// into the first 16 hexadecimal digits of a SHA-256.
func jobsDigest(w *scheduler.Workload) string {
	const numbers, batch = 6, 64
	sum := sha256.New()
	text := make([]byte, 0, 8*numbers*batch)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		for _, x := range [numbers]int64{
			j.SubmitMicros, j.RunMicros, j.RequestMicros, j.EstimateMicros, j.WaitMicros, int64(j.Nodes),
		} {
			text = binary.BigEndian.AppendUint64(text, uint64(x))
		}
		if len(text) == cap(text) {
			sum.Write(text)
			text = text[:0]
		}
	}
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
