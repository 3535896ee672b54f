package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	locatePatience = 2 * time.Second
	locateEvery    = 500 * time.Millisecond // while a user waits for a job that other daemons keep
)

// find returns a copy of a job: of the table, or, if this daemon has none, from another daemon. A
// shortened id may match several jobs, of which this daemon has one, so all are asked. The error is
// jobs.ErrUnknown if no daemon has a copy, and jobs.ErrOutOfReach if some daemons did not answer: a
// daemon that has ended keeps its copies on its disk.
func (u users) find(ctx context.Context, id string) (*jobs.Record, error) {
	r, err := life.On(ctx, u, func() (*jobs.Record, error) { return u.shown(u.Table.Find(id)) })
	if err == nil && r.ID == id || err != nil && !errors.Is(err, jobs.ErrUnknown) {
		return r, err
	}
	l, failed := u.locate(ctx, id)
	if failed != nil {
		return nil, failed
	}
	if r != nil {
		l.all = append(l.all, r)
	}
	found, failed := newest(id, l.all)
	switch {
	case failed != nil:
		return nil, failed
	case l.several:
		return nil, fmt.Errorf("%w, which begins with %q; give more of it", jobs.ErrAmbiguous, id)
	case r != nil:
		return r, nil
	case found != nil:
		return found, nil
	}
	return nil, cmp.Or(l.lacks(id), err)
}

// lacks is the reason why a job was not found, or nil. If a job whose id begins so has been
// removed, a silent daemon may still have another one.
func (l *located) lacks(id string) error {
	array, _, _ := strings.Cut(id, "[")
	switch {
	case l.forgotten != "" && l.forgotten == array:
		return fmt.Errorf("%w: %s has been removed or has expired", jobs.ErrUnknown, id)
	case !l.member:
		return fmt.Errorf("%w: this daemon does not have %q, and is not in the grid yet to ask others; "+
			"canvass node status shows it", jobs.ErrOutOfReach, id)
	case len(l.silent) > 0:
		return outOfReach(id, l.silent)
	case l.forgotten != "":
		return fmt.Errorf("%w: %s, which begins with that, has been removed or has expired", jobs.ErrUnknown, l.forgotten)
	}
	return nil
}

// outOfReach is the error about a job of which no daemon that answers has a copy.
func outOfReach(id string, silent []protocol.NodeID) error {
	slices.SortFunc(silent, protocol.NodeID.Compare)
	var names []string
	for _, life := range silent {
		names = append(names, life.String())
	}
	return fmt.Errorf("%w: no daemon that answers has %q, and %s can have it: start what has ended, or look at the id",
		jobs.ErrOutOfReach, id, strings.Join(names, ", "))
}

// located is the answers of other daemons about a job.
type located struct {
	left   int
	all    []*jobs.Record    // copies
	silent []protocol.NodeID // have not answered

	several   bool   // a daemon has several jobs with such an id
	forgotten string // the id of such a job that a daemon had
	member    bool   // this daemon is in the grid, and so has met the others
	done      chan struct{}
}

// arrived takes an answer, which may be nil, of a node that was asked.
func (l *located) arrived(r *jobs.Record) {
	if r != nil {
		l.all = append(l.all, r)
	}
	if l.left--; l.left == 0 {
		close(l.done)
	}
}

// locate asks all other daemons for a job.
func (u users) locate(ctx context.Context, id string) (*located, error) {
	l, err := life.On(ctx, u, func() (*located, error) {
		l := &located{left: 1, member: u.IsMember(), forgotten: u.forgotten(id), done: make(chan struct{})}
		for _, life := range u.Known() {
			if u.HasNothing(life) {
				continue
			}
			if u.IsDead(life) {
				l.silent = append(l.silent, life)
				continue
			}
			l.left++
			rpc.Find.Ask(u.Calls, rpc.Daemon(life).Within(locatePatience), id, func(found rpc.Found, err error) {
				if errors.Is(err, rpc.ErrGivenUp) { // an answer of another build that cannot be read counts as no copy
					l.silent = append(l.silent, life)
				}
				l.several = l.several || found.Several
				l.forgotten = cmp.Or(l.forgotten, found.Forgotten)
				l.arrived(found.Record)
			})
		}
		l.arrived(nil)
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	if _, err := life.Received(ctx, u, l.done); err != nil {
		return nil, err
	}
	return l, nil
}

// newest is the newest copy, or nil if there is none.
func newest(id string, all []*jobs.Record) (found *jobs.Record, err error) {
	for _, r := range all {
		switch {
		case found != nil && r.ID != found.ID:
			return nil, fmt.Errorf("%w: %s and %s begin with %q; give more of the id", jobs.ErrAmbiguous, r.ID,
				found.ID, id)
		case found == nil, jobs.Fresher(r, found):
			found = r
		}
	}
	return found, nil
}

// answerFind returns the copy that this daemon has.
func (v *views) answerFind(_ protocol.NodeID, id string) (rpc.Found, error) {
	r, err := v.copied(v.Table.Find(id))
	if errors.Is(err, jobs.ErrAmbiguous) {
		return rpc.Found{Several: true}, nil
	}
	if errors.Is(err, jobs.ErrUnknown) {
		if forgotten := v.forgotten(id); forgotten != "" {
			return rpc.Found{Forgotten: forgotten}, nil
		}
	}
	return rpc.Found{Record: r}, err
}

// await repeats the search for a job that other daemons keep, until it has ended.
func (u users) await(ctx context.Context, r *jobs.Record) (*jobs.Record, error) {
	for !r.State.Final() {
		select {
		case <-time.After(locateEvery):
		case <-ctx.Done():
			return r, nil
		case <-u.Stopped:
			return nil, u.Ending()
		}
		found, err := u.find(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		r = found
	}
	return r, nil
}

const (
	listPatience = 2 * time.Second  // for the next page of another daemon
	listLimit    = 20 * time.Second // for all pages of all daemons
	listSize     = 128 << 10        // bytes of a page, unless its only record is longer: it fits a frame
)

// answerList returns the next page of the copies of this daemon.
func (v *views) answerList(_ protocol.NodeID, q rpc.ListRequest) (rpc.Page, error) {
	answer, size := rpc.Page{}, 0
	for r := range v.Table.After(q.After) {
		if !q.Wants(r) {
			continue
		}
		c, err := v.copied(r, nil)
		if err != nil {
			return rpc.Page{}, err
		}
		if !q.Whole {
			c = c.Summary()
		}
		text := c.Encode()
		if size += len(text); size > listSize && len(answer.Copies) > 0 {
			answer.More = true
			break
		}
		k := v.keptJob(r.Custody)
		answer.Copies = append(answer.Copies, rpc.Listed{ID: r.ID, Record: text, Leads: k != nil && k.leads()})
	}
	return answer, nil
}

// Jobs lists the jobs of the grid: it asks all daemons for their copies, and takes the freshest
// copy of each job. It names daemons that do not answer.
func (u users) Jobs(ctx context.Context, q api.ListQuery) (api.Listing, error) {
	answer := api.Listing{Version: api.Version, Jobs: []*jobs.Record{}}
	type asks struct {
		nodes []protocol.NodeID
		lacks string
	}
	a, err := life.On(ctx, u, func() (a asks, err error) {
		a.lacks = u.MayNot()
		if q.Only {
			id, err := u.Named(q.Node)
			a.nodes = []protocol.NodeID{id}
			return a, err
		}
		a.nodes = []protocol.NodeID{u.Self}
		for _, life := range u.Known() {
			switch _, left := u.HasLeft(life); {
			case u.HasNothing(life):
				continue
			case left:
				answer.Silent = append(answer.Silent, api.Silence{Node: life, Error: api.Left})
				continue
			case u.IsDead(life):
				answer.Silent = append(answer.Silent, api.Silence{Node: life, Error: api.Dead})
				continue
			}
			a.nodes = append(a.nodes, life)
		}
		return a, nil
	})
	if err != nil {
		return answer, err
	}
	m := merged{best: map[string]*best{}}
	ctx, stop := context.WithTimeout(ctx, listLimit)
	defer stop()
	var asking sync.WaitGroup
	for _, id := range a.nodes {
		asking.Go(func() { u.pages(ctx, id, q, &m) })
	}
	asking.Wait()
	if m.err != nil {
		return answer, m.err
	}
	answer.Silent = append(answer.Silent, m.silent...)
	slices.SortFunc(answer.Silent, func(x, y api.Silence) int { return x.Node.Compare(y.Node) })
	for _, b := range m.best {
		if !b.record.State.Final() {
			b.record.NoLease = a.lacks
		}
		answer.Jobs = append(answer.Jobs, b.record)
	}
	slices.SortFunc(answer.Jobs, jobs.Older)
	return answer, nil
}

// merged is the freshest copies that daemons have sent. Their goroutines share it.
type merged struct {
	sync.Mutex
	best   map[string]*best // by id
	silent []api.Silence
	err    error // of this daemon
}

type best struct {
	record *jobs.Record
	leads  bool
}

// add takes a copy if it is fresher than the present one. If two copies are equal, that of the
// primary counts, since it has the latest counts of an array.
func (m *merged) add(r *jobs.Record, leads bool) {
	b := m.best[r.ID]
	if b == nil || jobs.Fresher(r, b.record) || !jobs.Fresher(b.record, r) && leads && !b.leads {
		m.best[r.ID] = &best{r, leads}
	}
}

// pages asks a daemon for its copies, page by page.
func (u users) pages(ctx context.Context, id protocol.NodeID, q api.ListQuery, m *merged) {
	request := rpc.ListRequest{Key: q.Key, User: q.User, Since: q.Since, Whole: q.Whole}
	for more := true; more; {
		p, err := life.Query(ctx, u, rpc.List, id, request, listPatience)
		if err != nil {
			m.failed(u, id, err)
			return
		}
		m.Lock()
		for _, c := range p.Copies {
			request.After = c.ID
			if r, err := jobs.Decode(c.Record); err == nil { // else it is of another build
				m.add(r, c.Leads)
			}
		}
		m.Unlock()
		more = p.More && len(p.Copies) > 0
	}
}

// failed notes why a daemon has not sent its copies.
func (m *merged) failed(u users, id protocol.NodeID, err error) {
	m.Lock()
	defer m.Unlock()
	switch {
	case id == u.Self && errors.Is(err, api.ErrStopped), errors.Is(err, context.Canceled):
		m.err = err
	case errors.Is(err, rpc.ErrOver):
		m.silent = append(m.silent, api.Silence{Node: id, Error: api.Dead})
	default:
		m.silent = append(m.silent, api.Silence{Node: id, Error: "no answer"})
	}
}
