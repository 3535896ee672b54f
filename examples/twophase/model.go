package twophase

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// MaxManagers bounds the resource managers: a word holds two bits for each.
const MaxManagers = 15

// ErrManagers is wrapped by the error about a number of managers that a model cannot have.
var ErrManagers = errors.New("impossible number of resource managers")

// The actions, by the names of the TLA+ module.
const (
	tmCommit = iota
	tmAbort
	tmRcvPrepared
	rmPrepare
	rmChooseToAbort
	rmRcvCommit
	rmRcvAbort
)

// The properties.
const (
	consistent = iota
	commits
	aborts
)

// Model is two-phase commit with a number of resource managers.
//
// The first word of a state holds the states of the managers, one bit of each half for each
// manager: working 00, prepared 01, committed 10, aborted 11. The second word holds the decision
// and two sets of managers: the managers that have sent Prepared, and those from which the
// transaction manager has received it. The transaction manager sends Commit or Abort in the step in
// which it decides, so the decision stands for the message, too.
type Model struct {
	managers uint32
	all      uint32 // a bit for each
}

var _ checker.Model = (*Model)(nil)

const (
	high     = 16 // of a manager, in the first word
	sent     = 15 // where the set of senders begins in the second word
	commit   = 1 << 30
	abort    = 1 << 31
	decision = commit | abort
)

// New returns the model with that many resource managers.
func New(managers int) (*Model, error) {
	if managers < 1 || managers > MaxManagers {
		return nil, fmt.Errorf("%w: %d; it must be from 1 to %d", ErrManagers, managers, MaxManagers)
	}
	return &Model{managers: uint32(managers), all: 1<<managers - 1}, nil
}

// Width implements [checker.Model].
func (m *Model) Width() int { return 2 }

// Initial implements [checker.Model]: all managers work, and no message was sent.
func (m *Model) Initial(add func([]uint32)) { add([]uint32{0, 0}) }

// Properties implements [checker.Model].
func (m *Model) Properties() []checker.Property {
	return []checker.Property{
		consistent: {Name: "Consistent", Doc: "no manager aborts if another commits", Shape: checker.Always},
		commits:    {Name: "Commits", Doc: "all managers commit", Shape: checker.Sometimes},
		aborts:     {Name: "Aborts", Doc: "all managers abort", Shape: checker.Sometimes},
	}
}

// Classes implements [checker.Model].
func (m *Model) Classes() []checker.Class {
	return []checker.Class{
		tmCommit: {Name: "TMCommit"}, tmAbort: {Name: "TMAbort"}, tmRcvPrepared: {Name: "TMRcvPrepared"},
		rmPrepare: {Name: "RMPrepare"}, rmChooseToAbort: {Name: "RMChooseToAbort"},
		rmRcvCommit: {Name: "RMRcvCommitMsg"}, rmRcvAbort: {Name: "RMRcvAbortMsg"},
	}
}

// NewWorker implements [checker.Model]. The model itself is one: it has nothing to keep.
func (m *Model) NewWorker() checker.Worker { return m }
