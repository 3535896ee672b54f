package parallel

import "github.com/canvass-grid/canvass/protocol/reptask"

// Event is a step in the incarnation of a job.
type Event struct {
	AtMicros int64
	Kind     EventKind
	Job      int               // index in the workload
	Node     int               // that represents the job, begins a task or gives the job away
	Target   int               // of a move; otherwise -1
	By       reptask.Algorithm // of a move
}

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	Represented EventKind = "represented" // a node begins to represent the job
	Moved       EventKind = "moved"       // its representative gives the idle job away
	Began       EventKind = "began"       // a task of the job begins to run
)

func (e *engine) trace(kind EventKind, job, node int32) {
	if e.options.Trace != nil {
		e.options.Trace(Event{AtMicros: e.now, Kind: kind, Job: e.jobs[job].index, Node: int(node), Target: -1})
	}
}

func (e *engine) traceMove(job, node int32, c *reptask.Command) {
	if e.options.Trace != nil {
		e.options.Trace(Event{e.now, Moved, e.jobs[job].index, int(node), int(c.Target.Address), c.By})
	}
}
