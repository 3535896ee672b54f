package model

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

// Budget bounds how often each fault may happen in one run, from 0 to 15 times. Delivery in any
// order is no fault: it happens always, without limit. At least one node survives, so Crash is less
// than their number; Restart is at most Crash, and Repeat takes the place of Duplicate.
type Budget struct {
	Drop      int `json:"drop"`      // messages lost
	Duplicate int `json:"duplicate"` // messages delivered that stay in flight, and so are delivered once more
	Spurious  int `json:"spurious"`  // timers that fire although what they wait for is on its way
	Crash     int `json:"crash"`     // nodes that stop and lose their memory
	Restart   int `json:"restart"`   // crashed nodes that come back as a new incarnation
	Suspect   int `json:"suspect"`   // live nodes that are taken for failed: outside the protocols' assumptions

	// Repeat makes messages come again without end: one that has arrived may arrive again at any later
	// time, as often as it likes, as long as its receiver is there. Equal messages that are on their
	// way at once are one then: it arrives, and whether it comes again is up to the network. Messages
	// that the system lists as not coming again (System.Repeats) are counted, and each arrives once.
	// What has arrived is not in flight any more: GlobalState.NetworkEmpty, Touches and InFlight do not see
	// it. A core that keeps something of every receipt, in a list or a count without a limit, has
	// states without end then.
	Repeat bool `json:"repeat,omitempty"`
}

// Expectation is the declared verdict on one property of a model. A property without one is
// expected to hold.
type Expectation struct {
	Property string `json:"property"`
	Violated bool   `json:"violated"`
	Why      string `json:"why"` // one line: what goes wrong, and under which assumption
}

// Info describes a model to people.
type Info struct {
	Name     string // family/map-commands, unique
	Doc      string // one or two lines: what happens in it
	Nodes    int    // processes, joiners included
	Resized  bool   // Nodes is not the model's own number
	Bounds   string // what bounds the run apart from the faults: "3 zones, 1 join, 1 leave, 3 rounds a node"
	Budget   Budget
	Expected []Expectation
	Deep     bool          // too large for the default run
	Words    []traces.Term // what the words mean that its texts use; for readers
}

// Resizable is a Checkable that can be made larger.
type Resizable interface {
	Checkable
	// WithNodes returns the same system with that many processes, those from outside included. An
	// impossible number is an error that wraps [ErrNodes] and names the remedy.
	WithNodes(nodes int) (Checkable, error)
}

// Safe is a Checkable that can do without its liveness properties, which take the graph of all
// states to decide.
type Safe interface {
	Checkable
	// Safety returns the same system without them.
	Safety() Checkable
}

// Checkable is a closed system that can be checked and replayed.
type Checkable interface {
	Info() Info
	// With returns the same system under another fault budget. What the system cannot do (more crashes
	// than nodes, a restart without a crash) is an error that names the bound and the remedy.
	With(Budget) (Checkable, error)
	// Model returns the system as the checker takes it. Its actions are those of Machine, in the same
	// order.
	Model() checker.Model
	// Machine returns the system as a replayer takes it.
	Machine() traces.Machine
}
