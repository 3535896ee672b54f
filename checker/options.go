package checker

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Options bound a check and choose how it is run. The zero value checks everything on all
// processors.
type Options struct {
	// Workers is the number of goroutines; 0 means GOMAXPROCS. It affects nothing in a report but
	// the time and the size of the engine's buffers.
	Workers int

	// MemoryLimitBytes ends the check before the tables of the engine, and of a model that
	// implements [MemoryReporter], hold more; 0 means no limit. It counts tables, not the slack of
	// the garbage collector: leave room, or set a memory limit of the runtime as well.
	MemoryLimitBytes uint64

	// Storage is how the set of states is stored. The zero value is [Exact].
	Storage Storage

	// Order is the order of the search. The zero value is [BreadthFirst].
	Order Order

	// BoundStep is the first depth bound of order IterativeBound, and by how much the bound is
	// raised each time; 0 means 50.
	BoundStep int

	// MaxWalks ends orders RandomWalk and PCT after this number of walks; 0 means no limit.
	MaxWalks uint64

	// BugDepth is the number of changes of priority in a walk of order PCT, plus one; 0 means 3. A
	// bug has depth d if d constraints on the order of two actions each suffice to show it.
	BugDepth int

	// WalkSeed chooses the walks of orders RandomWalk and PCT: walk i is drawn with WalkSeed + i.
	WalkSeed uint64

	// BitstateBytes is the size of the set of storage Bitstate; 0 means half of MemoryLimitBytes,
	// or 64 MiB if there is no limit.
	BitstateBytes uint64

	// HashSeed chooses the hash function of storages that are not exact. Runs with different seeds
	// miss different states, if any.
	HashSeed uint64

	// TempDir is the folder of the temporary file for states that the search is done with; "" means
	// the folder of the system. If the file cannot be written, the states stay in memory.
	TempDir string

	// Checkpoint, if set, is the file to which the search is saved every CheckpointEvery, when it ends
	// early, and when all states are known, before liveness is decided. Nothing is saved before all
	// initial states are known, nor within a round; Report.CheckpointStates counts the saved states.
	// The model must be a [Snapshotter]. An existing file is replaced; a search that is complete,
	// without liveness properties to decide, leaves the last checkpoint as it is. If the file cannot
	// be written, the check does not begin.
	Checkpoint string

	// CheckpointEvery is the time between two checkpoints; 0 means one minute.
	CheckpointEvery time.Duration

	// ModelName distinguishes models whose widths, classes and properties are the same. It goes
	// into the checkpoint, and a checkpoint of another name is refused.
	ModelName string

	// Resume continues from the checkpoint instead of the initial states. Limits and Workers may
	// differ from those of the run that wrote it; the result is that of a run without interruption.
	// Predicates of single states may not differ: the states of the checkpoint are checked again,
	// and a checkpoint with other findings is refused. QuiescentEnd is not checked again.
	Resume bool

	// Resumed, if set, is called once the search is restored, before it continues, with the number of
	// states that were found and the depth that was reached.
	Resumed func(states uint64, depth int)

	// Reduce omits differences that the model declares irrelevant: see [Confluent] and [Symmetric]. A
	// wrong declaration makes verdicts wrong. Without Reduce nothing is left out.
	Reduce bool

	// MaxStates ends the check once it has found more states than that; 0 means no limit. It is
	// compared between rounds, so a report may show a good deal more. For orders RandomWalk and PCT
	// it is the number of states to visit; there 0 means a million, or no limit if MaxWalks is set.
	MaxStates uint64

	// MaxDepth is the number of steps from an initial state after which states are no longer
	// expanded; 0 means no limit. A check that leaves any state unexpanded is not complete. For
	// orders RandomWalk and PCT it is the greatest length of a walk, and 0 means 1000.
	MaxDepth int

	// ContinueAfterViolation continues until all states are known or every property is decided, so
	// that one run finds a shortest path for each property. Without it the check ends with the
	// level of the breadth-first search on which the first violation was found.
	ContinueAfterViolation bool

	// Progress, if set, is called from time to time by the goroutine that called [Check].
	Progress func(Progress)

	// ProgressEvery is the time between two calls of Progress; 0 means one second.
	ProgressEvery time.Duration

	// safetyOnly leaves properties that the storage cannot decide Inconclusive, instead of refusing
	// the model.
	safetyOnly bool
}

// Phase is a part of a check.
type Phase uint8

const (
	// Searching: states are being found and the properties of single states checked.
	Searching Phase = iota + 1
	// Linking: all states are known and the graph between them is being built.
	Linking
	// Deciding: the liveness properties are being decided on the graph.
	Deciding
)

// String returns the name of the phase.
func (p Phase) String() string {
	switch p {
	case Searching:
		return "searching"
	case Linking:
		return "linking"
	case Deciding:
		return "deciding"
	}
	return "starting"
}

// Progress is how far a check has come. While Searching, States, Transitions and Depth are those of
// the rounds that are finished.
type Progress struct {
	Phase       Phase
	States      uint64
	Transitions uint64
	Depth       int           // of the deepest state found
	Queue       uint64        // states found but not yet expanded; while Linking, states not yet linked
	Elapsed     time.Duration // including the runs before a resume
	MemoryBytes uint64        // tables of the engine and of the model
}

// maxWorkers bounds the goroutines: each has its own tables.
const maxWorkers = 1024

// idle reports an option that the search would ignore, although it is there to limit or to choose
// the search.
func (o Options) idle() error {
	set := func(option, with string) error {
		return fmt.Errorf("checker: Options.%s is set, which is for %s only; leave it at zero, or choose that", option, with)
	}
	switch {
	case o.MaxWalks > 0 && !o.Order.Samples():
		return set("MaxWalks", "orders RandomWalk and PCT")
	case o.BugDepth > 0 && o.Order != PCT:
		return set("BugDepth", "order PCT")
	case o.Resumed != nil && !o.Resume:
		return set("Resumed", "checks with Options.Resume")
	}
	return nil
}

// resolved fills in the defaults and rejects options that cannot be met.
func (o Options) resolved() (Options, error) {
	switch {
	case o.Workers < 0:
		return o, errors.New("checker: Options.Workers is negative")
	case o.Workers > maxWorkers:
		return o, fmt.Errorf("checker: Options.Workers is %d; it may be at most %d", o.Workers, maxWorkers)
	case o.MaxDepth < 0:
		return o, errors.New("checker: Options.MaxDepth is negative")
	case o.Storage > Bitstate:
		return o, fmt.Errorf("checker: Options.Storage is %d, which is not a storage", o.Storage)
	case o.BoundStep < 0:
		return o, errors.New("checker: Options.BoundStep is negative")
	case o.BugDepth < 0:
		return o, errors.New("checker: Options.BugDepth is negative")
	case o.Order > PCT:
		return o, fmt.Errorf("checker: Options.Order is %d, which is not an order", o.Order)
	case o.Order.Samples() && (o.Storage != Exact || o.Checkpoint != ""):
		return o, errors.New("checker: random walks store no states; " +
			"leave Options.Storage and Options.Checkpoint at zero")
	case o.Order != BreadthFirst && o.Checkpoint != "":
		return o, fmt.Errorf("checker: a search of order %v cannot be checkpointed; "+
			"leave Options.Checkpoint empty, or use order %v", o.Order, BreadthFirst)
	case o.CheckpointEvery < 0:
		return o, errors.New("checker: Options.CheckpointEvery is negative")
	case o.Resume && o.Checkpoint == "":
		return o, errors.New("checker: Options.Resume is set without Options.Checkpoint, the file to resume from")
	case o.ProgressEvery < 0:
		return o, errors.New("checker: Options.ProgressEvery is negative")
	}
	if err := o.idle(); err != nil {
		return o, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.BugDepth == 0 {
		o.BugDepth = bugDepth
	}
	if o.Order.Samples() {
		o = o.walks()
	}
	if o.BoundStep == 0 {
		o.BoundStep = boundStep
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = time.Minute
	}
	if o.ProgressEvery == 0 {
		o.ProgressEvery = time.Second
	}
	return o, nil
}
