package node

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// remove forgets a job at the wish of a user, here and at the other custodians.
func (n *Node) remove(r *jobs.Record) error {
	switch {
	case !r.State.Final():
		return fmt.Errorf("%w: %s is %s; cancel it first", jobs.ErrRuns, r.ID, r.State)
	case r.Parent != "":
		return fmt.Errorf("%w: %s is part of an array; remove the array", jobs.ErrSpec, r.ID)
	}
	for _, x := range n.table.Kin(r) {
		if !n.isSettled(x) {
			return fmt.Errorf("%w: not all of the nodes %v have the end of %s; remove it when all of them are back",
				jobs.ErrKept, x.Custodians.Nodes(), x.ID)
		}
	}
	for _, a := range r.Custodians {
		if a != n.self.Address {
			n.ask(protocol.NodeID{Address: a}, "erase", r.Custody, time.Minute, nil, func(json.RawMessage, error) {})
		}
	}
	n.erase(r)
	return nil
}

// isSettled reports whether the end of a job is on the disks of all its custodians.
func (n *Node) isSettled(r *jobs.Record) bool {
	if k := n.keepings[custodyID(r.Custody)]; k != nil {
		s, begun := k.state()
		return begun && s.Disk.Record.Settled
	}
	persisted, err := n.store.Get(disk.Cores, coreKey(custodyID(r.Custody)))
	if err != nil {
		n.fail(err)
		return false
	}
	kept, err := custody.DecodeDisk(persisted)
	return err == nil && kept.Record.Settled
}

// answerErase forgets a job that a user has removed at another custodian.
func (n *Node) answerErase(_ protocol.NodeID, name jobs.Name) (any, error) {
	if !n.restored {
		return nil, errLater
	}
	if r := n.table.Named(name); r != nil && r.State.Final() {
		n.erase(r)
	}
	return nil, nil
}

// erase forgets a job, with its elements, at this custodian. One whose end is not at all custodians
// stays.
func (n *Node) erase(r *jobs.Record) {
	for _, x := range n.table.Kin(r) {
		if n.isSettled(x) {
			n.order(n.keepingOf(x), custody.Command{Kind: custody.CommandForget})
		}
	}
}

// hasForgotten reports whether this node has forgotten a job of which another custodian has a
// record. Each job that was accepted the first custodian has had, but elements of its arrays, which
// others may take in its absence.
func (n *Node) hasForgotten(r *jobs.Record) bool {
	if n.table.Named(r.Custody) != nil {
		return false
	}
	return n.keepings[custodyID(r.Custody)] != nil || r.Stamp.View > 0 && r.Custodians[0] == n.self.Address &&
		(r.Parent == "" || n.table.Get(r.Parent) == nil)
}

// dropForgotten removes what former lives have left of custodians that have forgotten their jobs.
func (n *Node) dropForgotten() error {
	var puts []disk.Put
	err := n.store.Each(disk.Cores, func(key, value []byte) error {
		if core, _, err := readCore(key); err == nil && core.Kind == custodyCore && len(value) == 0 {
			puts = append(puts, disk.Put{Bucket: disk.Cores, Key: slices.Clone(key)})
		}
		return nil
	})
	if err != nil || len(puts) == 0 {
		return err
	}
	return n.store.Commit(puts...)
}

// answerForgotten forgets a job that another custodian has forgotten. This one was down then.
func (n *Node) answerForgotten(from protocol.NodeID, name jobs.Name) (any, error) {
	if !n.restored {
		return nil, errLater
	}
	r := n.table.Named(name)
	if r == nil || !slices.Contains(r.Custodians, from.Address) {
		return nil, nil
	}
	for _, x := range n.table.Kin(r) {
		n.order(n.keepingOf(x), custody.Command{Kind: custody.CommandForgotten})
	}
	return nil, nil
}

// forgotten has the hosts of a job remove its output. Its record is gone. The instance ignores what
// is still on its way.
func (n *Node) forgotten(k *keeping) {
	n.dismiss(k.record)
	for i := range k.record.Attempts {
		a := &k.record.Attempts[i]
		for _, host := range a.Hosts {
			n.ask(host, "forget", attemptName{a.By, a.Epoch}, time.Minute, nil, func(json.RawMessage, error) {})
		}
	}
	n.after(2*maxAge, func() { n.dropKeeping(k) })
}
