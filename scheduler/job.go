package scheduler

import (
	"cmp"
	"slices"
	"strconv"
)

// Second is a second in microseconds, the unit of all times of this package.
const Second int64 = 1_000_000

// Unknown stands for a number that a log does not have, as in the Standard Workload Format.
const Unknown = -1

// Job is one job of a workload. Its index in [Workload.Jobs] is its name within a run.
type Job struct {
	Number         int64 // as its log numbers it; a log may use a number twice
	SubmitMicros   int64 // since the log's beginning
	RunMicros      int64 // at least 0
	RequestMicros  int64 // run time that the user asked for, or Unknown
	EstimateMicros int64 // run time that a policy may count on, or Unknown; package workload sets it
	WaitMicros     int64 // between submission and start in the log, or Unknown
	Nodes          int   // it needs this many at once; at least 1
	User           int64 // Unknown if the log does not say; so are the next four
	Group          int64
	Executable     int64
	Queue          int64
	Partition      int64
	Status         int64 // of the log: 1 completed, 0 failed, 5 cancelled, or Unknown
}

// Workload is a list of jobs and where it comes from.
type Workload struct {
	Name       string      // of the file, or of the generator with its settings
	Digest     string      // the first 16 hexadecimal digits of the SHA-256 of the source
	Nodes      int         // of the machine that the log was recorded on; 0 if it does not say
	Jobs       []Job       // sorted by submission; jobs submitted at once stay in the order of the log
	Changes    []Change    // changes by reading and selecting, in order
	Header     []Statement // facts that the log states about itself, of those that were used
	Partitions []string    // names of the partitions 1, 2 and so on, if the log names them
	Origin     Origin      // facts from the log's header that a copy keeps

	Tables
}

// Origin has facts about a log that change no run, and which a copy of the log keeps. The zero
// value is that of a generated workload.
type Origin struct {
	Logged     bool   // it is from a log
	MaxNodes   int64  // of the machine, in the unit of the log; 0 if it does not say
	UnixMicros int64  // of time 0, since 1970; 0 if it is not known
	TimeZone   string // "Europe/Berlin", or ""
}

// Statement is a fact that a log states about itself.
type Statement struct {
	Name  string `json:"name"`  // "MaxProcs"
	Text  string `json:"text"`  // as the log has it: "1,024 (batch partition)"
	Value int64  `json:"value"` // as it was read: 1024

	// Derived names the source of a fact that the log does not state: "the first submission".
	Derived string `json:"derived,omitempty"`
}

// Change says how many jobs a step left out or changed, and why. No change is silent.
type Change struct {
	What string `json:"what"` // "dropped: no run time", "killed at the requested time"
	Jobs int    `json:"jobs"`
}

// String is the fact and how it was read: "MaxProcs: 1,024 (batch partition), read as 1024".
func (s Statement) String() string {
	if s.Derived != "" {
		return s.Name + ": " + s.Text + ", derived: " + s.Derived
	}
	if value := strconv.FormatInt(s.Value, 10); s.Text != value {
		return s.Name + ": " + s.Text + ", read as " + value
	}
	return s.Name + ": " + s.Text
}

// Note adds a change to the list, or adds to an existing one. No change is noted for no jobs.
func (w *Workload) Note(what string, jobs int) {
	if jobs == 0 {
		return
	}
	for i := range w.Changes {
		if w.Changes[i].What == what {
			w.Changes[i].Jobs += jobs
			return
		}
	}
	w.Changes = append(w.Changes, Change{what, jobs})
}

// Sort sorts the jobs by submission and returns how many were submitted before the job ahead of
// them.
func (w *Workload) Sort() (late int) {
	for i := 1; i < len(w.Jobs); i++ {
		if w.Jobs[i].SubmitMicros < w.Jobs[i-1].SubmitMicros {
			late++
		}
	}
	slices.SortStableFunc(w.Jobs, func(a, b Job) int { return cmp.Compare(a.SubmitMicros, b.SubmitMicros) })
	return late
}

// SpanMicros is the time between the first and the last submission; 0 for fewer than two jobs.
func (w *Workload) SpanMicros() int64 {
	if len(w.Jobs) == 0 {
		return 0
	}
	return w.Jobs[len(w.Jobs)-1].SubmitMicros - w.Jobs[0].SubmitMicros
}
