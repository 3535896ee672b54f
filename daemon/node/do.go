package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// Operations of users on an existing job.
const (
	doCancel  = "cancel"
	doHold    = "hold"
	doRelease = "release"
	doRemove  = "remove"

	doRecord = "record" // only wait until the custodians have the request to end the job
)

// doPatience is how long a user waits for the custodian that decides.
const doPatience = 10 * time.Second

// do does something with a job at the custodian that decides about it, and returns the job.
func (u users) do(ctx context.Context, id, what string) (*jobs.Record, error) {
	r, err := u.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if r.Custody == (jobs.Name{}) { // an element that no custodian has
		return nil, fmt.Errorf("%w: %s has not had its turn; %s the array", jobs.ErrSpec, r.ID, what)
	}
	refused, err := life.Asked(ctx, u, func(done func(error)) { u.orders.askToDo(r, what, done) })
	if err != nil {
		return nil, err
	}
	if refused != nil || what == doRemove {
		return r, refused
	}
	return u.Job(ctx, r.ID)
}

// orders carries out operations of users and operators on existing jobs.
type orders struct {
	*life.Runtime
	grid       grid
	jobs       custodians
	forgetting forgetting
}

// forgetting removes jobs for orders.
type forgetting interface {
	remove(r *jobs.Record) error
	eraseAt(custodians []protocol.Address, name jobs.Name)
	learnForgotten(name jobs.Name)
}

// askToDo asks the custodian that decides about a job to do something.
func (o *orders) askToDo(r *jobs.Record, what string, done func(error)) {
	request := rpc.DoRequest{Job: r.Custody, ID: r.ID, Do: what}
	rpc.Do.Ask(o.Calls, rpc.Primary(r.Custodians).Within(doPatience), request, func(refused rpc.Failure, err error) {
		switch {
		case what == doRemove && r.Parent == "" && errors.Is(err, rpc.ErrForgotten):
			o.forgetting.eraseAt(r.Custodians, r.Custody)
			o.forgetting.learnForgotten(r.Custody)
			o.Later(func() { done(nil) })
		case errors.Is(err, rpc.ErrUnreadable):
			done(err)
		case err != nil:
			done(fmt.Errorf("job %s: no custodian of it decides now, of %v: %w", r.ID, r.Custodians.Nodes(), err))
		default:
			done(refused.Err())
		}
	})
}

// answerDo carries out an operation of a user on a job.
func (o *orders) answerDo(k *keptJob, _ protocol.NodeID, d rpc.DoRequest) (rpc.Failure, error) {
	if d.Do == doRecord {
		if !k.recorded() {
			return rpc.Failure{}, k.waiting.Undecided()
		}
		return rpc.Failure{}, nil
	}
	return rpc.FailureOf(o.doNow(k, d.Do)), nil
}

// recorded reports whether the custodians have the request to end the job on their disks, if there
// is such a request. The request to end an array stays with its primary, which passes it on to the
// elements.
func (k *keptJob) recorded() bool {
	r, c := k.record, k.decided()
	return r.State.Final() || r.Requested == "" || r.Spec.Array != nil ||
		k.core.State().Primary.Committed && (c.Requested != 0 || c.End != 0)
}

func (o *orders) doNow(k *keptJob, what string) error {
	r := k.record
	switch what {
	case doCancel:
		if r.State.Final() {
			return fmt.Errorf("%w: %s is %s", jobs.ErrOver, r.ID, r.State)
		}
		o.jobs.end(k, jobs.Cancelled, "")
		return nil
	case doRemove:
		return o.forgetting.remove(r)
	case doHold:
		if err := o.Table.Hold(r); err != nil {
			return err
		}
		if r.Open() == nil {
			o.jobs.stop(k)
		}
	case doRelease:
		if err := o.Table.Release(r); err != nil {
			return err
		}
		o.jobs.want(k, 0)
		o.jobs.press(k)
	default:
		return fmt.Errorf("no such operation: %q", what)
	}
	o.jobs.spread(k, nil)
	return nil
}

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
	refused, err := life.Query(ctx, u, rpc.Loss, other, rpc.LossRequest{Job: r.Custody, Lost: gone.Address}, doPatience)
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

// lossOf is the custodian of a job that an operator gives up, and the custodian that is to go on.
func lossOf(r *jobs.Record, lost string) (gone, other protocol.NodeID, err error) {
	gone, err = member.ParseNode(lost)
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
		return gone, other, kept("%s is kept by %s. The loss of one daemon can be accepted if a job has two: any two "+
			"of three continue by themselves, and one cannot", r.ID, names)
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
	if !o.Restored {
		return rpc.Failure{}, rpc.ErrLater
	}
	r := o.Table.Named(q.Job)
	if r == nil {
		return rpc.FailureOf(api.Errorf(jobs.ErrUnknown, "node %v does not keep that job", o.Self)), nil
	}
	var waits, refused error
	for _, x := range o.Table.Kin(r) {
		if x.State.Final() {
			continue
		}
		again, err := o.acceptLoss(o.jobs.keptJobOf(x), q.Lost)
		waits, refused = cmp.Or(waits, again), cmp.Or(refused, err)
	}
	if waits != nil {
		return rpc.Failure{}, waits
	}
	return rpc.FailureOf(refused), nil
}

// acceptLoss passes the operator's decision to the custodian. As long as it has not taken it, the
// first result says when to ask again.
func (o *orders) acceptLoss(k *keptJob, lost protocol.Address) (again, err error) {
	r := k.record
	s, begun := k.state()
	at := slices.Index(r.Custodians, lost)
	switch {
	case at < 0 || lost == o.Self.Address:
		names := strings.Trim(fmt.Sprint(r.Custodians.Nodes()), "[]")
		return nil, kept("node %v goes on with %s, which %s keep", o.Self, r.ID, names)
	case !begun:
		return rpc.ErrLater, nil
	case s.Lives[at].Dead == 0 || s.Lives[at].Dead < s.Lives[at].Known:
		o.jobs.reportDeaths(k)
		life := protocol.NodeID{Address: lost, Incarnation: max(s.Lives[at].Known, o.grid.LastKnown(lost).Incarnation)}
		if life.Incarnation > 0 && o.grid.IsDead(life) {
			return rpc.ErrLater, nil // the custodian is notified now
		}
		return nil, kept("node %v does not count as dead: its disk may come back; canvass node status shows it", life)
	case s.Leads():
		return nil, nil
	case s.Disk.View.Number == 0:
		return nil, kept("node %v has no record of %s, so it cannot go on with it", o.Self, r.ID)
	}
	o.Log.Warn("the loss of a disk is accepted: decisions that were there alone are lost",
		"job", r.ID, "lost", jobs.Custodians{lost}.Nodes()[0].String())
	o.jobs.order(k, custody.Command{Kind: custody.CommandAcceptLoss})
	return k.waiting.Undecided(), nil
}
