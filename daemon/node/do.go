package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// What users do with a job that is there.
const (
	doCancel  = "cancel"
	doHold    = "hold"
	doRelease = "release"
	doRemove  = "remove"

	doRecord = "record" // nothing but wait until the custodians have the wish to end the job
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
	refused, err := asked(ctx, u, func(done func(error)) { u.orders.askToDo(r, what, done) })
	if err != nil {
		return nil, err
	}
	if refused != nil || what == doRemove {
		return r, refused
	}
	return u.Job(ctx, r.ID)
}

// orders are what users and operators do with jobs that are there.
type orders struct {
	*runtime
	grid       grid
	jobs       custodians
	forgetting forgetting
}

// forgetting is what orders need to remove a job.
type forgetting interface {
	remove(r *jobs.Record) error
	eraseAt(custodians []protocol.Address, name jobs.Name)
	learnForgotten(name jobs.Name)
}

// askToDo asks the custodian that decides about a job to do something.
func (o *orders) askToDo(r *jobs.Record, what string, done func(error)) {
	request := rpc.DoRequest{Job: r.Custody, ID: r.ID, Do: what}
	rpc.Do.Ask(o.calls, rpc.Primary(r.Custodians).Within(doPatience), request, func(refused rpc.Failure, err error) {
		switch {
		case what == doRemove && r.Parent == "" && errors.Is(err, rpc.ErrForgotten):
			o.forgetting.eraseAt(r.Custodians, r.Custody)
			o.forgetting.learnForgotten(r.Custody)
			o.later(func() { done(nil) })
		case errors.Is(err, rpc.ErrUnreadable):
			done(err)
		case err != nil:
			done(fmt.Errorf("job %s: no custodian of it decides now, of %v: %w", r.ID, r.Custodians.Nodes(), err))
		default:
			done(refused.Err())
		}
	})
}

// answerDo does what a user wants.
func (o *orders) answerDo(k *keeping, _ protocol.NodeID, d rpc.DoRequest) (rpc.Failure, error) {
	if d.Do == doRecord {
		if !k.recorded() {
			return rpc.Failure{}, k.waiting.Undecided()
		}
		return rpc.Failure{}, nil
	}
	return rpc.FailureOf(o.doNow(k, d.Do)), nil
}

// recorded reports whether the custodians have the wish to end the job on their disks, if there is
// one. That of an array stays with the one that decides, which passes it on to the elements.
func (k *keeping) recorded() bool {
	r, c := k.record, k.decided()
	return r.State.Final() || r.Wish == "" || r.Spec.Array != nil ||
		k.core.State().Primary.Committed && (c.Wish != 0 || c.End != 0)
}

func (o *orders) doNow(k *keeping, what string) error {
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
		if err := o.table.Hold(r); err != nil {
			return err
		}
		if r.Open() == nil {
			o.jobs.revoke(k)
		}
	case doRelease:
		if err := o.table.Release(r); err != nil {
			return err
		}
		if r.Owner.IsNobody() {
			o.jobs.submit(k)
		}
		o.jobs.press(k)
	default:
		return fmt.Errorf("no such wish: %q", what)
	}
	o.jobs.spread(k, nil)
	return nil
}
