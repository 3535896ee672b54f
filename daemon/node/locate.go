package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	locatePatience = 2 * time.Second
	locateEvery    = 500 * time.Millisecond // while a user waits for a job that other daemons keep
)

// find returns a copy of a job: of the table, or, if this daemon has none, from a daemon that has
// one. A shortened id may be that of several jobs, of which this daemon has one, so all are asked.
// It is jobs.ErrUnknown that all daemons have none, and jobs.ErrOutOfReach that those which answer
// have none: a daemon that has ended keeps its copies on its disk.
func (u users) find(ctx context.Context, id string) (*jobs.Record, error) {
	r, err := on(ctx, u.Node, func() (*jobs.Record, error) { return u.shown(u.table.Find(id)) })
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

// lacks says why a job is not found, or nothing. That one which begins so has been removed says
// nothing of another one that a silent daemon may have.
func (l *located) lacks(id string) error {
	array, _, _ := strings.Cut(id, "[")
	switch {
	case l.forgotten != "" && l.forgotten == array:
		return fmt.Errorf("%w: %s has been removed, or it was old", jobs.ErrUnknown, id)
	case !l.member:
		return fmt.Errorf("%w: this daemon has not got %q, and is not in the grid yet to ask others; "+
			"canvass nodes shows it", jobs.ErrOutOfReach, id)
	case len(l.silent) > 0:
		return outOfReach(id, l.silent)
	case l.forgotten != "":
		return fmt.Errorf("%w: %s, which begins so, has been removed, or it was old", jobs.ErrUnknown, l.forgotten)
	}
	return nil
}

// outOfReach is the error about a job that no daemon has which answers.
func outOfReach(id string, silent []protocol.NodeID) error {
	slices.SortFunc(silent, protocol.NodeID.Compare)
	var names []string
	for _, life := range silent {
		names = append(names, life.String())
	}
	return fmt.Errorf("%w: no daemon that answers has %q, and %s can have it: start what has ended, or look at the id",
		jobs.ErrOutOfReach, id, strings.Join(names, ", "))
}

// located is what other daemons say of a job.
type located struct {
	left   int
	all    []*jobs.Record    // copies
	silent []protocol.NodeID // have not answered

	several   bool   // a daemon has several jobs with such an id
	forgotten string // the id of such a job that a daemon had
	member    bool   // this daemon is in the grid, and so knows of the others
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
	l, err := on(ctx, u.Node, func() (*located, error) {
		l := &located{left: 1, member: u.member(), forgotten: u.forgottenID(id), done: make(chan struct{})}
		for _, life := range u.known() {
			if u.dead(life) {
				l.silent = append(l.silent, life)
				continue
			}
			l.left++
			u.ask(life, "find", id, locatePatience, nil, func(raw json.RawMessage, err error) {
				found := copyOf{}
				if errors.Is(err, errGivenUp) {
					l.silent = append(l.silent, life)
				} else if err == nil {
					found, _ = decode[copyOf](raw) // of another build: as if it had none
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
	if _, err := received(ctx, u.Node, l.done); err != nil {
		return nil, err
	}
	return l, nil
}

// newest is the newest copy, or nil if there is none.
func newest(id string, all []*jobs.Record) (found *jobs.Record, err error) {
	for _, r := range all {
		switch {
		case found != nil && r.ID != found.ID:
			return nil, fmt.Errorf("%w: %s and %s begin with %q; give more of the id", jobs.ErrAmbiguous, r.ID, found.ID, id)
		case found == nil, r.State.Final() && !found.State.Final(), r.Stamp.After(found.Stamp):
			found = r
		}
	}
	return found, nil
}

// copyOf is the answer of a daemon that is asked for a job.
type copyOf struct {
	Record    *jobs.Record `json:"record,omitempty"`
	Several   bool         `json:"several,omitempty"`   // jobs have an id that begins so
	Forgotten string       `json:"forgotten,omitempty"` // the id of such a job that this daemon had
}

// answerFind returns the copy that this daemon has.
func (n *Node) answerFind(_ protocol.NodeID, id string) (any, error) {
	r, err := n.copied(n.table.Find(id))
	if errors.Is(err, jobs.ErrAmbiguous) {
		return copyOf{Several: true}, nil
	}
	if errors.Is(err, jobs.ErrUnknown) {
		if forgotten := n.forgottenID(id); forgotten != "" {
			return copyOf{Forgotten: forgotten}, nil
		}
	}
	return copyOf{Record: r}, err
}

// await looks again and again for a job that other daemons keep, until it has ended.
func (u users) await(ctx context.Context, r *jobs.Record) (*jobs.Record, error) {
	for !r.State.Final() {
		select {
		case <-time.After(locateEvery):
		case <-ctx.Done():
			return r, nil
		case <-u.stopped:
			return nil, u.ending()
		}
		found, err := u.find(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		r = found
	}
	return r, nil
}
