package jobs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/protocol"
)

// Version is that of the records.
const Version = 1

// Limit is how many jobs a daemon keeps.
const Limit = 100_000

var (
	// ErrUnknown says that no job has this name.
	ErrUnknown = errors.New("no such job")

	// ErrBusy says that the daemon has as many jobs as it can keep.
	ErrBusy = errors.New("this daemon has too many jobs")

	// ErrOver says that the job has ended already.
	ErrOver = errors.New("the job is over")
)

// Table is the jobs that a daemon has taken.
type Table struct {
	store   *disk.Store
	now     func() time.Time
	byID    map[string]*Record
	tickets map[uint32]*Record
	last    uint32

	// Changed is called after each change of a job. It may be nil.
	Changed func(*Record)
}

// NewTable reads the jobs that a store has. Now is the wall clock, which is only shown.
func NewTable(store *disk.Store, now func() time.Time) (*Table, error) {
	t := &Table{store: store, now: now, byID: map[string]*Record{}, tickets: map[uint32]*Record{}}
	err := store.Each(disk.Jobs, func(key, value []byte) error {
		r := &Record{}
		if err := json.Unmarshal(value, r); err != nil {
			return fmt.Errorf("reading job %s: %w", key, err)
		}
		t.byID[r.ID], t.tickets[r.Ticket], t.last = r, r, max(t.last, r.Ticket)
		return nil
	})
	return t, err
}

// Submit takes a job. If a job of that key is there, it is returned instead; a key that names
// another command is refused.
func (t *Table) Submit(s Spec, key string) (*Record, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if key != "" {
		id, err := t.store.Get(disk.Keys, []byte(key))
		if err != nil {
			return nil, err
		}
		if r := t.byID[string(id)]; r != nil {
			if !slices.Equal(r.Spec.Command, s.Command) || r.Spec.Tasks != s.Tasks {
				return nil, fmt.Errorf("%w: key %q names job %s, which has another command", ErrSpec, key, r.ID)
			}
			return r, nil
		}
	}
	if len(t.byID) >= Limit {
		return nil, fmt.Errorf("%w: %d; remove some, or ask another daemon", ErrBusy, Limit)
	}
	r := &Record{Version: Version, ID: NewID(), Key: key, Spec: s, Ticket: t.last + 1}
	t.last++
	t.byID[r.ID], t.tickets[r.Ticket] = r, r
	if err := t.enter(r, Accepted, ""); err != nil {
		delete(t.byID, r.ID)
		delete(t.tickets, r.Ticket)
		return nil, err
	}
	return r, nil
}

// Resubmit gives a job that nobody owns a new ticket, for another submission to the grid.
func (t *Table) Resubmit(r *Record, life protocol.NodeID) error {
	again := r.Tries > 0
	if again {
		delete(t.tickets, r.Ticket)
		t.last++
		r.Ticket = t.last
		t.tickets[r.Ticket] = r
	}
	r.Tries++
	r.Life, r.Owner = life, protocol.NodeID{}
	if again {
		return t.keep(r) // it waits on, as before
	}
	return t.enter(r, Accepted, "")
}

// Own notes which node owns a job.
func (t *Table) Own(r *Record, owner protocol.NodeID) error {
	r.Owner, r.Note = owner, ""
	if r.State != Accepted {
		return t.keep(r)
	}
	return t.enter(r, Queued, "")
}

// Noted keeps what the grid said of a job that waits.
func (t *Table) Noted(r *Record, note string) error {
	r.Note = note
	return t.keep(r)
}

// Permit lets an attempt run, if the job is open and no other attempt has a permit that is not
// closed. To ask again for the attempt that has it is answered alike.
func (t *Table) Permit(r *Record, a Attempt) (granted bool, err error) {
	if open := r.Open(); open != nil {
		return open.By == a.By && open.Epoch == a.Epoch, nil
	}
	if r.State.Final() || r.Wish != "" || r.had(a.By, a.Epoch) {
		return false, nil
	}
	a.Begin = t.now()
	r.Attempts = append(r.Attempts, a)
	return true, t.enter(r, Running, "")
}

func (r *Record) had(by protocol.NodeID, epoch uint32) bool {
	return slices.ContainsFunc(r.Attempts, func(a Attempt) bool { return a.By == by && a.Epoch == epoch })
}

// Close ends an attempt without an outcome: none of its processes runs any more.
func (t *Table) Close(r *Record, by protocol.NodeID, epoch uint32, reason string) error {
	open := r.Open()
	if open == nil || open.By != by || open.Epoch != epoch || r.State.Final() {
		return nil
	}
	now := t.now()
	open.End, open.Reason = &now, reason
	if r.Wish != "" {
		open.Reason = string(r.Wish)
		return t.keep(r) // the grid says next that the job has ended
	}
	return t.enter(r, Queued, reason)
}

// Deposit ends an attempt with the statuses of its tasks, by rank. The first outcome counts. An
// attempt that asked for no permit, or got none, has run nothing: its outcome counts if a host
// could not start the job, or if the job was to end anyway.
func (t *Table) Deposit(r *Record, a Attempt, statuses []Status) error {
	now := t.now()
	open := r.Open()
	switch {
	case r.State.Final(), open != nil && (open.By != a.By || open.Epoch != a.Epoch), open == nil && r.had(a.By, a.Epoch):
		return nil
	case open == nil && r.Wish != "":
		return t.enter(r, r.Wish, "")
	case open == nil && !slices.ContainsFunc(statuses, func(s Status) bool { return s.Unfit }):
		return nil
	case open == nil:
		a.Begin = now
		r.Attempts = append(r.Attempts, a)
		open = r.Last()
	}
	open.End, open.Statuses = &now, statuses
	failed := func(s Status) bool { return !s.OK() }
	if !slices.ContainsFunc(statuses, failed) {
		return t.enter(r, Succeeded, "")
	}
	if r.Wish != "" {
		open.Reason = string(r.Wish)
		return t.enter(r, r.Wish, "")
	}
	reason := "all tasks were ended"
	if rank, s, ok := r.Failing(); ok {
		reason = fmt.Sprintf("rank %d %s", rank, s.text())
	}
	open.Reason = reason
	return t.enter(r, Failed, reason)
}

// text says how a task ended.
func (s Status) text() string {
	switch {
	case s.Unfit:
		return "could not start: " + s.Error
	case s.Signal > 0:
		return fmt.Sprintf("ended by signal %d", s.Signal)
	}
	return fmt.Sprintf("exited with %d", s.Code)
}

// Want notes that a job is to end as Cancelled or TimedOut. A job that nobody runs or owns ends at
// once.
func (t *Table) Want(r *Record, s State, reason string) error {
	if r.State.Final() {
		return fmt.Errorf("%w: %s is %s", ErrOver, r.ID, r.State)
	}
	if r.Wish == "" {
		r.Wish, r.Note = s, reason
	}
	return t.keep(r)
}

// End ends a job of which no process runs, without an outcome.
func (t *Table) End(r *Record, s State, reason string) error {
	if r.State.Final() {
		return nil
	}
	if open := r.Open(); open != nil {
		now := t.now()
		open.End, open.Reason = &now, cmp.Or(reason, string(s))
	}
	return t.enter(r, s, reason)
}

// enter changes the state of a job and makes it durable.
func (t *Table) enter(r *Record, s State, reason string) error {
	if r.State != s || reason != "" {
		r.State = s
		r.Changes = append(r.Changes, Change{t.now(), s, reason})
	}
	return t.keep(r)
}

func (t *Table) keep(r *Record) error {
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding job %s: %w", r.ID, err)
	}
	puts := []disk.Put{{Bucket: disk.Jobs, Key: []byte(r.ID), Value: value}}
	if r.Key != "" {
		puts = append(puts, disk.Put{Bucket: disk.Keys, Key: []byte(r.Key), Value: []byte(r.ID)})
	}
	if err := t.store.Commit(puts...); err != nil {
		return err
	}
	if t.Changed != nil {
		t.Changed(r)
	}
	return nil
}

// Find returns the job whose id begins with a prefix.
func (t *Table) Find(prefix string) (*Record, error) {
	if r := t.byID[prefix]; r != nil {
		return r, nil
	}
	var found []*Record
	for id, r := range t.byID {
		if prefix != "" && strings.HasPrefix(id, prefix) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w: %q; canvass status lists them", ErrUnknown, prefix)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%w: %d jobs begin with %q; give more of the id", ErrUnknown, len(found), prefix)
}

// Ticket returns the job that was submitted to the grid with a ticket, or nil.
func (t *Table) Ticket(ticket uint32) *Record { return t.tickets[ticket] }

// All returns all jobs, the oldest first.
func (t *Table) All() []*Record {
	return slices.SortedFunc(maps.Values(t.byID), func(a, b *Record) int {
		return cmp.Or(a.Changes[0].At.Compare(b.Changes[0].At), cmp.Compare(a.ID, b.ID))
	})
}
