package lab

import (
	"fmt"
	"runtime"
	"time"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// RowSchema is the version of the format of rows. Fields may be added under the same number. Since
// version 2, rows have a digest of their jobs: seeds that draw jobs have different ones.
const RowSchema = 2

// Row is the result of one run: of one cell with one seed. Equal settings and seeds give equal rows
// on every machine, but for the fields that end in _seconds of this level and for peak_bytes.
type Row struct {
	Schema           int                  `json:"schema"`
	Experiment       string               `json:"experiment"` // "" for a cell of the user's own
	Settings         Cell                 `json:"settings"`   // resolved: defaults included
	Seed             uint64               `json:"seed"`
	Commit           string               `json:"commit"`
	Go               string               `json:"go"`
	Source           string               `json:"source"` // name of the workload
	SourceDigest     string               `json:"source_digest"`
	JobsDigest       string               `json:"jobs_digest"` // of the jobs after reading, selecting and estimating
	PlatformNodes    int                  `json:"platform_nodes"`
	SpanSeconds      float64              `json:"span_seconds"` // of the submissions
	Changes          []scheduler.Change   `json:"changes"`      // changes by reading and selecting
	StartsDigest     string               `json:"starts_digest"`
	Summary          metric.Summary       `json:"summary"`
	Formulas         map[string]*float64  `json:"formulas,omitempty"`          // of the user's own; nil if undefined
	FirstExcluded    []int64              `json:"first_excluded,omitempty"`    // jobs that were never started, ten at most
	Decentralised    *parallel.Counts     `json:"decentralised,omitempty"`     // cost of a decentralised policy
	Cores            *parallel.CoreCounts `json:"cores,omitempty"`             // of a run with fidelity cores
	Counts           map[string]int64     `json:"counts,omitempty"`            // of other systems, the unit in the name
	Prediction       *Prediction          `json:"prediction,omitempty"`        // of a cell that predicts latencies
	ClusteringDigest string               `json:"clustering_digest,omitempty"` // of a file of clusters
	Clusters         *cluster.Quality     `json:"clusters,omitempty"`          // that were found
	Share            *Share               `json:"share,omitempty"`             // of a campaign that was shared out
	ElapsedSeconds   float64              `json:"elapsed_seconds"`             // of the policy's run
	PeakBytes        uint64               `json:"peak_bytes"`                  // memory that the process has taken so far

	// Header lists the fields of the log's header that were used.
	Header []scheduler.Statement `json:"header"`
}

// Share says which run of a campaign a row is of.
type Share struct {
	Campaign string `json:"campaign"` // a digest of its runs
	Run      int    `json:"run"`      // counted from 0
	Runs     int    `json:"runs"`     // of the campaign
	Shard    int    `json:"shard"`    // that made the row, counted from 1
	Shards   int    `json:"shards"`
}

// mostExcluded is how many jobs that were never started a row names.
const mostExcluded = 10

// of fills in the result of a run.
func (r *Row) of(w *scheduler.Workload, p *scheduler.Platform, result *scheduler.Result) {
	r.Source, r.SourceDigest, r.PlatformNodes = w.Name, w.Digest, p.Nodes()
	r.Changes, r.Header = w.Changes, w.Header
	r.complete()
	r.SpanSeconds = float64(w.SpanMicros()) / float64(scheduler.Second)
	r.JobsDigest = jobsDigest(w)
	r.StartsDigest, r.Counts = result.Digest, result.Counts
	for _, d := range result.Detail {
		switch d := d.(type) {
		case *parallel.Counts:
			r.Decentralised = d
		case *parallel.CoreCounts:
			r.Cores = d
		default:
			panic(fmt.Sprintf("lab: a row has no place for %T", d))
		}
	}
	for _, record := range result.Records {
		if record.Excluded != "" && len(r.FirstExcluded) < mostExcluded {
			r.FirstExcluded = append(r.FirstExcluded, w.Jobs[record.Job].Number)
		}
	}
}

// complete replaces missing lists by empty ones, so that JSON never has null for them, as it has in
// rows of former versions.
func (r *Row) complete() {
	if r.Changes == nil {
		r.Changes = []scheduler.Change{}
	}
	if r.Header == nil {
		r.Header = []scheduler.Statement{}
	}
	s := &r.Summary // which rows without jobs leave empty
	if s.Excluded == nil {
		s.Excluded = map[string]int{}
	}
	if s.BySize == nil {
		s.BySize = []metric.Class{}
	}
	if s.ByRun == nil {
		s.ByRun = []metric.Class{}
	}
}

// took fills in time and memory.
func (r *Row) took(elapsed time.Duration) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.ElapsedSeconds, r.PeakBytes = elapsed.Seconds(), m.Sys
}

// Key identifies a row: experiment, resolved settings and seed.
func (r *Row) Key() string { return key(r.Experiment, r.Settings, r.Seed) }

func key(experiment string, c Cell, seed uint64) string {
	return fmt.Sprintf("%s|%s|%d", experiment, c, seed)
}
