package node

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

const (
	acceptPatience = 3 * time.Second  // without an answer for so long, other custodians are chosen
	fewerPatience  = 12 * time.Second // and only then fewer: a dead custodian counts as dead by then
)

// take takes a job of a user: it is acknowledged when its custodians have accepted it.
func (rs *records) take(spec jobs.Spec, key, by string) (*jobs.Record, error) {
	if !rs.Restored {
		return nil, fmt.Errorf("%w: %s", jobs.ErrBusy, rs.refuses())
	}
	r := &jobs.Record{ID: rs.Machine.JobID(), Key: key, Spec: spec, User: by}
	r.Custody, r.Custodians = rs.nameJob(r), rs.custodians(r.ID, nil)
	if err := rs.Table.Take(r); err != nil {
		return nil, err
	}
	rs.accept(rs.addKeptJob(r, nil))
	return r, nil
}

// nameJob gives a job a name, and reserves the names that follow for the elements of an array.
func (rs *records) nameJob(r *jobs.Record) jobs.Name {
	rs.lastJob++
	name := jobs.Name{By: rs.Self, Number: rs.lastJob}
	if r.Spec.Array != nil {
		rs.lastJob += uint32(r.Spec.Array.Size())
	}
	return name
}

// custodians chooses the custodians of a job: this node, and the other nodes with the highest
// hashes for the job.
func (rs *records) custodians(id string, without []protocol.Address) []protocol.Address {
	var others []protocol.Address
	for _, life := range rs.grid.Alive() {
		if !slices.Contains(without, life.Address) {
			others = append(others, life.Address)
		}
	}
	slices.SortFunc(others, func(a, b protocol.Address) int { return cmp.Compare(rank(id, b), rank(id, a)) })
	return append([]protocol.Address{rs.Self.Address}, others[:min(len(others), custody.Most-1)]...)
}

// rank is the hash that chooses custodians. The address comes first: a difference at the end of a
// text hardly changes the order of its hashes, and then few pairs of nodes would keep all jobs.
func rank(id string, a protocol.Address) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s", a, id)
	return h.Sum64()
}

// accept has the custodians of a new job take it. The elements of an array have its contents.
func (rs *records) accept(k *keptJob) {
	wants := func() {
		rs.reportDeaths(k) // an element may be taken by an heir
		rs.order(k, custody.Command{Kind: custody.CommandAccept, Limit: k.record.Limit()})
	}
	if len(k.record.Contents()) > 0 && k.record.Parent == "" {
		rs.copies.spread(k, func(without []protocol.Address) {
			if len(without) == 0 {
				wants()
			}
			k.crowded = append(k.crowded, without...) // others are chosen
		})
	} else {
		wants()
	}
	if k.record.Parent == "" {
		rs.After(acceptPatience, func() { rs.reconsider(k) })
	}
}

// reconsider chooses other custodians for a job if some have not answered. Fewer are chosen only
// after a while: with two of them the loss of one disk can be the loss of the job.
func (rs *records) reconsider(k *keptJob) {
	if !rs.takes(k) {
		return
	}
	s, _ := k.state()
	silent := slices.Concat(s.WaitsFor(), k.silent, k.crowded)
	custodians := rs.custodians(k.record.ID, silent)
	if len(custodians) < len(k.record.Custodians) { // those of earlier choices may answer now
		silent = slices.Concat(s.WaitsFor(), k.crowded)
		custodians = rs.custodians(k.record.ID, silent)
	}
	fewer := len(custodians) < len(k.record.Custodians)
	waits := fewer && rs.Clock()-k.seen < fewerPatience
	if waits || slices.Equal(custodians, k.record.Custodians) {
		rs.After(acceptPatience, func() { rs.reconsider(k) })
		return
	}
	rs.chooseAgain(k, custodians, silent)
}

// replacesDead reports whether a custodian has died while the job is taken, and another one is
// there to take its place, which is done then. Two of three may take a job, but three outlive more.
func (rs *records) replacesDead(k *keptJob) bool {
	if !rs.takes(k) || !slices.ContainsFunc(k.record.Custodians, rs.isGone) {
		return false
	}
	s, _ := k.state()
	for _, silent := range [][]protocol.Address{slices.Concat(s.WaitsFor(), k.silent, k.crowded), k.crowded} {
		custodians := rs.custodians(k.record.ID, silent)
		if len(custodians) >= len(k.record.Custodians) {
			rs.After(0, func() { // not all in this turn: each is written to the disk
				if rs.takes(k) {
					rs.chooseAgain(k, custodians, silent)
				}
			})
			return true
		}
	}
	return false
}

// isGone reports whether all known incarnations of a node are dead.
func (rs *records) isGone(a protocol.Address) bool {
	return a != rs.Self.Address &&
		!slices.ContainsFunc(rs.grid.Alive(), func(life protocol.NodeID) bool { return life.Address == a })
}

// takes reports whether this daemon takes a job of which no custodian has a record. As long as that
// is so, a custodian can get one only from this daemon. A copy with the stamp of a view is of a job
// that was taken before. An element has the custodians of its array.
func (rs *records) takes(k *keptJob) bool {
	s, begun := k.state()
	r := k.record
	return rs.keptJobs[k.id] == k && begun && s.Disk.View.Number == 0 && r.Stamp.View == 0 &&
		r.Parent == "" && r.Custodians[0] == rs.Self.Address
}

// chooseAgain gives a job that this daemon takes other custodians, under a new name.
func (rs *records) chooseAgain(k *keptJob, custodians, silent []protocol.Address) {
	r := k.record
	rs.Log.Info("other custodians are chosen", "job", r.ID, "before", r.Custodians, "now", custodians)
	rs.dropKeptJob(k)
	rs.Table.Rename(r, rs.nameJob(r), custodians)
	next := rs.addKeptJob(r, nil)
	next.silent, next.crowded = silent, k.crowded
	rs.accept(next)
}

// deciding returns the kept job for a question that its primary answers. An incarnation
// without a lease may count as dead, so it decides nothing: its custodians do not run yet.
func (rs *records) deciding(name jobs.Name) (*keptJob, error) {
	if !rs.Restored {
		return nil, rpc.ErrLater
	}
	r := rs.Table.Named(name)
	switch {
	case r == nil && rs.tombs.isForgotten(name):
		return nil, rpc.ErrForgotten
	case r == nil:
		return nil, fmt.Errorf("%w: node %v has no job %v/%d", rpc.ErrNoRecord, rs.Self, name.By, name.Number)
	}
	k := rs.keptJobOf(r)
	if k.leads() {
		return k, nil
	}
	rs.reportDeaths(k) // no death may have been reported of a job that has ended
	s, begun := k.state()
	if !begun || s.Leader().Address == rs.Self.Address {
		return k, k.waiting.Undecided()
	}
	return k, rpc.Elsewhere{Leader: s.Leader().Address}
}
