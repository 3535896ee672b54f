package scheduler

import "context"

// System is a scheduler of a laboratory: policies of one kind, and the settings that only these
// have. Package scheduler/lab has the table of systems.
type System interface {
	// Policies lists the policies, in the order of help. No two systems have a policy of one name.
	Policies() []Policy

	// Settings lists the settings that have an effect on these policies alone. A laboratory refuses
	// them in runs of other systems.
	Settings() []Setting

	// Prepare reads the settings of a run, each once. The function returns the text of a setting,
	// or its default.
	Prepare(value func(setting string) string) (Runner, error)
}

// Policy describes a policy.
type Policy struct {
	Name      string
	Rule      string // one sentence
	Estimates bool   // each job must have EstimateMicros
	Draws     bool   // results depend on the seed
	Overlaps  bool   // nodes may advertise different clusters: see [Ground.Lists]
	Tasks     bool   // it runs jobs whose tasks have an order: see [Workload.Tasks]
}

// Setting describes a setting of a run, which is given as text.
type Setting struct {
	Name    string
	Default string
	Doc     string // one line: its effect and its values

	// Values lists the possible values. If there are too many to list, Check refuses impossible ones
	// instead. Both apply even if the setting has no effect in a run. Without either, any text is
	// possible.
	Values []string
	Check  func(text string) error

	Reading *Reading // of a text that is silent, or can be read in two ways; nil if there is none
}

// Reading relates a setting to the text that it follows.
type Reading struct {
	Published string // the value that the text states, or "not given"
	Section   string // of Jackson's dissertation (2015)
	Reason    string // for the default
}

// Runner runs a workload on a ground, neither of which it changes.
type Runner func(ctx context.Context, w *Workload, g *Ground, seed uint64) (*Result, error)

// Ground is a platform and further facts that a system may ask for.
type Ground struct {
	*Platform

	// The cluster that each node advertises, as nodes; nil if each advertises that of the platform.
	Lists [][]int

	// Sites places the clusters at sites of a kind (see package scheduler/latency) and returns the
	// round trips between them, in nanoseconds.
	Sites func(kind string, seed uint64) (roundTrip func(a, b int) int64, err error)
}

// Result is the result of a run.
type Result struct {
	Records []Record         // by job
	Tasks   []Record         // by task; nil if the jobs are rigid
	Digest  string           // of the records: see [Digest]
	Counts  map[string]int64 // of messages, moves, …, by names that end with the unit
	Detail  []any            // counts that have a place of their own in rows

	// The nodes of each job, by record. It may run the workload again. It is nil if a system counts
	// the nodes of a cluster without naming them; see [Allocate].
	Hosts func(ctx context.Context) ([]NodeSet, error)

	MovedBy func(job int) string          // the algorithms that have moved a job; nil if none can move
	Retrace func(job int) ([]Stop, error) // runs again, and lists where a job waited; nil if a system cannot
}

// Stop is a cluster in which a job waited.
type Stop struct {
	Micros      int64  // from when on
	MovedMicros int64  // when the cluster before gave it away; of later stops only
	Why         string // it was moved here, likewise: "where queues were shorter"
	Cluster     int    // index in [Platform.Clusters]
}
