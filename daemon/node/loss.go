package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// AcceptLoss lets a job of two custodians go on without the one whose disk is gone for good. It
// returns when the other one decides about the job.
func (u users) AcceptLoss(ctx context.Context, id, lost string) (*jobs.Record, error) {
	r, err := u.find(ctx, id)
	if err != nil {
		return nil, err
	}
	gone, other, err := lossOf(r, lost)
	if err != nil {
		return nil, err
	}
	refused, err := query(ctx, u, rpc.Loss, other, rpc.LossRequest{Job: r.Custody, Lost: gone.Address}, doPatience)
	if errors.Is(err, rpc.ErrUnreadable) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("job %s: node %v, which is to go on with it, does not answer: %w", r.ID, other, err)
	}
	if err := refused.Err(); err != nil {
		return nil, err
	}
	return u.Job(ctx, r.ID)
}

// lossOf is the custodian of a job that an operator gives up, and the one that is to go on.
func lossOf(r *jobs.Record, lost string) (gone, other protocol.NodeID, err error) {
	gone, err = parseNode(lost)
	keepers := r.Custodians.Nodes()
	names := strings.Trim(fmt.Sprint(keepers), "[]")
	switch at := slices.Index(r.Custodians, gone.Address); {
	case err != nil:
		return gone, other, err
	case r.State.Final():
		return gone, other, fmt.Errorf("%w: %s is %s", jobs.ErrOver, r.ID, r.State)
	case at < 0:
		return gone, other, kept("node %v does not keep %s: %s do", gone, r.ID, names)
	case r.Custody == (jobs.Name{}):
		return gone, other, kept("%s has not had its turn; name the array", r.ID)
	case len(keepers) != 2:
		return gone, other, kept("%s is kept by %s. A loss can be accepted of one of two daemons. Of three any two "+
			"go on "+
			"by themselves, and one cannot", r.ID, names)
	default:
		return gone, keepers[1-at], nil
	}
}

// kept is the error that a loss cannot be accepted, in words that stand alone.
func kept(format string, args ...any) error {
	return api.Errorf(jobs.ErrKept, format, args...)
}

// answerLoss lets the custodians of a job, or of an array and its elements, go on without the lost
// one. The answer comes when this one decides about all of them.
func (o *orders) answerLoss(_ protocol.NodeID, q rpc.LossRequest) (rpc.Failure, error) {
	if !o.restored {
		return rpc.Failure{}, rpc.ErrLater
	}
	r := o.table.Named(q.Job)
	if r == nil {
		return rpc.FailureOf(api.Errorf(jobs.ErrUnknown, "node %v does not keep that job", o.self)), nil
	}
	var waits, refused error
	for _, x := range o.table.Kin(r) {
		if x.State.Final() {
			continue
		}
		again, err := o.acceptLoss(o.jobs.keepingOf(x), q.Lost)
		waits, refused = cmp.Or(waits, again), cmp.Or(refused, err)
	}
	if waits != nil {
		return rpc.Failure{}, waits
	}
	return rpc.FailureOf(refused), nil
}

// acceptLoss gives the custodian the operator's word. As long as it has not taken it, the first
// result says when it is to be asked again.
func (o *orders) acceptLoss(k *keeping, lost protocol.Address) (again, err error) {
	r := k.record
	s, begun := k.state()
	at := slices.Index(r.Custodians, lost)
	switch {
	case at < 0 || lost == o.self.Address:
		names := strings.Trim(fmt.Sprint(r.Custodians.Nodes()), "[]")
		return nil, kept("node %v goes on with %s, which %s keep", o.self, r.ID, names)
	case !begun:
		return rpc.ErrLater, nil
	case s.Lives[at].Dead == 0 || s.Lives[at].Dead < s.Lives[at].Known:
		o.jobs.mourn(k)
		life := protocol.NodeID{Address: lost, Incarnation: max(s.Lives[at].Known, o.grid.lastKnown(lost).Incarnation)}
		if life.Incarnation > 0 && o.grid.dead(life) {
			return rpc.ErrLater, nil // the custodian hears of it now
		}
		return nil, kept("node %v does not count as dead: its disk may come back; canvass node status shows it", life)
	case s.Leads():
		return nil, nil
	case s.Disk.View.Number == 0:
		return nil, kept("node %v has no record of %s, so there is none to go on with", o.self, r.ID)
	}
	o.log.Warn("the loss of a disk is accepted: what was decided there alone is forgotten",
		"job", r.ID, "lost", jobs.Custodians{lost}.Nodes()[0].String())
	o.jobs.order(k, custody.Command{Kind: custody.CommandAcceptLoss})
	return k.waiting.Undecided(), nil
}
