package jobs

import (
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// Version is that of the records.
const Version = 2

// Limit is how many jobs a daemon takes, elements of arrays included.
const Limit = 200_000

var (
	// ErrUnknown says that no job has this name.
	ErrUnknown = errors.New("no such job")

	// ErrAmbiguous says that several jobs have an id that begins so.
	ErrAmbiguous = errors.New("several jobs have such an id")

	// ErrOutOfReach says that only nodes which do not answer can have a job of this name.
	ErrOutOfReach = errors.New("the job may be out of reach")

	// ErrBusy says that the daemon has as many jobs as it can keep.
	ErrBusy = errors.New("this daemon takes no jobs now")

	// ErrOver says that the job has ended already.
	ErrOver = errors.New("the job is over")

	// ErrRuns says that the job has not ended.
	ErrRuns = errors.New("the job is not over")

	// ErrKept says that not all custodians of a job know how it has ended.
	ErrKept = errors.New("the record of the job is still needed")
)

// Table is the jobs of which a daemon keeps a copy. Its methods change them in memory, those of its
// [Index] read them; changes are durable when the daemon has committed [Table.Puts].
type Table struct {
	Index
	now     func() time.Time
	changed map[string]*Record // since the last commit; nil: removed

	// Most is how many jobs are kept, those included that are kept for other daemons.
	Most int

	// Changed is called after each change of a job. It may be nil.
	Changed func(*Record)

	// Fate describes the fate of a node, as in "was declared dead"; it is empty if the node is
	// alive. It may be nil.
	Fate func(protocol.NodeID) string
}

// Store is where jobs are read from that were committed: [disk.Store], or that of a simulator.
type Store interface {
	Each(bucket string, prefix []byte, f func(key, value []byte) error) error
}

// NewTable reads the jobs that a store has. Now is the wall clock, which is only shown.
func NewTable(store Store, now func() time.Time) (*Table, error) {
	t := &Table{Index: newIndex(), now: now, Most: custody.Most * Limit, changed: map[string]*Record{}}
	return t, store.Each(disk.Jobs, nil, func(_, value []byte) error {
		r, err := decode(value) // a former release may have taken what this one does not
		if err != nil {
			return err // the store names the job
		}
		t.add(r)
		return nil
	})
}

// Puts returns what was changed since the last call, for the next commit.
func (t *Table) Puts() (puts []disk.Put) {
	for id, r := range t.changed {
		put := disk.Put{Bucket: disk.Jobs, Key: []byte(id)}
		if r != nil {
			put.Value = r.Encode()
		}
		puts = append(puts, put)
	}
	clear(t.changed)
	return puts
}

// Remove forgets a record.
func (t *Table) Remove(r *Record) {
	t.drop(r)
	t.changed[r.ID] = nil
}

// Take takes a job: its id, its spec and its custodians.
func (t *Table) Take(r *Record) error {
	if t.size(&r.Spec) > Limit {
		return fmt.Errorf("%w: %d; remove some, or ask another daemon", ErrBusy, Limit)
	}
	if size := len(r.Encode()); size > RecordLimit {
		return specf("its record takes %d bytes; %d are the limit", size, RecordLimit)
	}
	t.take(r)
	return nil
}

func (t *Table) take(r *Record) {
	r.Version, r.State = Version, Accepted
	if r.Held = r.Spec.Hold; r.Held {
		r.State = Held
	}
	r.Times.Accepted = t.now()
	r.Changes = []Change{{r.Times.Accepted, r.State, ""}}
	t.add(r)
	t.change(r)
}

// Rename gives a job that was not accepted other custodians.
func (t *Table) Rename(r *Record, name Name, custodians Custodians) {
	t.drop(r)
	r.Custody, r.Custodians = name, custodians
	t.add(r)
	t.change(r)
}

// Adopt replaces a copy of a record by a newer one of another custodian. It reports false if the
// other one is no newer. A record that is new here is taken as it is, if there is room.
func (t *Table) Adopt(fresh *Record) (*Record, bool, error) {
	r := t.byName[fresh.Custody]
	switch {
	case r == nil && len(t.byID) >= t.Most:
		return nil, false, fmt.Errorf("%w: it keeps %d", ErrBusy, t.Most)
	case r == nil:
		t.add(fresh)
		t.note(fresh)
		return fresh, true, nil
	case fresh.ID != r.ID || fresh.Parent != r.Parent || (fresh.Spec.Array == nil) != (r.Spec.Array == nil):
		return nil, false, fmt.Errorf("%w: it is of job %q, and another copy of it is of job %q", ErrRecord, fresh.ID, r.ID)
	case !fresh.Stamp.After(r.Stamp):
		return r, false, nil
	}
	t.drop(r)
	*r = *fresh
	t.add(r)
	t.note(r)
	return r, true, nil
}

// Lead records the view in which this daemon is the primary. Attempts repeat their requests of an
// earlier view.
func (t *Table) Lead(r *Record, view uint32) {
	r.Stamp.View, r.Asked = view, nil
	t.change(r)
}

// Ack notes that the custodians have accepted the job.
func (t *Table) Ack(r *Record) {
	r.Acked = true
	t.change(r)
}

// Submitted notes another submission to the grid.
func (t *Table) Submitted(r *Record) {
	r.Tries++
	r.Owner = protocol.NodeID{}
	t.change(r)
}

// Own notes which node owns a job, or that none does.
func (t *Table) Own(r *Record, owner protocol.NodeID) {
	r.Owner = owner
	if owner.IsNobody() {
		t.change(r)
		return
	}
	r.Note = ""
	if r.State == Accepted {
		t.enter(r, Queued, "")
		return
	}
	t.change(r)
}

// Noted stores the grid's note about a waiting job.
func (t *Table) Noted(r *Record, note string) {
	r.Note = shortened(note)
	t.change(r)
}

// Ask notes that an attempt asks for the permit: it begins now if it receives it.
func (t *Table) Ask(r *Record, a Attempt) {
	a.Begin = t.now()
	r.Asked = &a
	t.change(r)
}

// Refuse notes that an attempt has not received the permit.
func (t *Table) Refuse(r *Record, by protocol.NodeID, epoch uint32) {
	if r.Asked != nil && r.Asked.By == by && r.Asked.Epoch == epoch {
		r.Asked = nil
		t.change(r)
	}
}

// Deposit notes the statuses of the attempt that has the permit, by rank. The first ones count.
func (t *Table) Deposit(r *Record, by protocol.NodeID, epoch uint32, statuses []Status) {
	open := r.Open()
	if open == nil || open.By != by || open.Epoch != epoch || open.Statuses != nil || len(statuses) != len(open.Hosts) {
		return
	}
	open.Statuses = statuses
	t.NoteEnd(r)
}

// NoteEnd notes when there was news of the end of a job or of its attempt, before the custodians
// decide about it: that time is the one of the end.
func (t *Table) NoteEnd(r *Record) {
	r.Times.Noted = t.now()
	t.change(r)
}

// end is the time at which a job or its attempt has ended: that of the last news of it.
func (t *Table) end(r *Record) time.Time {
	begun := r.Times.Accepted
	if last := r.Last(); last != nil {
		begun = last.Begin
	}
	if r.Times.Noted.IsZero() || r.Times.Noted.Before(begun) {
		return t.now()
	}
	return r.Times.Noted
}

// Lose notes why the host of a rank has lost its task of the attempt that has the permit.
func (t *Table) Lose(r *Record, by protocol.NodeID, epoch uint32, rank int, why string) {
	open := r.Open()
	if open == nil || open.By != by || open.Epoch != epoch || rank >= len(open.Hosts) || open.Rank(rank).Lost != "" {
		return
	}
	open.Rank(rank).Lost = shortened(why)
	t.change(r)
}

// Want notes that a job is to end as Cancelled, TimedOut, Unplaced or Failed.
func (t *Table) Want(r *Record, s State, why string) error {
	if r.State.Final() {
		return fmt.Errorf("%w: %s is %s", ErrOver, r.ID, r.State)
	}
	if t.byID[r.ID] == nil {
		return specf("%s has not had its turn; cancel the array", r.ID)
	}
	if r.Requested == "" {
		r.Requested, r.Why = s, why
		t.NoteEnd(r)
	}
	return nil
}

// enter changes the state of a job, now.
func (t *Table) enter(r *Record, s State, reason string) { t.enterAt(r, s, reason, t.now()) }

// enterAt changes the state of a job, at a time that the record has.
func (t *Table) enterAt(r *Record, s State, reason string, at time.Time) {
	if r.State != s || reason != "" {
		r.State = s
		r.Changes = append(r.Changes, Change{at, s, reason})
	}
	if s.Final() {
		r.Times.Ended = at
	}
	t.change(r)
}

// change stamps a record that this daemon has changed as the primary, and makes it fit into a
// frame.
func (t *Table) change(r *Record) {
	r.Stamp.Number++
	r.fit()
	t.note(r)
}

// note takes a changed record for the next commit.
func (t *Table) note(r *Record) {
	if t.byID[r.ID] == nil {
		return
	}
	t.changed[r.ID] = r
	if r.State.Final() {
		t.rest(r)
	}
	if t.Changed != nil {
		t.Changed(r)
	}
}
