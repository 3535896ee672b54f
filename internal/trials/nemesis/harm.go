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

// harm is the effect of the faults of a run. The judges allow for its consequences.
type harm struct {
	crashed  []crash
	stops    []stop // which daemons and shims were stopped when
	lost     []lostMachine
	hostiles []string // names of members that are no daemons

	mu    sync.Mutex
	kills map[string]bool // jobs of which a task was killed, and not only its shim
	left  []string        // processes that outlived their daemon
}

// crash is the kill of a daemon, or the end of a daemon that left.
type crash struct {
	letter string // of the node
	at     time.Duration
}

// lostMachine is a machine that was lost with its disk.
type lostMachine struct {
	letter string
	folder string // the files of its disk; only the judges read them
}

// onLost reports whether an incarnation ran on a machine that was lost.
func (h *harm) onLost(id protocol.NodeID) bool {
	for _, l := range h.lost {
		if l.letter == trials.LetterOf(id.String()) {
			return true
		}
	}
	return false
}

// bereft reports whether a job has lost half of its custodians, or more, with the machines on which
// they ran. Then its state cannot be determined: of three disks any two must come back, and of two
// the last to fail.
func (h *harm) bereft(record *jobs.Record) bool {
	lost := 0
	for _, id := range record.Custodians.Nodes() {
		if h.onLost(id) {
			lost++
		}
	}
	return lost > 0 && 2*lost >= len(record.Custodians)
}

// isOrphan reports whether a job was submitted to a machine that was lost before its client got an
// answer. Only that daemon could decide whether to accept it: the other custodians keep it for ten
// minutes, for which no run waits.
func (h *harm) isOrphan(record *jobs.Record, acknowledged bool) bool {
	taker := protocol.NodeID{Address: record.Custody.By.Address, Incarnation: 1}
	return !acknowledged && record.State == jobs.Accepted && len(record.Attempts) == 0 && h.onLost(taker)
}

// isLost reports whether a node on a lost machine is known to be dead.
func (h *harm) isLost(n api.NodeReport) bool { return n.Error == api.Dead && h.onLost(n.Node) }

// isHostile reports whether a node is a hostile member.
func (h *harm) isHostile(n api.NodeReport) bool {
	return slices.Contains(h.hostiles, trials.LetterOf(n.Node.String()))
}
