package main

import (
	"context"
	"math/rand/v2"
	"net"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/protocol"
)

// Fabric is the network of a run.
type Fabric struct{ *fabric }

// NewFabric opens doors, and listeners behind them.
func NewFabric(nodes int, base [2]byte) (Fabric, []net.Listener, error) {
	f, err := newFabric(nodes, base)
	if err != nil {
		return Fabric{}, nil, err
	}
	var rooms []net.Listener
	for i := range nodes {
		l, err := net.Listen("tcp", f.listen(i))
		if err != nil {
			return Fabric{}, nil, err
		}
		rooms = append(rooms, l)
	}
	return Fabric{f}, rooms, nil
}

// Dial connects as a node to another.
func (f Fabric) Dial(from, to int) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(f.address(from))}}
	return d.Dial("tcp", f.door(to))
}

// Cut cuts a way, or opens it again.
func (f Fabric) Cut(from, to, by int) { f.cut(from, to, by) }

// Reset resets connections.
func (f Fabric) Reset(a, b int) int { return f.reset(a, b) }

// Close ends the network.
func (f Fabric) Close() { f.close() }

// The outputs that users get.
type (
	OutputFile = outputFile
	Content    = content
)

// File names an output.
func File(job string, rank int, path string) OutputFile { return outputFile{job, rank, path} }

// Got is the content of an output, or the error of a user who asked for it.
func Got(text string, err error) Content { return content{text, err} }

// The declared outputs of jobs, and their contents.
var (
	Declares    = declares
	OutputPaths = outputPaths
	ContentOf   = contentOf
)

// Visits lets a hostile member connect several times.
func Visits(id *identity.Identity, grid config.Grid, target string, times int) (greeted, refused, frames int) {
	h := &hostile{
		id: id, config: grid, target: target, endpoint: target, others: []string{target}, r: rand.New(rand.NewPCG(1, 2)),
		life: protocol.NodeID{Address: id.Address},
	}
	for range times {
		h.visit(context.Background())
	}
	return h.greeted, h.refused, h.frames
}

// Seen is the evidence of a test.
type Seen struct {
	Ledger string // file
	Final  map[string]*jobs.Record
	Codes  map[string]int // of acknowledged jobs
	Ended  map[string]time.Duration
	Killed map[string]bool
	ReadAt time.Duration // the records
	Lost   []string      // names of machines
	Files  map[OutputFile]Content
}

// IsOrphan reports whether a run waits no longer for a job, since its taker was on one of the lost
// machines.
func IsOrphan(record *jobs.Record, acknowledged bool, lost ...string) bool {
	h := harm{lost: machines(lost)}
	return h.isOrphan(record, acknowledged)
}

// machines are lost.
func machines(lost []string) (all []lostMachine) {
	for _, letter := range lost {
		all = append(all, lostMachine{letter: letter})
	}
	return all
}

// Judge returns the verdicts of some judges.
func Judge(s Seen) ([]Judgement, error) {
	l, err := trials.ReadLedger(s.Ledger)
	if err != nil {
		return nil, err
	}
	plan := Plan{Nodes: 3}
	r := &run{
		Options: Options{Plan: plan}, report: newReport(Options{Plan: plan}),
		workload: &workload{jobs: map[string]*handed{}},
	}
	r.lost, r.kills = machines(s.Lost), s.Killed
	for id, code := range s.Codes {
		h := &handed{id: id, code: code, endKnown: s.Ended[id]}
		if record := s.Final[id]; record != nil {
			h.spec = record.Spec
		}
		r.workload.jobs[id] = h
	}
	e := &evidence{run: r, ledger: l, final: s.Final, readAt: s.ReadAt, files: s.Files}
	return []Judgement{e.kept(), e.oneRun(), e.stays(), e.onePermit(), e.results(), e.outputsKept()}, nil
}
