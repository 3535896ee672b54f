package main

import (
	"slices"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/protocol"
)

// harm is what the faults of a run have done. The judges allow for its consequences.
type harm struct {
	crashed  []crash
	stops    []stop // which daemons and shims were stopped when
	lost     []lostMachine
	hostiles []string // names of members that are no daemons

	mu    sync.Mutex
	kills map[string]bool // jobs of which a task was killed, and not only its shim
	left  []string        // processes that outlived their daemon
}

// crash is a kill of a daemon, or the end of one that left.
type crash struct {
	letter string // of the node
	at     time.Duration
}

// lostMachine is a machine that was lost with its disk.
type lostMachine struct {
	letter string
	folder string // what its disk held; only the judges read it
}

// onLost reports whether a life ran on a machine that was lost.
func (h *harm) onLost(id protocol.NodeID) bool {
	for _, l := range h.lost {
		if l.letter == trials.LetterOf(id.String()) {
			return true
		}
	}
	return false
}

// bereft reports whether a job has lost half of its custodians, or more, with the machines on which
// they ran. Then nobody can know how it stands: of three disks any two must come back, and of two
// the one that failed last.
func (h *harm) bereft(record *jobs.Record) bool {
	lost := 0
	for _, id := range record.Custodians.Nodes() {
		if h.onLost(id) {
			lost++
		}
	}
	return lost > 0 && 2*lost >= len(record.Custodians)
}

// isOrphan reports whether a job was handed in at a machine that was lost before its client heard
// of it. Only that daemon knew whether it takes the job: the other custodians keep it for ten
// minutes, for which no run waits.
func (h *harm) isOrphan(record *jobs.Record, acknowledged bool) bool {
	taker := protocol.NodeID{Address: record.Custody.By.Address, Incarnation: 1}
	return !acknowledged && record.State == jobs.Accepted && len(record.Attempts) == 0 && h.onLost(taker)
}

// isLost reports whether a node is known to be dead whose machine was lost.
func (h *harm) isLost(n api.NodeReport) bool { return n.Error == api.Dead && h.onLost(n.Node) }

// isHostile reports whether a node is a hostile member.
func (h *harm) isHostile(n api.NodeReport) bool {
	return slices.Contains(h.hostiles, trials.LetterOf(n.Node.String()))
}
