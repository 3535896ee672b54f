package reptask_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// full returns what an output says of limits.
func full(out reptask.Output) string {
	var all []string
	for _, e := range out.Events {
		if e.Name == reptask.EventFull {
			all = append(all, e.Peer.String()+" "+string(rune('0'+e.Number))+" "+e.Detail)
		}
	}
	return strings.Join(all, "; ")
}

// A node that meets a limit says so, and of which job. Otherwise a run that a limit has changed
// would look like any other.
func TestLimitsAreAnnounced(t *testing.T) {
	const (
		tasks  = "TaskLimit: too many dependent tasks"
		roles  = "RoleLimit: too many representative tasks"
		jobs   = "JobLimit: too many open jobs"
		ended  = "JobLimit: a job that has ended is forgotten"
		floors = "FloorLimit: late messages of this job could start it again"
	)
	limited := func() *feeder {
		f := newFeeder()
		f.cfg.TaskLimit, f.cfg.RoleLimit, f.cfg.JobLimit, f.cfg.FloorLimit = 1, 1, 1, 1
		return f
	}
	dispatch := func(submitted uint64) reptask.Input {
		return deliver('B', reptask.Message{Kind: reptask.Dispatch, Attempt: attempt('B', submitted, 1)})
	}
	grant := func(from byte, size uint32) reptask.Input {
		spec := reptask.Spec{Size: size, Over: reptask.OverNone}
		return deliver(from, reptask.Message{Kind: reptask.Grant, Attempt: attempt(from, 7, 1), Spec: spec})
	}
	adopt := deliver('C', reptask.Message{
		Kind: reptask.Adopt, Attempt: attempt('B', 3, 1), Spec: two, Candidates: []protocol.NodeID{name('C')},
	})

	f := limited()
	assert.Empty(t, full(f.feed(dispatch(1))))
	assert.Equal(t, "B 1 "+tasks, full(f.feed(dispatch(2))))
	assert.Empty(t, full(f.feed(dispatch(1))), "the task is here")
	assert.Equal(t, "D 1 "+tasks, full(f.feed(grant('D', 1))), "it cannot run a serial job")
	f.cluster("ACD")
	assert.Contains(t, full(f.feed(grant('E', 3))), "E 1 "+tasks, "it leaves itself out")

	f = limited()
	f.cluster("CD")
	assert.Empty(t, full(f.feed(grant('D', 2))))
	assert.Equal(t, "E 1 "+roles, full(f.feed(grant('E', 2))))

	f = limited()
	assert.Empty(t, full(f.submit("B")))
	submit := command(reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: 2, Spec: two, Candidates: []protocol.NodeID{name('B')},
	})
	assert.Equal(t, "A 0 "+jobs, full(f.feed(submit)))
	assert.Equal(t, "B 1 "+jobs, full(f.feed(adopt)))
	f.Owned[0].State = reptask.JobFailed
	assert.Equal(t, "A 1 "+ended, full(f.feed(submit)))
	f.Leaving = true
	assert.Empty(t, full(f.feed(adopt)), "it leaves")

	f = limited()
	cancel := func(submitted uint64) reptask.Input {
		return deliver('B', reptask.Message{Kind: reptask.Cancel, Attempt: attempt('B', submitted, 1)})
	}
	assert.Empty(t, full(f.feed(cancel(1))))
	assert.Empty(t, full(f.feed(cancel(1))))
	other := deliver('C', reptask.Message{Kind: reptask.Cancel, Attempt: attempt('C', 2, 1)})
	assert.Equal(t, "B 1 "+floors, full(f.feed(other)))
}
