package jobs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/protocol/custody"
)

// RecordLimit is the largest record as JSON, in bytes: it fits into a frame between daemons.
const RecordLimit = 224 << 10

// ErrRecord says that a record of another custodian, or of the disk, cannot be read.
var ErrRecord = errors.New("not a record of a job")

// Encode is the record as the disk and the other custodians have it.
func (r *Record) Encode() []byte { return encoded(r) }

func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and times of this package
	}
	return text
}

// Decode is the inverse of Encode. Any record that it returns keeps every rule for submitted jobs:
// it comes from another daemon.
func Decode(text []byte) (*Record, error) {
	r, err := decode(text)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Check reports what is wrong with a record of another daemon.
func (r *Record) Check() error {
	err := cmp.Or(r.checkShape(), r.Spec.CheckAsTaken(), CheckKey(r.Key), r.checkPlace())
	for i := range r.Attempts {
		err = cmp.Or(err, r.Attempts[i].check())
	}
	if err == nil && r.Asked != nil {
		err = r.Asked.check()
	}
	if err == nil || errors.Is(err, ErrRecord) {
		return err
	}
	return fmt.Errorf("%w: job %q: %w", ErrRecord, r.ID, err)
}

// checkPlace reports what is wrong with the custodians of a record, its states, and its place in an
// array.
func (r *Record) checkPlace() error {
	known := func(s State) bool { return slices.Contains(States, s) }
	distinct := slices.Compact(slices.Sorted(slices.Values(r.Custodians)))
	switch {
	case len(r.ID) > idLimit:
		return fmt.Errorf("an id of %d bytes", len(r.ID))
	case len(r.Custodians) > custody.Most || len(distinct) < len(r.Custodians):
		return fmt.Errorf("the custodians %v", r.Custodians.Nodes())
	case !known(r.State), r.Requested != "" && !r.Requested.Final(), r.Result != "" && !r.Result.Final():
		return fmt.Errorf("the state %q, to become %q%q", r.State, r.Requested, r.Result)
	case (r.Parent == "") != (r.Spec.Index == nil), r.Spec.Index != nil && *r.Spec.Index != r.Index,
		r.Parent != "" && ElementID(r.Parent, r.Index) != r.ID, strings.Contains(r.ID, "[") != (r.Parent != ""):
		return fmt.Errorf("an index %d of array %q", r.Index, r.Parent)
	}
	return nil
}

// idLimit is the largest id, in bytes, also of an element.
const idLimit = 64

// check reports what is wrong with an attempt.
func (a *Attempt) check() error {
	if len(a.Hosts) > TasksLimit {
		return fmt.Errorf("an attempt with %d hosts", len(a.Hosts))
	}
	for i := range a.Ranks {
		if err := a.Ranks[i].Check(); err != nil {
			return fmt.Errorf("rank %d: %w", i, err)
		}
	}
	return nil
}

// toldLimit is how many bytes a host can report about a task beside its outputs.
const toldLimit = 32 << 10

// Check validates the report of a host about its task.
func (r *Rank) Check() error {
	if len(r.Outputs) > FilesLimit {
		return fmt.Errorf("%d outputs; %d are the limit", len(r.Outputs), FilesLimit)
	}
	for i := range r.Outputs {
		if err := r.Outputs[i].CheckOutput(); err != nil {
			return err
		}
	}
	size := len(r.Isolation) + len(r.Stderr) + len(r.Problem) + len(r.Lost) + len(r.Lacking)
	for _, u := range r.Unkept {
		size += len(u.Path) + len(u.Why)
	}
	for _, remark := range r.Remarks {
		size += len(remark)
	}
	if size > toldLimit || len(r.Unkept) > unkeptLimit || len(r.Remarks) > remarkLimit+1 {
		return fmt.Errorf("%d bytes about a task, %d outputs that are not kept, %d remarks",
			size, len(r.Unkept), len(r.Remarks))
	}
	return nil
}

// decode reads a record, and checks that nothing of it is missing.
func decode(text []byte) (*Record, error) {
	r := &Record{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecord, err)
	}
	return r, r.checkShape()
}

// checkShape reports what is missing in a record.
func (r *Record) checkShape() error {
	switch {
	case r.Version != Version:
		return fmt.Errorf("%w: it has version %d, this build reads %d", ErrRecord, r.Version, Version)
	case r.ID == "" || len(r.Changes) == 0 || len(r.Custodians) == 0:
		return fmt.Errorf("%w: it lacks id, changes or custodians", ErrRecord)
	case r.Spec.Array == nil && len(r.Spec.Command) == 0, r.Spec.Tasks < 1:
		return fmt.Errorf("%w: job %s has no command or no tasks", ErrRecord, r.ID)
	}
	for i := range r.Attempts {
		if a := &r.Attempts[i]; a.Statuses != nil && len(a.Statuses) != len(a.Hosts) || len(a.Ranks) > len(a.Hosts) {
			return fmt.Errorf("%w: job %s has an attempt with other ranks than hosts", ErrRecord, r.ID)
		}
	}
	return nil
}

// fit makes a record small enough for a frame. It shortens the hosts' reports about attempts, the
// oldest attempts first. The outputs of the last attempt stay: admit has seen to it that they fit.
func (r *Record) fit() {
	if len(r.Attempts) == 0 {
		return
	}
	excess := len(r.Encode()) - RecordLimit
	for i := 0; excess > 0 && i < len(r.Attempts); i++ {
		excess -= r.Attempts[i].shorten(i == len(r.Attempts)-1)
	}
}

// shorten removes the hosts' reports from an attempt, or only the lines of stderr if it is the last
// one, and returns the number of bytes saved.
func (a *Attempt) shorten(last bool) (bytes int) {
	before := len(encoded(a.Ranks))
	for rank := range a.Ranks {
		told := &a.Ranks[rank]
		if last {
			told.Stderr = ""
		} else {
			*told = Rank{Isolation: told.Isolation}
		}
	}
	return before - len(encoded(a.Ranks))
}

// full reports that the record has no room for an attempt like the last one, even without the
// reports of the others.
func (r *Record) full() bool {
	bare := r.Clone()
	for i := range bare.Attempts {
		bare.Attempts[i].shorten(false)
	}
	return len(bare.Encode())+rankNeeds*len(bare.Last().Hosts) > RecordLimit-growth
}

// The room that the record of an attempt still needs after its outputs are listed.
const (
	growth     = 8 << 10
	rankGrowth = 64 // bytes of a rank: its end and its status
	rankNeeds  = 40 // bytes of a rank of another attempt: its host, isolation and status
)

// admit keeps the outputs of a rank whose descriptions fit into the record of its attempt beside
// the existing ones. The others are not kept.
func (r *Record) admit(told *Rank) {
	if len(told.Outputs) == 0 {
		return
	}
	bare := *r
	bare.Attempts = slices.Clone(r.Attempts)
	last := len(bare.Attempts) - 1
	for i := range bare.Attempts {
		a := &bare.Attempts[i]
		a.Ranks = slices.Clone(a.Ranks)
		for rank := range a.Ranks {
			if i < last {
				a.Ranks[rank] = Rank{Isolation: a.Ranks[rank].Isolation}
			}
			a.Ranks[rank].Stderr = ""
		}
	}
	room := RecordLimit - growth - rankGrowth*len(bare.Attempts[last].Hosts) - len(bare.Encode())
	for i, f := range told.Outputs {
		if room -= len(encoded(f)) + len(","); room < 0 {
			rest := told.Outputs[i:]
			told.Outputs = told.Outputs[:i:i]
			for _, f := range rest {
				told.Miss(string(f.Path), "the list of all outputs of the job is too long; put them into an archive")
			}
			return
		}
	}
}

// commandLimit is how many bytes of a command a summary has.
const commandLimit = 1 << 10

// Summary is a copy of a record for a list of jobs: without attempts, environment, inputs and
// patterns of outputs, and with the first and the last change alone. It shares nothing that changes
// with the record.
func (r *Record) Summary() *Record {
	s := *r
	s.Attempts, s.Asked = nil, nil
	s.Changes = slices.Clone(r.Changes[:1])
	if last := len(r.Changes) - 1; last > 0 {
		s.Changes = append(s.Changes, r.Changes[last])
	}
	s.Spec = Spec{Name: r.Spec.Name, Tasks: r.Spec.Tasks, Array: r.Spec.Array, Index: r.Spec.Index}
	left := commandLimit
	for _, word := range r.Spec.Command {
		if len(word) > left {
			s.Spec.Command = append(s.Spec.Command, strings.ToValidUTF8(word[:left], "")+"…")
			break
		}
		s.Spec.Command, left = append(s.Spec.Command, word), left-len(word)
	}
	return &s
}

// Fresher reports whether a copy of a record counts more than another one of the same job. An end
// is never taken back.
func Fresher(r, than *Record) bool {
	if r.State.Final() != than.State.Final() {
		return r.State.Final()
	}
	return r.Stamp.After(than.Stamp)
}

// ended is the time at which a job has ended.
func (r *Record) ended() time.Time { return r.Changes[len(r.Changes)-1].At }
