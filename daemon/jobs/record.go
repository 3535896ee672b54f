package jobs

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// State is where a job is between being accepted and its end.
type State string

// The states. The last five are final.
const (
	Accepted  State = "accepted"  // durable; no owner yet
	Queued    State = "queued"    // a node owns it, and it waits for nodes
	Held      State = "held"      // it waits until its user releases it
	Running   State = "running"   // an attempt has the permit
	Succeeded State = "succeeded" // all tasks ended with 0
	Failed    State = "failed"    // a task ended otherwise
	Cancelled State = "cancelled"
	TimedOut  State = "timed-out"
	Unplaced  State = "unplaced" // no node or cluster can take it
)

// States are all states.
var States = []State{Accepted, Queued, Held, Running, Succeeded, Failed, Cancelled, TimedOut, Unplaced}

// Final reports whether a job in this state has ended.
func (s State) Final() bool {
	switch s {
	case Succeeded, Failed, Cancelled, TimedOut, Unplaced:
		return true
	}
	return false
}

// Status is how the task of one rank ended.
type Status struct {
	Code   int    `json:"code"`
	Signal int    `json:"signal,omitempty"`
	Halted bool   `json:"halted,omitempty"` // ended by the grid
	Unfit  bool   `json:"unfit,omitempty"`  // no host like this one could start it
	Lost   bool   `json:"lost,omitempty"`   // the host has lost it, for a reason on its side
	Unkept bool   `json:"unkept,omitempty"` // it ended with 0, and its outputs could not be kept
	Error  string `json:"error,omitempty"`  // why
}

// OK reports that the task ended by itself, with 0.
func (s Status) OK() bool { return s == Status{} }

// Attempt is one try at a job that had the permit. It is named as its granting owner numbers it.
type Attempt struct {
	By             protocol.NodeID   `json:"by"`
	Epoch          uint32            `json:"epoch"`
	Representative protocol.NodeID   `json:"representative"`
	Hosts          []protocol.NodeID `json:"hosts"` // by rank
	Begin          time.Time         `json:"begin"`
	End            *time.Time        `json:"end,omitempty"`
	Reason         string            `json:"reason,omitempty"` // why it ended
	Statuses       []Status          `json:"statuses,omitempty"`
	Ranks          []Rank            `json:"ranks,omitempty"`
}

// Rank is the report of a rank's host about its task.
type Rank struct {
	Isolation string     `json:"isolation"` // how its processes are held together
	Begin     time.Time  `json:"begin,omitzero"`
	End       *time.Time `json:"end,omitempty"`    // of its last process
	Stderr    string     `json:"stderr,omitempty"` // the last lines, if it failed
	Outputs   []File     `json:"outputs,omitempty"`
	Problem   string     `json:"problem,omitempty"` // why outputs are missing
	Lost      string     `json:"lost,omitempty"`    // its end was lost with this
	OOM       bool       `json:"oom,omitempty"`     // it was killed as the kernel's OOM killer struck

	Unkept     []Unkept   `json:"unkept,omitempty"`      // the first outputs that could not be kept
	UnkeptMore int        `json:"unkept_more,omitempty"` // how many others could not
	Remarks    []string   `json:"remarks,omitempty"`     // notes on missing outputs
	Lacking    Custodians `json:"lacking,omitempty"`     // custodians that had no room for all outputs
}

// Killer names the killer of the task, as a clause that follows how the task has ended. It is empty
// if the killer is not known.
func (r Rank) Killer() string {
	if !r.OOM {
		return ""
	}
	return ", as the kernel's OOM killer ended a process of its cgroup for want of memory"
}

// Change is a change of a job's state.
type Change struct {
	At     time.Time `json:"at"`
	State  State     `json:"state"`
	Reason string    `json:"reason,omitempty"`
}

// Times are the times of a job, the same at every custodian. They are in the record before the
// custodians make the decisions that they date, so a custodian that takes a job over has them, too.
type Times struct {
	Accepted time.Time `json:"accepted,omitzero"`
	Started  time.Time `json:"started,omitzero"` // its first attempt
	Noted    time.Time `json:"noted,omitzero"`   // the latest news of an end: of a task, or the request for it
	Ended    time.Time `json:"ended,omitzero"`
}

// Name names the record of a job among custodians, and never changes once it is accepted: by the
// incarnation of the daemon that took the job, and a number there.
type Name struct {
	By     protocol.NodeID `json:"by"`
	Number uint32          `json:"number"`
}

// Replaces reports whether a daemon has given a job this name in place of the other one. Numbers
// grow, so a message that is late cannot bring an older name back.
func (n Name) Replaces(old Name) bool { return n.By == old.By && n.Number > old.Number }

// Custodians are the daemons that keep a job. In JSON they are names of nodes.
type Custodians []protocol.Address

// MarshalJSON writes names.
func (c Custodians) MarshalJSON() ([]byte, error) { return json.Marshal(c.Nodes()) }

// UnmarshalJSON reads names.
func (c *Custodians) UnmarshalJSON(text []byte) error {
	var nodes []protocol.NodeID
	if err := json.Unmarshal(text, &nodes); err != nil {
		return err
	}
	*c = nil
	for _, id := range nodes {
		*c = append(*c, id.Address)
	}
	return nil
}

// Nodes are the custodians as users see nodes.
func (c Custodians) Nodes() []protocol.NodeID {
	nodes := make([]protocol.NodeID, len(c))
	for i, a := range c {
		nodes[i] = protocol.NodeID{Address: a, Incarnation: 1}
	}
	return nodes
}

// Record is the state of a job at its custodians, except their joint decisions, which are in
// package custody. It is encoded as JSON in the store, between daemons, and for users: fields are
// added, never renamed, since a store outlives releases and a grid may run two of them. So these
// names stay, although others would be clearer: wish and why (the requested end, and its reason),
// and of a status or a rank unfit, unkept and lacking.
type Record struct {
	Version   int       `json:"version"`
	ID        string    `json:"id"`
	Key       string    `json:"key,omitempty"`
	Spec      Spec      `json:"spec"`
	State     State     `json:"state"`
	Requested State     `json:"wish,omitempty"` // the state in which it is to end
	Why       string    `json:"why,omitempty"`  // the reason for that
	Held      bool      `json:"held,omitempty"` // no attempt may begin until it is released
	Changes   []Change  `json:"changes"`
	Attempts  []Attempt `json:"attempts,omitempty"`
	Times     Times     `json:"times"`
	User      string    `json:"user,omitempty"` // the user of the process that submitted it

	Custody    Name       `json:"custody"`
	Custodians Custodians `json:"custodians"`       // the daemons that keep it, the first one took it
	Dead       Custodians `json:"dead,omitempty"`   // of these, the dead ones, when a user asks
	Left       Custodians `json:"left,omitempty"`   // and custodians that have left the grid
	Stamp      Stamp      `json:"stamp"`            // which of two copies is newer
	Acked      bool       `json:"acked,omitempty"`  // the custodians have accepted it
	Asked      *Attempt   `json:"asked,omitempty"`  // it has asked for the permit
	Result     State      `json:"result,omitempty"` // of an array whose elements have ended

	Parent string        `json:"parent,omitempty"` // of an element: the array
	Index  int           `json:"index,omitempty"`  // of an element
	Counts map[State]int `json:"counts,omitempty"` // of an array: its elements, when a user asks

	FailedCode int   `json:"failed_code,omitempty"`     // of an array: the code of its first element that failed
	Failed     []int `json:"failed_elements,omitempty"` // of an array, when a user asks: the failed ones

	Owner protocol.NodeID `json:"owner,omitzero"` // the node that owns it, if any
	Tries int             `json:"tries"`          // submissions to the grid
	Note  string          `json:"note,omitempty"` // the last note of the grid

	NoLease string `json:"no_lease,omitempty"` // why the daemon that a user asks runs nothing
}

// Stamp says when a copy of a record was written: in a later view, and in one view with a higher
// number, is later. Only the primary of a view writes.
type Stamp struct {
	View   uint32 `json:"view"`
	Number uint32 `json:"number"`
}

// After reports whether a copy is newer than another one.
func (s Stamp) After(t Stamp) bool {
	return s.View > t.View || s.View == t.View && s.Number > t.Number
}

// Attempt is the name of an attempt among custodians.
func (a *Attempt) Attempt() custody.Attempt { return custody.Attempt{By: a.By, Epoch: a.Epoch} }

// NewID draws the name of a job: 13 characters, 65 bits.
func NewID() string {
	b := make([]byte, 9)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))[:13]
}

// Open returns the attempt that has the permit, or nil.
func (r *Record) Open() *Attempt {
	if n := len(r.Attempts); n > 0 && r.Attempts[n-1].End == nil {
		return &r.Attempts[n-1]
	}
	return nil
}

// Last returns the latest attempt, or nil.
func (r *Record) Last() *Attempt {
	if n := len(r.Attempts); n > 0 {
		return &r.Attempts[n-1]
	}
	return nil
}

// The exit codes of a job that did not end by itself, for commands that pass on its code.
const (
	ExitTimedOut  = 124
	ExitUnkept    = 252
	ExitCancelled = 130
	ExitGaveUp    = 253
	ExitUnplaced  = 254
)

// ExitCode is the code with which a command ends that waits for the job: that of the first rank
// that failed by itself, or 128 and its signal.
func (r *Record) ExitCode() int {
	switch r.State {
	case Succeeded:
		return 0
	case Cancelled:
		return ExitCancelled
	case TimedOut:
		return ExitTimedOut
	case Unplaced:
		return ExitUnplaced
	}
	if _, s, failed := r.Failing(); failed {
		return s.exit()
	}
	if r.FailedCode > 0 {
		return r.FailedCode
	}
	return ExitGaveUp
}

func (s Status) exit() int {
	switch {
	case s.Unfit:
		return 127
	case s.Unkept:
		return ExitUnkept
	case s.Signal > 0:
		return 128 + s.Signal
	}
	return s.Code
}

// Failing returns the first rank of the last attempt that failed by itself.
func (r *Record) Failing() (rank int, s Status, failed bool) {
	if last := r.Last(); last != nil {
		return last.failing()
	}
	return 0, Status{}, false
}

func (a *Attempt) failing() (rank int, s Status, failed bool) {
	for rank, s := range a.Statuses {
		if !s.OK() && !s.Halted {
			return rank, s, true
		}
	}
	return 0, Status{}, false
}

// Rank returns the report about a rank of an attempt, and creates it if missing.
func (a *Attempt) Rank(rank int) *Rank {
	for len(a.Ranks) < len(a.Hosts) {
		a.Ranks = append(a.Ranks, Rank{})
	}
	return &a.Ranks[rank]
}
