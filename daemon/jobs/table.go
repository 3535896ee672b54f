package jobs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/protocol"
)

// Version is that of the records.
const Version = 1

// Limit is how many jobs a daemon keeps, elements of arrays included.
const Limit = 200_000

var (
	// ErrUnknown says that no job has this name.
	ErrUnknown = errors.New("no such job")

	// ErrBusy says that the daemon has as many jobs as it can keep.
	ErrBusy = errors.New("this daemon has too many jobs")

	// ErrOver says that the job has ended already.
	ErrOver = errors.New("the job is over")

	// ErrRuns says that the job has not ended.
	ErrRuns = errors.New("the job is not over")
)

// Table is the jobs that a daemon has taken.
type Table struct {
	store   *disk.Store
	now     func() time.Time
	byID    map[string]*Record
	tickets map[uint32]*Record
	live    map[string]*Record // not ended
	arrays  map[string]*family
	last    uint32

	// Changed is called after each change of a job. It may be nil.
	Changed func(*Record)
}

// NewTable reads the jobs that a store has. Now is the wall clock, which is only shown.
func NewTable(store *disk.Store, now func() time.Time) (*Table, error) {
	t := &Table{
		store: store, now: now, byID: map[string]*Record{}, tickets: map[uint32]*Record{}, live: map[string]*Record{},
		arrays: map[string]*family{},
	}
	err := store.Each(disk.Jobs, func(key, value []byte) error {
		r := &Record{}
		if err := json.Unmarshal(value, r); err != nil {
			return fmt.Errorf("reading job %s: %w", key, err)
		}
		t.add(r)
		t.last = max(t.last, r.Ticket)
		return nil
	})
	for _, f := range t.arrays {
		if err == nil && f.record != nil {
			err = t.follow(f.record, false) // the last element may have ended just before a crash
		}
	}
	return t, err
}

// add takes a record into the indexes.
func (t *Table) add(r *Record) {
	t.byID[r.ID], t.tickets[r.Ticket] = r, r
	if !r.State.Final() {
		t.live[r.ID] = r
	}
	if r.Spec.Array != nil {
		t.family(r.ID).record = r
	}
	if r.Parent != "" {
		t.family(r.Parent).add(r)
	}
}

// remove takes a record out of the indexes.
func (t *Table) remove(r *Record) {
	delete(t.byID, r.ID)
	delete(t.tickets, r.Ticket)
	delete(t.live, r.ID)
	delete(t.arrays, r.ID)
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
	if t.size(&s) > Limit {
		return nil, fmt.Errorf("%w: %d; remove some, or ask another daemon", ErrBusy, Limit)
	}
	return t.take(&Record{ID: NewID(), Key: key, Spec: s, Held: s.Hold})
}

// take makes a new record durable.
func (t *Table) take(r *Record) (*Record, error) {
	t.last++
	r.Version, r.Ticket, r.State = Version, t.last, Accepted
	t.add(r)
	begin := Accepted
	if r.Held {
		begin = Held
	}
	r.Changes = []Change{{t.now(), begin, ""}}
	r.State = begin
	if err := t.keep(r); err != nil {
		t.remove(r)
		return nil, err
	}
	return r, nil
}

// size is how many jobs there are with this one, and with all elements of arrays.
func (t *Table) size(s *Spec) int {
	size := len(t.byID) + 1
	if s.Array != nil {
		size += s.Array.Size()
	}
	for _, f := range t.arrays {
		if f.record != nil && !f.record.State.Final() {
			size += f.record.Spec.Array.Size() - f.next
		}
	}
	return size
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
	if again && r.State != Held {
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
	if r.State.Final() || r.Wish != "" || r.Held || r.had(a.By, a.Epoch) {
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
	if r.Exhausted() {
		r.Wish, r.Why = Failed, fmt.Sprintf("its nodes have lost %d attempts", r.Lost())
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
		return t.enter(r, r.Wish, r.Why)
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
		return t.enter(r, r.Wish, r.Why)
	}
	reason := "all tasks were ended"
	if rank, s, ok := r.Failing(); ok {
		reason = fmt.Sprintf("rank %d %s", rank, s.text())
	}
	open.Reason = reason
	if _, again := r.Again(); again {
		r.Owner = protocol.NodeID{}
		return t.enter(r, Accepted, reason+"; it is tried again")
	}
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
	if t.byID[r.ID] == nil {
		return specf("%s has not had its turn; cancel the array", r.ID)
	}
	if r.Wish == "" {
		r.Wish, r.Why = s, reason
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
	_, lived := t.live[r.ID]
	if r.State.Final() {
		delete(t.live, r.ID)
	}
	if t.Changed != nil {
		t.Changed(r)
	}
	return t.follow(r, lived && r.State.Final())
}
