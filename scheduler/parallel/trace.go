package parallel

// Event is a step in the life of a job.
type Event struct {
	AtMicros int64
	Kind     EventKind
	Job      int // index in the workload
	Node     int // that represents the job, begins a task or gives the job away
	Target   int // of a move; otherwise -1
}

// EventKind says what happened.
type EventKind string

// The kinds of events.
const (
	Represented EventKind = "represented" // a node begins to represent the job
	Moved       EventKind = "moved"       // its representative gives the idle job away
	Began       EventKind = "began"       // a task of the job begins to run
)

func (e *engine) trace(kind EventKind, job, node, target int32) {
	if e.options.Trace != nil {
		e.options.Trace(Event{e.now, kind, e.jobs[job].index, int(node), int(target)})
	}
}
