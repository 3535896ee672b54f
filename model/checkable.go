package model

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

// Budget bounds how often each fault may happen in one run, from 0 to 15 times. Reordering is no
// fault: whether messages arrive in order is up to System.Network. Crash is less than the number of
// nodes, since at least one node survives. Restart is at most Crash, Repeat excludes
// Duplicate, and Adversarial both.
type Budget struct {
	Drop      int `json:"drop"`      // messages dropped
	Duplicate int `json:"duplicate"` // messages delivered that stay in flight, and so are delivered once more
	Spurious  int `json:"spurious"`  // premature timeouts: the awaited message is still in flight
	Crash     int `json:"crash"`     // nodes that stop and lose their memory
	Restart   int `json:"restart"`   // crashed nodes that come back as a new incarnation
	Suspect   int `json:"suspect"`   // false suspicions of live nodes: outside the protocols' assumptions

	// Repeat allows unbounded duplication: a message that has arrived may arrive again at any later
	// time, any number of times, as long as its receiver is up. Equal messages in flight are one
	// message then. Messages that System.Repeats excludes are counted, and each arrives once. A
	// message that has arrived is no longer in flight: GlobalState.NetworkEmpty, Touches and
	// InFlight do not see it. A core that records every receipt, in a list or an unbounded count,
	// has infinitely many states then. A FIFO network refuses Repeat.
	Repeat bool `json:"repeat,omitempty"`

	// Adversarial makes the network the set of all messages ever sent, which never shrinks. A
	// message arrives once in time, as ever, unless it is dropped. In addition it may arrive at any
	// later time, any number of times, at any later incarnation of its address: also if it was
	// dropped, and if its receiver was down when it was sent. The driver's duty to deliver a
	// message only to the incarnation that it names is suspended, unless System.ThisIncarnation
	// demands it: a core that holds nevertheless does not need it. The remarks of Repeat about
	// equal messages, System.Repeats and GlobalState hold here, too. It includes Repeat and
	// Duplicate, and refuses them. A FIFO network refuses it.
	Adversarial bool `json:"adversarial,omitempty"`

	// Late bounds adversarial delivery: this many messages of the past arrive out of time, and no
	// more. All kinds of messages are affordable then where Adversarial has too many states. Equal
	// messages in flight are counted, as without it. Repeat and Adversarial exclude it.
	Late int `json:"late,omitempty"`
}

// Expectation is the expected verdict on one property of a model. A property without one is
// expected to hold.
type Expectation struct {
	Property string `json:"property"`
	Violated bool   `json:"violated"`
	Why      string `json:"why"` // one line: the failure, and the dropped assumption
}

// Info describes a model to its users.
type Info struct {
	Name     string // family/map-commands, unique
	Doc      string // one or two lines: its events
	Nodes    int    // how many, joining ones included
	Resized  bool   // Nodes is not the model's default
	Bounds   string // bounds of the run other than the faults: "3 zones, 1 join, 1 leave, 3 rounds a node"
	Budget   Budget
	Expected []Expectation
	Deep     bool          // too large for the default run
	Words    []traces.Term // explains the words of its texts
}

// Resizable is a Checkable that can be made larger.
type Resizable interface {
	Checkable
	// WithNodes returns the same system with that many nodes, joining ones included. An impossible
	// number is an error that wraps [ErrNodes] and names the remedy.
	WithNodes(nodes int) (Checkable, error)
}

// Safe is a Checkable that can be checked without its liveness properties. They take the graph of
// all states to decide.
type Safe interface {
	Checkable
	// Safety returns the same system without them.
	Safety() Checkable
}

// Checkable is a closed system that can be checked and replayed.
type Checkable interface {
	Info() Info
	// With returns the same system under another fault budget. An impossible budget (more crashes
	// than nodes, a restart without a crash) is an error that names the bound and the remedy.
	With(Budget) (Checkable, error)
	// Model returns the system for the checker. Its actions are those of Machine, in the same
	// order.
	Model() checker.Model
	// Machine returns the system for replays.
	Machine() traces.Machine
}

// maxBudget is the largest budget of one fault: the rest of a budget is packed into one word.
const maxBudget = 15

// fault is a kind of fault, and its position in the packed budget.
type fault uint8

const (
	drop fault = iota
	duplicate
	spurious
	crash
	restart
	suspect
	late
	faults
)

var faultNames = [faults]string{"drop", "duplicate", "spurious", "crash", "restart", "suspect", "late"}

// packed is the rest of a budget, four bits a fault.
type packed uint32

// list returns the budget of each fault.
func (b Budget) list() [faults]int {
	return [faults]int{b.Drop, b.Duplicate, b.Spurious, b.Crash, b.Restart, b.Suspect, b.Late}
}

func (b Budget) packed() packed {
	var p packed
	for i, n := range b.list() {
		p |= packed(n) << (4 * i)
	}
	return p
}

func (p packed) left(f fault) bool { return p>>(4*f)&maxBudget != 0 }

func (p packed) String() string {
	var parts []string
	for f := range faults {
		if n := p >> (4 * f) & maxBudget; n > 0 {
			parts = append(parts, faultNames[f]+" "+strconv.Itoa(int(n)))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// endless reports whether messages may arrive again without bound.
func (b Budget) endless() bool { return b.Repeat || b.Adversarial }

// adversarial reports whether messages may arrive out of time, dropped ones included.
func (b Budget) adversarial() bool { return b.Adversarial || b.Late > 0 }

// String lists the faults of the budget: "repeat without end, crash 1", or "none".
func (b Budget) String() string { return traces.Budget(b).String() }

// ForBudget returns the system that describe returns for a budget. With describes it again for
// another budget. So properties can depend on the faults, as one does that presumes that no node
// fails.
func ForBudget(b Budget, describe func(Budget) (Checkable, error)) (Checkable, error) {
	c, err := describe(b)
	if err != nil {
		return nil, err
	}
	return rebudgeted{c, describe}, nil
}

type rebudgeted struct {
	Checkable
	describe func(Budget) (Checkable, error)
}

// With implements [Checkable].
func (r rebudgeted) With(b Budget) (Checkable, error) { return ForBudget(b, r.describe) }

// Safety implements [Safe].
func (r rebudgeted) Safety() Checkable {
	if safe, ok := r.Checkable.(Safe); ok {
		return safe.Safety()
	}
	return r
}
