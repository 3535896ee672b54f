package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/library"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/space"
)

// users is the interface of a daemon for its users. Its methods run on goroutines of the users, and
// ask the goroutine of the node.
type users struct{ *parts }

var _ api.Grid = users{}

// Submit takes a job: when it returns, the job is on the disks of its custodians.
func (u users) Submit(ctx context.Context, s api.Submission) (*jobs.Record, error) {
	if err := u.Missing(&s.Spec); err != nil {
		return nil, err
	}
	if err := cmp.Or(s.Spec.Validate(), jobs.CheckKey(s.Key)); err != nil {
		return nil, err
	}
	type taken struct {
		r     *jobs.Record
		acked <-chan struct{}
	}
	low, by := library.NoRoom(u.Options.Folder), api.UserOf(ctx)
	t, err := life.On(ctx, u, func() (taken, error) {
		if r, err := u.Table.Known(s.Spec, s.Key); low != nil && err == nil && r == nil {
			return taken{}, low
		}
		r, err := u.handIn(s.Spec, s.Key, by)
		if err != nil {
			return taken{}, err
		}
		return taken{r, u.Acked(r)}, nil
	})
	if err != nil {
		return nil, err
	}
	if _, err := life.Received(ctx, u, t.acked); err != nil {
		return nil, err
	}
	return life.On(ctx, u, func() (*jobs.Record, error) { return u.copied(t.r, nil) })
}

// handIn takes a job of a user, unless there is one under the key.
func (p *parts) handIn(s jobs.Spec, key, by string) (*jobs.Record, error) {
	r, err := p.Table.Known(s, key)
	switch {
	case err != nil || r != nil:
		return r, err
	case p.drain.Leaving:
		return nil, fmt.Errorf("%w: node %v leaves the grid; ask another daemon", jobs.ErrBusy, p.Self)
	}
	return p.take(s, key, by)
}

// Job returns a job, from its primary if that answers: the other custodians have some changes only
// with the next decision.
func (u users) Job(ctx context.Context, id string) (*jobs.Record, error) {
	r, err := u.find(ctx, id)
	if err != nil || r.State.Final() {
		return r, err
	}
	leader, err := life.On(ctx, u, func() (protocol.NodeID, error) { return u.leaderOf(r), nil })
	if err != nil || leader == u.Self {
		return r, err
	}
	c, err := life.Query(ctx, u, rpc.Find, leader, r.ID, leaderPatience)
	if err == nil && c.Record != nil && !jobs.Fresher(r, c.Record) {
		c.Record.NoLease = r.NoLease
		return c.Record, nil
	}
	return r, nil
}

// leaderPatience is how long users wait for the custodian that decides, before another copy counts.
const leaderPatience = 500 * time.Millisecond

// Wait returns a job when it has ended or the context has.
func (u users) Wait(ctx context.Context, id string) (*jobs.Record, error) {
	known, err := u.find(ctx, id)
	if err != nil {
		return nil, err
	}
	ended, err := life.On(ctx, u, func() (chan struct{}, error) {
		r, err := u.Table.Find(known.ID)
		if err != nil {
			return nil, err
		}
		return u.UntilEnd(r), nil
	})
	if errors.Is(err, jobs.ErrUnknown) {
		return u.await(ctx, known)
	}
	if err != nil {
		return nil, err
	}
	select {
	case <-ended:
	case <-ctx.Done():
		u.Post(func() { u.LeaveOff(known.ID, ended) })
	case <-u.Stopped:
		return nil, u.Ending()
	}
	return u.Job(context.WithoutCancel(ctx), known.ID)
}

// Cancel ends a job, and returns when nothing of it runs.
func (u users) Cancel(ctx context.Context, id string) (*jobs.Record, error) {
	r, err := u.do(ctx, id, doCancel)
	if err != nil {
		return nil, err
	}
	return u.Wait(ctx, r.ID)
}

// CancelLater wants a job to end, and returns when its custodians have that on their disks.
func (u users) CancelLater(ctx context.Context, id string) (*jobs.Record, error) {
	r, err := u.do(ctx, id, doCancel)
	if err != nil {
		return nil, err
	}
	return u.do(ctx, r.ID, doRecord)
}

// Hold keeps a job that waits from running.
func (u users) Hold(ctx context.Context, id string) (*jobs.Record, error) {
	return u.do(ctx, id, doHold)
}

// Release lets a held job run.
func (u users) Release(ctx context.Context, id string) (*jobs.Record, error) {
	return u.do(ctx, id, doRelease)
}

// Remove forgets a job that has ended.
func (u users) Remove(ctx context.Context, id string) (*jobs.Record, error) {
	return u.do(ctx, id, doRemove)
}

// Nodes returns the reports of all known daemons.
func (u users) Nodes(ctx context.Context) ([]api.NodeReport, error) {
	return life.Asked(ctx, u, func(done func([]api.NodeReport)) { u.reports.survey(false, done) })
}

// Report returns the report of one daemon.
func (u users) Report(ctx context.Context, name string) (api.NodeReport, error) {
	answered := make(chan api.NodeReport, 1)
	_, err := life.On(ctx, u, func() (protocol.NodeID, error) {
		id, err := u.Named(name)
		if err == nil {
			u.reports.ask(id, func(r api.NodeReport) { answered <- r })
		}
		return id, err
	})
	if err != nil {
		return api.NodeReport{}, err
	}
	return life.Received(ctx, u, answered)
}

const reportPatience = 2 * time.Second

// report is the report of this daemon.
func (n *Node) report() api.NodeReport {
	s := n.Peer.State()
	r := api.NodeReport{
		Version: api.Version, Node: n.Self, Name: string(n.ID.Name),
		Endpoint: n.Links.Endpoint(), Phase: phaseName(s.Can.Phase),
		CPUs: n.Config.CPUs, MemoryGiB: n.Config.MemoryGiB, Isolation: n.Host.Isolation(),
		Process: api.Process{Build: n.Options.Build, Uptime: n.Clock() - n.Began},
		Exposed: n.exposed,
		Queue:   len(s.Tasks.Tasks), LeaseLeft: n.LeaseLeft(),
		NoLease:    n.MayNot(),
		Share:      n.Share(),
		Witness:    slices.Contains(n.Config.Grid.Witnesses, n.Self.Address),
		Draining:   n.drain.Leaving,
		NoTasks:    n.fitness.NoTasks,
		Known:      len(n.Known()) + 1,
		SinceDeath: n.SinceDeath(),

		Certificate: n.admission.Certificate(),
	}
	for _, a := range n.Config.Grid.Witnesses {
		r.Witnesses = append(r.Witnesses, protocol.NodeID{Address: a, Incarnation: 1})
	}
	if n.IsMember() {
		var living []space.Zone
		for _, neighbour := range s.Can.Known {
			if s.Can.IsDead(neighbour.ID) {
				r.Gone = append(r.Gone, neighbour.ID)
				continue
			}
			living = append(living, neighbour.Zone)
		}
		r.Open = !n.Cores.Can.Space.BorderCovered(s.Can.Self.Zone, living)
		r.Zone = n.Cores.Can.Space.ZoneText(s.Can.Self.Zone)
	}
	if c, ok := s.Refine.Advertised(); ok {
		r.Cluster = c.Members
	}
	r.Doing = n.attempts.Doing()
	if n.drain.Leaving && !n.drain.Departs {
		for _, live := range n.Table.Live() {
			if n.mine(live) {
				r.Awaits++
			}
		}
	}
	if task, runs := s.Tasks.Runs(); runs {
		r.Running = life.AttemptText(task.By, task.Epoch)
	}
	r.AddFormerNames()
	return r
}

// Events returns the events after a cursor; if wait is set, once there are some.
func (u users) Events(ctx context.Context, after uint64, wait bool) ([]api.Event, error) {
	for {
		type some struct {
			events []api.Event
			fresh  <-chan struct{}
		}
		s, err := life.On(ctx, u, func() (some, error) {
			found, fresh, err := u.News.From(after)
			return some{found, fresh}, err
		})
		if err != nil || len(s.events) > 0 || !wait {
			return s.events, err
		}
		if _, err := life.Received(ctx, u, s.fresh); err != nil {
			return nil, err
		}
	}
}

// views are the jobs of which this daemon has a copy, in their form for users.
type views struct {
	*life.Runtime
	grid      grid
	keptJob   func(jobs.Name) *keptJob // nil: it does not keep the job now
	noLease   func() string            // why this node may run nothing
	forgotten func(id string) string   // the id of a job that begins so and is forgotten, or nothing
}

// copied is a copy of a record that the node goes on changing, as users see it.
func (v *views) copied(r *jobs.Record, err error) (*jobs.Record, error) {
	if err != nil {
		return nil, err
	}
	fresh := r.Clone()
	fresh.Counts = v.Table.Count(r)
	fresh.Dead, fresh.Left = v.deadOf(r.Custodians)
	if c, some := v.foreseen(r); some {
		v.Table.Preview(fresh, c)
	}
	return fresh, nil
}

// shown is such a copy for a user of this daemon. Without a lease it has no information
// about whether a job runs elsewhere.
func (v *views) shown(r *jobs.Record, err error) (*jobs.Record, error) {
	c, err := v.copied(r, err)
	if err == nil && !c.State.Final() {
		c.NoLease = v.noLease()
	}
	return c, err
}

// deadOf returns the custodians whose latest life has died, as far as is known, and those whose
// latest life has left in order.
func (v *views) deadOf(custodians jobs.Custodians) (dead, left jobs.Custodians) {
	for _, a := range custodians {
		life := v.grid.LastKnown(a)
		if _, has := v.grid.HasLeft(life); has {
			left = append(left, a)
		} else if life.Incarnation > 0 && v.grid.IsDead(life) {
			dead = append(dead, a)
		}
	}
	return dead, left
}

// foreseen is the decision on the disk of a custodian that is not the primary of a job, if users
// may see it. As long as not all custodians have the end on their disks, this one may be alone with
// it: the others may have decided otherwise.
func (v *views) foreseen(r *jobs.Record) (c custody.Record, some bool) {
	k := v.keptJob(r.Custody)
	if k == nil || k.leads() {
		return c, false
	}
	s, _ := k.state()
	c = s.Disk.Record
	return c, c.End == 0 || c.Settled
}

// mine reports whether a job was submitted here, or is decided about here.
func (v *views) mine(r *jobs.Record) bool {
	k := v.keptJob(r.Custody)
	return r.Custodians[0] == v.Self.Address || k != nil && k.leads()
}

// leaderOf is the primary of a job, if this node has met it, or this node.
func (v *views) leaderOf(r *jobs.Record) protocol.NodeID {
	k := v.keptJob(r.Custody)
	if k == nil {
		return v.Self // it has asked all others
	}
	s, begun := k.state()
	if leader := s.Leader(); begun && !s.Leads() && leader.Incarnation > 0 && !v.grid.IsDead(leader) {
		return leader
	}
	return v.Self
}

// reports asks nodes for their reports.
type reports struct {
	*life.Runtime
	grid     grid
	own      func() api.NodeReport
	isListed func(id protocol.NodeID, former bool) bool
}

// survey asks all known daemons for their reports. It leaves out nodes that left long ago, unless
// former nodes are wanted.
func (s *reports) survey(former bool, done func([]api.NodeReport)) {
	left, all := 1, []api.NodeReport{}
	arrived := func() {
		if left--; left == 0 {
			all = append(all, s.own()) // the last one: a node that has not answered may have died meanwhile
			slices.SortFunc(all, func(x, y api.NodeReport) int { return x.Node.Compare(y.Node) })
			done(all)
		}
	}
	for _, id := range s.grid.Known() {
		if !s.isListed(id, former) {
			continue
		}
		left++
		s.ask(id, func(r api.NodeReport) {
			all = append(all, r)
			arrived()
		})
	}
	arrived()
}

// ask asks a daemon for its report.
func (s *reports) ask(id protocol.NodeID, done func(api.NodeReport)) {
	silent := api.NodeReport{Version: api.Version, Node: id, Error: "no answer"}
	_, left := s.grid.HasLeft(s.grid.Latest(id))
	dead := s.grid.IsDead(s.grid.Latest(id))
	switch { // no life there can answer
	case left && dead:
		silent.Error = api.Left
	case left:
		silent.Error = api.Leaves
	case dead:
		silent.Error = api.Dead
	}
	if left || dead {
		done(silent)
		return
	}
	rpc.Report.Ask(s.Calls, rpc.Daemon(id).Within(reportPatience), rpc.None{}, func(r api.NodeReport, err error) {
		if err != nil {
			r = silent
			if s.grid.IsDead(id) {
				r.Error = api.Dead
			}
		}
		done(r)
	})
}

// answerAwaits lists the custodians of a job for which this one waits.
func (v *views) answerAwaits(_ protocol.NodeID, name jobs.Name) ([]protocol.Address, error) {
	k := v.keptJob(name)
	if k == nil {
		return nil, nil
	}
	s, _ := k.state()
	awaits := s.WaitsFor()
	if !s.Leads() || s.Primary.Committed {
		return awaits, nil
	}
	for i, id := range s.Disk.View.Members {
		if i >= len(s.Primary.Acked) || !s.Primary.Acked[i] {
			awaits = append(awaits, id.Address)
		}
	}
	return awaits, nil
}
