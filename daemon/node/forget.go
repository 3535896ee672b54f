package node

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// tombstones are the notes about jobs that this custodian has forgotten.
type tombstones struct {
	*life.Runtime
	*config.Settings
	jobs    forgettable
	release func(*jobs.Record) // ends the waits of users for the job
	save    func(...disk.Put) error
}

// forgettable is the tombstones' view of the records of jobs.
type forgettable interface {
	keptJobOf(r *jobs.Record) *keptJob
	keptJobAt(core driver.CoreID) *keptJob
	order(k *keptJob, c custody.Command)
	endKeptJob(k *keptJob)
}

// remove forgets a job at the request of a user, here and at the other custodians.
func (ts *tombstones) remove(r *jobs.Record) error {
	switch {
	case !r.State.Final():
		return fmt.Errorf("%w: %s is %s; cancel it first", jobs.ErrRuns, r.ID, r.State)
	case r.Parent != "":
		return fmt.Errorf("%w: %s is part of an array; remove the array", jobs.ErrSpec, r.ID)
	}
	for _, x := range ts.Table.Kin(r) {
		if !ts.isSettled(x) {
			return fmt.Errorf("%w: not all of the nodes %v have the end of %s; remove it when all of them are back",
				jobs.ErrKept, x.Custodians.Nodes(), x.ID)
		}
	}
	ts.eraseAt(r.Custodians, r.Custody)
	ts.erase(r)
	return nil
}

const (
	// erasePatience is how long a custodian may take to answer that it has forgotten a job. A
	// custodian that is down asks when it is back.
	erasePatience = time.Minute

	// tellPatience is the same for a custodian that asks: it repeats its question.
	tellPatience = time.Second
)

// eraseAt has other custodians forget a job that this one has forgotten.
func (ts *tombstones) eraseAt(custodians []protocol.Address, name jobs.Name) {
	for _, a := range custodians {
		if a != ts.Self.Address {
			custodian := protocol.NodeID{Address: a}
			rpc.Erase.Ask(ts.Calls, rpc.Daemon(custodian).Within(erasePatience), name, nil)
		}
	}
}

// isSettled reports whether the end of a job is on the disks of all its custodians.
func (ts *tombstones) isSettled(r *jobs.Record) bool {
	if k := ts.jobs.keptJobAt(life.CustodyID(r.Custody)); k != nil {
		s, begun := k.state()
		return begun && s.Disk.Record.Settled
	}
	persisted, err := ts.Store.Get(disk.Cores, life.CoreKey(life.CustodyID(r.Custody)))
	if err != nil {
		ts.Fail(err)
		return false
	}
	if len(persisted) == 0 {
		return false
	}
	kept, err := custody.DecodeDisk(persisted)
	if err != nil {
		ts.Fail(ts.Damaged(disk.Cores, life.CoreKey(life.CustodyID(r.Custody)), err))
	}
	return kept.Record.Settled
}

// answerErase forgets a job, with its elements, that the caller has forgotten.
func (ts *tombstones) answerErase(_ protocol.NodeID, name jobs.Name) (rpc.None, error) {
	if !ts.Restored {
		return rpc.None{}, rpc.ErrLater
	}
	ts.learnForgotten(name)
	return rpc.None{}, nil
}

// learnForgotten forgets a job, with its elements, that another custodian has forgotten.
func (ts *tombstones) learnForgotten(name jobs.Name) {
	if r := ts.Table.Named(name); r != nil {
		for _, x := range ts.Table.Kin(r) {
			ts.jobs.order(ts.jobs.keptJobOf(x), custody.Command{Kind: custody.CommandForgotten})
		}
	}
}

const (
	// catchUpSize is of how many jobs a daemon asks at once whether they are forgotten.
	catchUpSize = 500

	// catchUpPatience is how long a daemon that is back waits for each of the others.
	catchUpPatience = 10 * time.Minute
)

// catchUp asks the other custodians of jobs that have ended, and that rest here, which of them they
// have forgotten while this daemon was down.
func (ts *tombstones) catchUp(resting []*jobs.Record) {
	names := map[protocol.Address][]jobs.Name{}
	for _, r := range resting {
		for _, a := range r.Custodians {
			if a != ts.Self.Address && r.Parent == "" {
				names[a] = append(names[a], r.Custody)
			}
		}
	}
	for _, a := range slices.Sorted(maps.Keys(names)) {
		for some := range slices.Chunk(names[a], catchUpSize) {
			rpc.CatchUp.Ask(ts.Calls, rpc.Daemon(protocol.NodeID{Address: a}).Within(catchUpPatience), some, ts.caughtUp)
		}
	}
}

func (ts *tombstones) caughtUp(names []jobs.Name, err error) {
	if err == nil {
		for _, name := range names {
			ts.learnForgotten(name)
		}
	}
}

// answerCatchUp says which of some jobs this custodian has forgotten.
func (ts *tombstones) answerCatchUp(_ protocol.NodeID, names []jobs.Name) ([]jobs.Name, error) {
	return slices.DeleteFunc(names, func(name jobs.Name) bool { return !ts.isForgotten(name) }), nil
}

// erase forgets a job, with its elements, at this custodian. All of it stays if the end of a part
// is not at all custodians.
func (ts *tombstones) erase(r *jobs.Record) {
	kin := ts.Table.Kin(r)
	if slices.ContainsFunc(kin, func(x *jobs.Record) bool { return !ts.isSettled(x) }) {
		return
	}
	for _, x := range kin {
		ts.jobs.order(ts.jobs.keptJobOf(x), custody.Command{Kind: custody.CommandForget})
	}
}

// forget replaces the data of a core and of the daemon about a forgotten job by the present time.
func (ts *tombstones) forget(core driver.CoreID) []disk.Put {
	now := binary.BigEndian.AppendUint64(nil, uint64(ts.Wall().Unix()))
	key := life.CoreKey(core)
	puts := []disk.Put{{Bucket: disk.Cores, Key: key}, {Bucket: disk.Forgotten, Key: key, Value: now}}
	if k := ts.jobs.keptJobAt(core); k != nil {
		ts.Table.Remove(k.record)
		if k.record.Parent == "" {
			puts = append(puts, disk.Put{Bucket: disk.Forgotten, Key: []byte(k.record.ID), Value: now})
		}
	}
	return puts
}

// isForgotten reports whether this custodian has forgotten a job.
func (ts *tombstones) isForgotten(name jobs.Name) bool {
	return ts.remembers(life.CoreKey(life.CustodyID(name)))
}

// forgottenID is the id of a job that this custodian has forgotten and that begins so, or of the
// array of such an element, or empty.
func (ts *tombstones) forgottenID(id string) (forgotten string) {
	array, _, _ := strings.Cut(id, "[")
	if array != "" {
		ts.Keep(ts.Store.Each(disk.Forgotten, []byte(array), func(key, _ []byte) error {
			if forgotten == "" {
				forgotten = string(key)
			}
			return nil
		}))
	}
	return forgotten
}

func (ts *tombstones) remembers(key []byte) bool {
	at, err := ts.Store.Get(disk.Forgotten, key)
	ts.Keep(err)
	return at != nil
}

// forgottenLimit is how many names of forgotten jobs are kept, the latest: that of the core of each
// job and element, and the id of each job.
const forgottenLimit = 200_000

// expireTombstones drops, each hour, the tombstones of jobs that were forgotten long ago. A
// custodian that was down for longer keeps their records until they are too old for it, too.
func (ts *tombstones) expireTombstones() {
	type entry struct {
		key []byte
		at  int64
	}
	var all []entry
	ts.Keep(ts.Store.Each(disk.Forgotten, nil, func(key, at []byte) error {
		if len(at) != 8 {
			return fmt.Errorf("a time of %d bytes", len(at))
		}
		all = append(all, entry{slices.Clone(key), int64(binary.BigEndian.Uint64(at))})
		return nil
	}))
	slices.SortStableFunc(all, func(x, y entry) int { return cmp.Compare(x.at, y.at) })
	var puts []disk.Put
	for i, e := range all {
		if e.at < ts.Oldest(host.RetainAge).Unix() || len(all)-i > forgottenLimit {
			puts = append(puts, disk.Put{Bucket: disk.Forgotten, Key: e.key})
		}
	}
	if len(puts) > 0 {
		ts.Keep(ts.save(puts...))
	}
	ts.After(time.Hour, ts.expireTombstones)
}

// forgotten stops keeping a job, and has its hosts remove its output. Messages in flight find
// no record, and no core.
func (ts *tombstones) forgotten(k *keptJob) {
	ts.release(k.record)
	for i := range k.record.Attempts {
		a := &k.record.Attempts[i]
		for _, host := range a.Hosts {
			attempt := rpc.AttemptName{By: a.By, Epoch: a.Epoch}
			rpc.Forget.Ask(ts.Calls, rpc.Daemon(host).Within(time.Minute), attempt, nil)
		}
	}
	ts.Later(func() { ts.jobs.endKeptJob(k) })
}
