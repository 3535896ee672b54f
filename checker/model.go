package checker

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Model is a finite transition system. A state is a vector of Width 32-bit words. The model defines
// the meaning of the words; usually they are ids of interned components (see [Interner]).
//
// Two vectors are the same state if and only if their words are equal. The numeric value of a word
// has no meaning to the engine: ids may differ from one run to the next, and no result depends on
// them.
type Model interface {
	// Width is the number of words in a state, at least 1 and the same for the whole check.
	Width() int

	// Initial passes every initial state to add, in an order that depends only on their meaning.
	// The vector is copied, so one buffer may serve for all of them.
	Initial(add func(state []uint32))

	// Properties lists what to check. Workers identify a property by its index in this list.
	Properties() []Property

	// Classes names the kinds of actions. An action is identified by the index of its class in this
	// list.
	Classes() []Class

	// NewWorker returns the functions of the model for one goroutine at a time. Workers of one
	// model run concurrently, so what they share must be safe for concurrent use.
	NewWorker() Worker
}

// Worker evaluates a [Model]. Its methods are functions of the meaning of the state: in spite of
// caches, they return the same in every worker and in every run. They must not change or retain the
// vectors that they are given.
type Worker interface {
	// Expand adds one successor for every enabled action, in an order that depends only on the
	// meaning of the state: never on ids, hash values or the iteration of a map. Two actions that
	// lead to the same state are two successors. An action that leads back to the state is a
	// successor too.
	Expand(state []uint32, out *Successors)

	// Holds evaluates the predicate of a property: the invariant of an Always, the witness of a
	// Sometimes, the invariant of quiescent states of a Quiescent, the goal of a LeadsTo, a Reaches
	// or an AlmostSurely.
	Holds(property int, state []uint32) bool

	// Triggers reports whether an obligation begins in the state. It is called only for LeadsTo,
	// Reaches and AlmostSurely.
	Triggers(property int, state []uint32) bool

	// Quiescent reports whether the state is quiescent: nothing is in flight and no timer is
	// pending. It is called only if the model has a Quiescent property.
	Quiescent(state []uint32) bool

	// QuiescentEnd reports whether a state without successors is a quiescent end: a state where the
	// system may stop. Where it is false, the state is a deadlock. It is called only of states
	// without successors.
	QuiescentEnd(state []uint32) bool
}

// MemoryReporter is implemented by models that know how many bytes their own tables hold. The
// engine adds that figure to its own when it compares with [Options.MemoryLimitBytes].
type MemoryReporter interface {
	MemoryBytes() uint64
}

// Class is a kind of action: a name for reports, and the unit of fairness.
type Class struct {
	Name string
	// Fair makes the class weakly fair: runs are excluded in which, from some point on, an action of
	// the class is enabled in every state and never taken. Only LeadsTo depends on it.
	Fair bool
	// Strong makes the class strongly fair, which implies Fair: runs are excluded in which an action
	// of the class is enabled in infinitely many states and only finitely many are taken. The
	// assumption is stronger, since it needs a scheduler that remembers which class it passed over.
	Strong bool
	// Finite says that a run takes only finitely many actions of the class: they may happen, but
	// nothing can count on them, such as faults and commands. So a run may also end where nothing
	// else is enabled. Only LeadsTo depends on it.
	Finite bool
	// Optional says that nothing forces an action of the class: a run may stop where nothing else
	// is enabled, as a client may that never gives back a lock. Unlike a Finite class it may also
	// be taken forever. It excludes the other marks. Only LeadsTo depends on it.
	//
	// A class without any mark is forced: others may always be preferred, but a run does not stop
	// where one of its actions is enabled. [Outcome.Forced] lists the verdicts that rest on that.
	Optional bool
}

// maxClasses bounds the classes of a model: a class takes two bytes for each transition.
const maxClasses = 1 << 16

// Shape defines the meaning of the predicates of a [Property].
type Shape uint8

const (
	// Always: Holds is true in every reachable state. The counterexample is a shortest path to a
	// state where it is false.
	Always Shape = iota + 1

	// Sometimes: Holds is true in some reachable state. The path is a shortest one to such a state;
	// a violation has no path, since it is the absence of one.
	Sometimes

	// Quiescent: Holds is true in every reachable state that is quiescent.
	Quiescent

	// LeadsTo: on every fair run, each state where Triggers is true and Holds is not is followed by a
	// state where Holds is true. A run that ends with the obligation open is a violation. It ends in a
	// state without successors, or in a state where only classes marked Finite or Optional are
	// enabled. It stops nowhere else: a class without a mark is forced. A cycle that never meets the
	// obligation is a violation too, unless it is unfair to a class marked Fair or Strong, or takes an
	// action of a class marked Finite.
	LeadsTo

	// Reaches: from every reachable state where Triggers is true, some path leads to a state where
	// Holds is true: AG (trigger => EF goal) in CTL. It says nothing about the states on the way: a
	// wrong turn taken after the trigger may lose the goal. Fairness plays no part.
	Reaches

	// AlmostSurely: as long as an obligation is open, some path to a state where Holds is true
	// remains. Obligations open as for LeadsTo. It is Reaches, demanded not only of the state that
	// opens the obligation but of every state that a run can reach before it meets the goal. In a
	// finite system that is equivalent to: if every enabled action has a chance, independent of the
	// past, to be the next, the goal follows with probability 1. In other words, no run with an
	// open obligation enters a bottom component (a dead end, or a set of states that is never left)
	// without a goal in it.
	AlmostSurely

	// DeadlockFree: every reachable state without successors is a quiescent end. It is checked of
	// every model and must not be listed among its properties.
	DeadlockFree
)

var shapeNames = [...]string{
	"", "always", "sometimes", "quiescent", "leads to", "reaches", "almost surely", "deadlock free",
}

// String returns the name of the shape in lower-case words.
func (s Shape) String() string {
	if s < Always || s > DeadlockFree {
		return fmt.Sprintf("shape(%d)", uint8(s))
	}
	return shapeNames[s]
}

// Live reports whether the shape is one of liveness: such properties are decided on the graph of
// all states, after the search.
func (s Shape) Live() bool { return s == LeadsTo || s == Reaches || s == AlmostSurely }

// Property is one thing to check. Its predicates are those of the [Worker].
type Property struct {
	Name  string // unique within the model
	Doc   string // one sentence for the reader of a report
	Shape Shape
}

// Successors collects the successors of one state.
type Successors struct {
	width   int
	most    int             // how many classes the model has; 0: unknown
	base    int             // the first successor of the state that is being expanded
	look    func(bytes int) // called now and then, with the size of the list; may be nil
	next    int             // how long the list is when look is due
	words   []uint32
	classes []uint16
}

// NewSuccessors returns an empty list for states of the given width. The engine brings its own.
// This one is for code that expands a state by hand, as a replay does.
func NewSuccessors(width int) *Successors { return &Successors{width: width} }

// Add appends a successor by an action of the given class and returns its vector, which is valid
// until the next call of Add. The words in it are undefined: the caller sets every one.
func (s *Successors) Add(class int) []uint32 {
	if uint(class) >= maxClasses || s.most > 0 && class >= s.most {
		panic(&ContractError{fmt.Sprintf("Expand added an action of class %d; "+
			"the classes have numbers from 0 to %d", class, cmp.Or(s.most, maxClasses)-1)})
	}
	if len(s.classes) >= s.next && s.look != nil {
		s.next = len(s.classes) + lookEvery
		s.look(4*cap(s.words) + 2*cap(s.classes))
	}
	n := len(s.words)
	if n+s.width > cap(s.words) {
		words := make([]uint32, n, 2*cap(s.words)+16*s.width)
		copy(words, s.words)
		s.words = words
	}
	s.words = s.words[:n+s.width]
	s.classes = append(s.classes, uint16(class))
	return s.words[n : n+s.width : n+s.width]
}

// Len is the number of successors added since the last Reset.
func (s *Successors) Len() int { return len(s.classes) - s.base }

// At returns the vector of the i-th successor. It is valid until the next call of Add or Reset.
func (s *Successors) At(i int) []uint32 { return s.vector(s.base + i) }

// Class returns the class of the action that leads to the i-th successor.
func (s *Successors) Class(i int) int { return int(s.classes[s.base+i]) }

// Reset empties the list and keeps its memory.
func (s *Successors) Reset() {
	s.base = 0
	s.words = s.words[:0]
	s.classes = s.classes[:0]
	s.next = lookEvery
}

// lookEvery is the number of successors between two looks at the limits: one state may have
// millions.
const lookEvery = 1 << 12

// vector returns the i-th vector of all those in the buffer, from any state.
func (s *Successors) vector(i int) []uint32 {
	at := i * s.width
	return s.words[at : at+s.width : at+s.width]
}

// mark starts the list of another state behind what the buffer holds already, so that a whole block
// of states shares one buffer.
func (s *Successors) mark() { s.base = len(s.classes) }

// validateClasses rejects classes that reports cannot tell apart by their names.
func validateClasses(classes []Class) error {
	seen := map[string]bool{}
	for i, c := range classes {
		switch {
		case c.Name == "":
			return fmt.Errorf("checker: class %d has no name; name every class", i)
		case strings.ContainsFunc(c.Name, unicode.IsControl):
			return fmt.Errorf("checker: the class name %q does not fit in a line; "+
				"remove its control characters", c.Name)
		case seen[c.Name]:
			return fmt.Errorf("checker: there are two classes named %q; rename one", c.Name)
		case c.Optional && (c.Fair || c.Strong || c.Finite):
			return fmt.Errorf("checker: class %q is Optional, so nothing forces it, and has another mark; "+
				"remove one", c.Name)
		case c.Finite && (c.Fair || c.Strong):
			return fmt.Errorf("checker: class %q is Finite, so a run may stop taking it, and fair, so a run must "+
				"take it again; remove one of the marks", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// ValidateProperties rejects a list of properties unless each has a shape and a unique name.
func ValidateProperties(properties []Property) error {
	seen := map[string]bool{}
	for _, p := range properties {
		if p.Shape < Always || p.Shape >= DeadlockFree {
			return fmt.Errorf("checker: property %q has no shape that a model may have; it must be Always, "+
				"Sometimes, Quiescent, LeadsTo, Reaches or AlmostSurely", p.Name)
		}
		if p.Name == "" {
			return errors.New("checker: a property has no name; name every property")
		}
		if strings.ContainsFunc(p.Name, unicode.IsControl) {
			return fmt.Errorf("checker: the property name %q does not fit in a line; "+
				"remove its control characters", p.Name)
		}
		if p.Name == Deadlock {
			return fmt.Errorf("checker: a property is named %q, like the deadlock check that every model has; "+
				"rename it", Deadlock)
		}
		if seen[p.Name] {
			return fmt.Errorf("checker: there are two properties named %q; rename one", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
