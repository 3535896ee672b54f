package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

// BodyLimit is the largest body of a request, in bytes.
const BodyLimit = 1 << 20

// Version is that of the JSON: fields are added, and a renamed one keeps its former name for a
// release.
const Version = 1

// Submission is the request to take a job.
type Submission struct {
	Spec jobs.Spec `json:"spec"`
	Key  string    `json:"key,omitempty"` // one key is one job
}

// ListQuery asks for jobs of the grid, which all daemons are asked for.
type ListQuery struct {
	Only  bool      // of one daemon: its own copies
	Node  string    // the name of that daemon; empty: the daemon that is asked
	Key   string    // of this submit key
	User  string    // submitted by this user
	Since time.Time // accepted since then
	Whole bool      // whole records, not summaries
}

// Listing is jobs of the grid, the oldest first.
type Listing struct {
	Version int            `json:"version"`
	Jobs    []*jobs.Record `json:"jobs"`

	// Silent are the daemons that have not answered: jobs that no other one keeps are missing. The
	// name in JSON stays: a program and its daemon may be of different releases.
	Silent []Silence `json:"silent,omitempty"`
}

// Silence is a daemon that has not answered, and why.
type Silence struct {
	Node  protocol.NodeID `json:"node"`
	Error string          `json:"error"`
}

// OutputQuery asks for a part of the output of a rank.
type OutputQuery struct {
	Attempt int    // index into Record.Attempts; -1: the latest
	Rank    int    // from 0
	Stream  string // stdout or stderr
	Offset  int64
	Most    int64 // bytes; 0: all that there is so far
}

// Output is a part of an output, which must be closed.
type Output struct {
	io.ReadCloser
	Size int64 // of the output so far
}

// Part returns the end of the requested part of an output of the given size.
func (q *OutputQuery) Part(size int64) (end int64) {
	end = max(size, q.Offset)
	if q.Most > 0 {
		end = min(end, q.Offset+q.Most)
	}
	return end
}

// NodeReport is the report of a daemon about itself.
type NodeReport struct {
	Version   int               `json:"version"`
	Node      protocol.NodeID   `json:"node"`
	Name      string            `json:"name"` // of its key
	Endpoint  string            `json:"endpoint"`
	Phase     string            `json:"phase"` // of its membership: member, joining, …
	Zone      string            `json:"zone"`  // of the map
	Share     float64           `json:"share"` // of the map
	Witness   bool              `json:"witness,omitempty"`
	LeaseLeft time.Duration     `json:"lease_left_ns"`      // 0: it holds none, and runs nothing
	NoLease   string            `json:"no_lease,omitempty"` // why it runs nothing
	Cluster   []protocol.NodeID `json:"cluster"`
	Queue     int               `json:"queue"`             // tasks that it holds
	Running   string            `json:"running,omitempty"` // the attempt whose task it runs
	CPUs      int               `json:"cpus"`
	MemoryGiB int               `json:"memory_gib"`
	Isolation string            `json:"isolation"`                 // of processes
	Exposed   []string          `json:"exposed,omitempty"`         // resources that tasks could reach, in sentences
	Open      bool              `json:"border_open,omitempty"`     // part of the zone boundary has no live neighbour
	Gone      []protocol.NodeID `json:"dead_neighbours,omitempty"` // on the map, whose zones have no owner yet
	Draining  bool              `json:"draining,omitempty"`        // it leaves when nothing runs on it
	NoTasks   string            `json:"no_tasks,omitempty"`        // why it takes no tasks, though it is in the grid
	Awaits    int               `json:"open_jobs,omitempty"`       // jobs that must end before it leaves
	Error     string            `json:"error,omitempty"`           // why it did not answer

	SinceDeath time.Duration `json:"since_last_death_ns,omitempty"` // since it was notified of a death; 0: never

	Process

	Doing *Doing `json:"task,omitempty"` // its task that runs, or is made ready

	Certificate *Certificate `json:"certificate,omitempty"` // as others see it

	Witnesses []protocol.NodeID `json:"witnesses,omitempty"` // of the grid, which never change
	Known     int               `json:"known_nodes"`         // nodes of the grid that it has listed, itself among them

	FormerReport
}

// Process is the process of a daemon.
type Process struct {
	Build  string        `json:"build"`
	Uptime time.Duration `json:"uptime_ns"`
}

// FormerReport has fields of a [NodeReport] under their former names. This release writes both
// names, and reads reports of daemons that write only these.
type FormerReport struct {
	FormerGone       []protocol.NodeID `json:"gone,omitempty"`
	FormerSinceDeath time.Duration     `json:"bereaved_ns,omitempty"`
	FormerAwaits     int               `json:"awaits,omitempty"`
	FormerDoing      *Doing            `json:"doing,omitempty"`
	FormerKnown      int               `json:"known"`
}

// AddFormerNames copies fields to their former names.
func (r *NodeReport) AddFormerNames() {
	if r.Doing != nil {
		r.Doing.FormerPlaced = r.Doing.Placed
	}
	r.FormerReport = FormerReport{r.Gone, r.SinceDeath, r.Awaits, r.Doing, r.Known}
}

// UnmarshalJSON reads a report, also if it has only the former names.
func (r *NodeReport) UnmarshalJSON(text []byte) error {
	type plain NodeReport
	if err := json.Unmarshal(text, (*plain)(r)); err != nil {
		return err
	}
	f := &r.FormerReport
	if len(r.Gone) == 0 {
		r.Gone = f.FormerGone
	}
	if r.Doing == nil && f.FormerDoing != nil {
		r.Doing = f.FormerDoing
		r.Doing.Placed = f.FormerDoing.FormerPlaced
	}
	r.SinceDeath, r.Awaits = cmp.Or(r.SinceDeath, f.FormerSinceDeath), cmp.Or(r.Awaits, f.FormerAwaits)
	r.Known = cmp.Or(r.Known, f.FormerKnown)
	return nil
}

// Certificate is that of a daemon, which it has renewed in time.
type Certificate struct {
	Ends    time.Time     `json:"ends"`
	Left    time.Duration `json:"left_ns"`           // until then, by the clock of its machine; negative: it has ended
	Warning string        `json:"warning,omitempty"` // a sentence: it is not renewed, or a clock is wrong
}

// Doing is the activity of a host for its task.
type Doing struct {
	Job     string `json:"job"`
	Attempt string `json:"attempt"`
	Stage   string `json:"stage"`        // one of the stages
	Copied  int64  `json:"copied"`       // bytes of its inputs that have arrived
	Placed  int64  `json:"placed"`       // and of those in its working folder
	Inputs  int64  `json:"inputs_bytes"` // bytes of all of them, but for standard input

	Outputs int64 `json:"outputs_bytes,omitempty"` // bytes that custodians are to keep, once its process has ended

	FormerPlaced int64 `json:"laid"`
}

// The stages of a task at its host.
const (
	StageCopies  = "copies"  // its inputs
	StageReady   = "ready"   // waits for the other hosts, or for the permit
	StageRuns    = "runs"    // its process
	StageEnds    = "ends"    // its process has the signal to end
	StageOutputs = "outputs" // are being kept
	StageOver    = "over"    // its outcome is being kept
)

// SoleWitness is the only witness of a grid of three nodes or more, so that nothing runs while it
// is down. Every report has it, so one answer is enough.
func (r *NodeReport) SoleWitness() (id protocol.NodeID, is bool) {
	if r.Known < 3 || len(r.Witnesses) != 1 {
		return id, false
	}
	return r.Witnesses[0], true
}

// From incarnation OldLife on users are warned: a node has LastLife lives.
const (
	OldLife  = 60_000
	LastLife = 65_535
)

// MemberPhase is the phase of a node that has a zone of the map.
const MemberPhase = "member"

// Dead is the Error of a node whose death is certified.
const Dead = "dead"

// Left is the Error of a node that has left the grid in order, and Leaves that of a node that has
// left and does not count as dead yet: its daemon is ending.
const (
	Left   = "left"
	Leaves = "leaving"
)

// IsOver reports whether no incarnation of the node is in the grid.
func (r *NodeReport) IsOver() bool { return r.Error == Dead || r.Error == Left }

// Broken describes a defect of the map, or is empty if it is whole: a part without an owner, or
// members that still lack a neighbour. It is empty while a node does not answer. After a failure a
// map is broken until others have taken over.
func Broken(nodes []NodeReport) string {
	gap, misses := 1.0, ""
	for _, n := range nodes {
		if n.Error != "" && !n.IsOver() {
			return ""
		}
		gap -= n.Share
		switch {
		case n.Share == 0 || !n.Open || misses != "":
		case len(n.Gone) > 0:
			misses = fmt.Sprintf("node %v misses the zone of its neighbour %v, which is dead", n.Node, n.Gone[0])
		default:
			misses = fmt.Sprintf("node %v does not know all its neighbours", n.Node)
		}
	}
	if gap > 1e-9 {
		return fmt.Sprintf("%.1f %% of the map have no owner", 100*gap)
	}
	return misses
}

// Torn is Broken as users read it: if no node has a part of the map, it is not broken, but not
// there yet, or no longer.
func Torn(nodes []NodeReport) string {
	if !slices.ContainsFunc(nodes, func(n NodeReport) bool { return n.Share > 0 }) {
		return ""
	}
	return Broken(nodes)
}

// takeoverTime is how long a takeover may take after a death: several proposals, each of which may
// be refused or lost.
const takeoverTime = 10 * time.Second

// Repairing reports whether a node has died just now, so that others may still take over its part
// of the map.
func Repairing(nodes []NodeReport) bool {
	return slices.ContainsFunc(nodes, func(n NodeReport) bool { return n.SinceDeath > 0 && n.SinceDeath < takeoverTime })
}

// Health is whether a daemon can do its part.
type Health struct {
	Version int      `json:"version"`
	Live    bool     `json:"live"`    // its loop answers
	Ready   bool     `json:"ready"`   // and it can run jobs
	Reasons []string `json:"reasons"` // why it is not ready, or soon will not be, in sentences
}

// DrainQuery makes a node leave the grid, or takes that back.
type DrainQuery struct {
	Node  string        // its name; empty: the daemon that is asked
	Limit time.Duration // its daemon ends at the latest then; 0: no limit
	Off   bool          // it stays
	Yes   bool          // also if only one node is left then
}

// TokenQuery asks for a token with which nodes join the grid.
type TokenQuery struct {
	Life time.Duration `json:"life_ns"`
	Uses int           `json:"uses"`
}

// Token lets nodes join the grid. It is a secret.
type Token struct {
	Version int       `json:"version"`
	Text    string    `json:"token"`
	Expiry  time.Time `json:"expiry"`
	Uses    int       `json:"uses"`
}

// The kinds of events: of jobs, and of cores.
const (
	JobEvent     = "job"
	PeerEvent    = "peer"
	MusterEvent  = "muster"
	CustodyEvent = "custody"
)

// EventKinds lists the kinds of events.
func EventKinds() []string { return []string{JobEvent, PeerEvent, MusterEvent, CustodyEvent} }

// Event is something that has happened at the daemon.
type Event struct {
	Version int             `json:"version"`
	Cursor  uint64          `json:"cursor"` // counts the events of an incarnation of the daemon
	At      time.Time       `json:"at"`
	Node    protocol.NodeID `json:"node"`
	Kind    string          `json:"kind"` // one of EventKinds
	Job     string          `json:"job,omitempty"`
	Text    string          `json:"text"`
}

// Reasons are why a job waits, in sentences.
type Reasons struct {
	Version int      `json:"version"`
	Job     string   `json:"job"`
	Reasons []string `json:"reasons"`

	// Missing are the daemons that keep its record, say nothing, and without which it cannot go on.
	Missing []protocol.NodeID `json:"missing,omitempty"`

	// NoLease says that the daemon that was asked has no lease: it runs nothing, and takes no jobs.
	NoLease bool `json:"no_lease,omitempty"`
}

// Line is a piece of the output of a job, as a command writes it.
type Line struct {
	Version int           `json:"version"`
	Job     string        `json:"job"`
	Attempt int           `json:"attempt"` // from 1
	Rank    int           `json:"rank"`
	Stream  string        `json:"stream"` // stdout or stderr
	Text    verbatim.Text `json:"text"`   // without its line feed
}

// Element is an element of an array that has had its turn.
type Element struct {
	Version int               `json:"version"`
	Job     string            `json:"job"` // its id
	Index   int               `json:"index"`
	State   jobs.State        `json:"state"`
	Code    int               `json:"code"`              // its exit code, once it has ended
	Reason  string            `json:"reason,omitempty"`  // why it has failed
	Attempt int               `json:"attempt,omitempty"` // the latest, from 1; 0: no attempt yet
	Hosts   []protocol.NodeID `json:"hosts,omitempty"`   // of that one

	// The output of all ranks of that attempt, in bytes. Mute is a host that has not answered.
	Stdout int64  `json:"stdout_bytes"`
	Stderr int64  `json:"stderr_bytes"`
	Mute   string `json:"unreachable_host,omitempty"`
	Former string `json:"mute,omitempty"` // former name of unreachable_host
}

// Content is a content that a daemon keeps for jobs.
type Content struct {
	Version int    `json:"version"`
	Digest  string `json:"sha256"`
	Size    int64  `json:"size"`
}

// Grid is the interface of a daemon for its users. Its methods may be called from any goroutine.
type Grid interface {
	Submit(ctx context.Context, s Submission) (*jobs.Record, error)
	Jobs(ctx context.Context, q ListQuery) (Listing, error)
	Job(ctx context.Context, id string) (*jobs.Record, error)
	Wait(ctx context.Context, id string) (*jobs.Record, error) // until it has ended, or ctx has
	Cancel(ctx context.Context, id string) (*jobs.Record, error)
	CancelLater(ctx context.Context, id string) (*jobs.Record, error) // does not wait for its end
	Output(ctx context.Context, id string, q OutputQuery) (Output, error)
	Hold(ctx context.Context, id string) (*jobs.Record, error)
	Release(ctx context.Context, id string) (*jobs.Record, error)
	Remove(ctx context.Context, id string) (*jobs.Record, error)            // of a job that has ended
	AcceptLoss(ctx context.Context, id, lost string) (*jobs.Record, error)  // the disk of one of its two custodians
	Elements(ctx context.Context, id string, sizes bool) ([]Element, error) // with the sizes of their outputs
	Put(ctx context.Context, content io.Reader) (Content, error)
	Open(ctx context.Context, digest string) (io.ReadCloser, error)
	Why(ctx context.Context, id string) (Reasons, error)
	Regrid(ctx context.Context) error
	Drain(ctx context.Context, q DrainQuery) (NodeReport, error) // the daemon ends by itself afterwards
	Nodes(ctx context.Context) ([]NodeReport, error)
	Report(ctx context.Context, name string) (NodeReport, error) // empty: the daemon that is asked
	Events(ctx context.Context, after uint64, wait bool) ([]Event, error)
	EventsOf(ctx context.Context, node string, after uint64) ([]Event, error) // of another daemon
	Token(ctx context.Context, q TokenQuery) (Token, error)
	Health(ctx context.Context) (Health, error)
	Metrics(ctx context.Context) (string, error) // in the text format of Prometheus
}
