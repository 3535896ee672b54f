package node

import (
	"context"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// arrays are the arrays that this node coordinates, and their elements.
type arrays struct {
	*life.Runtime
	grid   grid
	jobs   custodians
	views  *views
	accept func(*keptJob) // has the custodians of an element take it
	begin  func(*jobs.Record) *keptJob
}

// coordinate goes on with an array at its primary: it lets elements begin, as many as the grid has
// room for, and ends the array when all of it has ended. The attempt of an array stands for that.
func (a *arrays) coordinate(k *keptJob, c custody.Record) {
	r := k.record
	switch {
	case c.Attempt.IsNone():
		a.Table.Begin(r)
		a.jobs.order(k, custody.Command{
			Kind: custody.CommandPermit, Try: c.Try, Hosts: []protocol.NodeID{a.Self},
			Attempt: custody.Attempt{By: a.Self, Epoch: c.Try},
		})
		return
	case a.Table.Settle(r):
		a.jobs.order(k, custody.Command{Kind: custody.CommandOutcome, Try: c.Try, Attempt: c.Attempt, Outcome: r.Digest()})
		return
	}
	room := max(roomMin, roomOfNode*(len(a.grid.Alive())+1))
	for e := a.Table.Spawn(r, room); e != nil; e = a.Table.Spawn(r, room) {
		a.accept(a.begin(e))
	}
	for _, e := range a.Table.Elements(r) {
		if e.State.Final() {
			continue
		}
		k := a.jobs.keptJobOf(e)
		if s, begun := k.state(); begun && s.Disk.View.Number == 0 && s.Wanted == 0 {
			a.accept(k) // a former primary of the array has died before it was taken
		}
		if r.Requested != "" {
			a.jobs.end(k, r.Requested, r.Why)
		}
	}
}

// How many elements of an array are with the grid at once, unless the array says fewer.
const (
	roomMin    = 8
	roomOfNode = 4
)

func (a *arrays) answerElements(_ protocol.NodeID, q rpc.ElementsRequest) ([]rpc.Element, error) {
	r := a.Table.Named(q.Job)
	if r == nil {
		return nil, fmt.Errorf("%w: node %v has no such array", rpc.ErrNoRecord, a.Self)
	}
	some := []rpc.Element{}
	for _, x := range a.Table.Elements(r) {
		if x.Index <= q.After {
			continue
		}
		e, err := a.views.copied(x, nil)
		if err != nil {
			return nil, err
		}
		if some = append(some, elementText(e)); len(some) == rpc.ElementsLimit {
			break
		}
	}
	return some, nil
}

// reasonLimit is how many bytes of a reason a list of elements has, and hostsLimit how many hosts.
const (
	reasonLimit = 120
	hostsLimit  = 16
)

func elementText(r *jobs.Record) (e rpc.Element) {
	e.Element = api.Element{Version: api.Version, Job: r.ID, Index: r.Index, State: r.State, Attempt: len(r.Attempts)}
	if r.State.Final() {
		e.Code = r.ExitCode()
	}
	if e.State.Final() && e.State != jobs.Succeeded {
		reason := r.Changes[len(r.Changes)-1].Reason
		e.Reason = reason[:min(len(reason), reasonLimit)]
	}
	if last := r.Last(); last != nil {
		e.Hosts, e.Name = last.Hosts[:min(len(last.Hosts), hostsLimit)], rpc.AttemptName{By: last.By, Epoch: last.Epoch}
	}
	return e
}

// Elements lists the elements of an array that have had their turn, from one of its custodians:
// from the primary, if it answers. Hosts report the sizes of the elements' output.
func (u users) Elements(ctx context.Context, id string, sizes bool) ([]api.Element, error) {
	r, err := u.find(ctx, id)
	if err != nil {
		return nil, err
	}
	first, err := life.On(ctx, u, func() (protocol.NodeID, error) {
		if u.Table.Named(r.Custody) == nil {
			return r.Custodians.Nodes()[0], nil
		}
		return u.leaderOf(r), nil
	})
	if err != nil {
		return nil, err
	}
	nodes := append([]protocol.NodeID{first}, r.Custodians.Nodes()...)
	var all []rpc.Element
	for _, from := range nodes {
		if all, err = u.elementsAt(ctx, from, r.Custody); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the elements of %s, which %v keep: %w", r.ID, r.Custodians.Nodes(), err)
	}
	if sizes {
		u.sizes(ctx, all)
	}
	list := []api.Element{}
	for _, e := range all {
		list = append(list, e.Element)
	}
	return list, nil
}

// elementsAt asks a custodian, page by page.
func (u users) elementsAt(ctx context.Context, from protocol.NodeID, job jobs.Name) (all []rpc.Element, err error) {
	for after := -1; ; after = all[len(all)-1].Index {
		some, err := life.Query(ctx, u, rpc.Elements, from, rpc.ElementsRequest{Job: job, After: after}, listPatience)
		if err != nil {
			return nil, err
		}
		if all = append(all, some...); len(some) < rpc.ElementsLimit || len(all) >= jobs.ArrayLimit {
			return all, nil
		}
	}
}

// sizes asks the hosts of the elements how much these have printed.
func (u users) sizes(ctx context.Context, all []rpc.Element) {
	at := map[protocol.NodeID][]int{}
	for i := range all {
		for _, host := range all[i].Hosts {
			at[host] = append(at[host], i)
		}
	}
	for host, elements := range at {
		for some := range slices.Chunk(elements, rpc.ElementsLimit) {
			u.sizesAt(ctx, host, all, some)
		}
	}
}

func (u users) sizesAt(ctx context.Context, host protocol.NodeID, all []rpc.Element, some []int) {
	var names []rpc.AttemptName
	for _, i := range some {
		names = append(names, all[i].Name)
	}
	printed, err := life.Query(ctx, u, rpc.Printed, host, names, listPatience)
	for k, i := range some {
		if err != nil || k >= len(printed) {
			all[i].Mute, all[i].Former = host.String(), host.String()
			continue
		}
		all[i].Stdout += printed[k][0]
		all[i].Stderr += printed[k][1]
	}
}
