package placement_test

import (
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// BenchmarkStep takes steps of a node that decides about 10,000 jobs: an attempt of one has the
// permit, the next one has its turn and an owner, and a new one is submitted.
func BenchmarkStep(b *testing.B) {
	const jobs = 10_000
	cfg := placement.DefaultConfig()
	cfg.JobLimit = placement.JobMost
	s := placement.New(protocol.NodeID{Incarnation: 1})
	give := func(c placement.Command) {
		s, _ = placement.Step(&cfg, s, placement.Input{Kind: protocol.Command, Command: c})
	}
	wants := func(job uint32) {
		give(placement.Command{Kind: placement.CommandWants, Job: job, Try: 1, Stamp: uint64(job)})
	}
	for job := range uint32(jobs) {
		wants(job + 1)
	}
	b.ResetTimer()
	for job := uint32(1); b.Loop(); job++ {
		wants(jobs + job)
		give(placement.Command{Kind: placement.CommandOwned, Ticket: s.Ticket, Node: owner})
		give(placement.Command{Kind: placement.CommandPermitted, Job: job, Ticket: s.Job(job).Ticket})
		give(placement.Command{Kind: placement.CommandDrop, Job: job})
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(4*b.N), "µs/step")
}
