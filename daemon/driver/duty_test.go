package driver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// TestAQuestionIsAnsweredFirst demands that the answer comes before inputs that have waited for
// longer.
func TestAQuestionIsAnsweredFirst(t *testing.T) {
	l, _, core := newLoop(t)
	l.Command(id, protocol.Output[string]{Choose: 5})
	l.Command(id, protocol.Output[string]{})
	l.Measured(id, other, 7)
	turn(t, l, 0)
	assert.Equal(t, []string{"start", "command", "chosen 4", "command"}, core.State())
}

// TestALeaseCountsFromItsRequest demands that the expiry of a lease counts from the step that asks
// for it: neither from a later turn, in which the request may have left, nor from the answer.
// Others count from the request that they received, and declare an incarnation dead if it counts
// from the answer.
func TestALeaseCountsFromItsRequest(t *testing.T) {
	const asked, lasts = time.Second, 100 * driver.Tick
	l, m, core := newLoop(t)
	l.First = id
	request := set(alarmTimer, uint32(lasts/driver.Tick))
	request.Persist, request.Send = []byte("round 1"), send("renew").Send
	l.Command(id, request)
	turn(t, l, asked)
	require.Equal(t, []string{"commit round 1", "send C renew"}, m.taken())

	turn(t, l, asked+lasts/4)
	l.Deliver(id, other, self, []byte("granted"))
	turn(t, l, asked+lasts/2)
	at, pending := l.Due(id, protocol.Timer{Kind: alarmTimer})
	require.True(t, pending)
	assert.Equal(t, asked+lasts, at)

	turn(t, l, asked+lasts-1)
	assert.NotContains(t, core.State(), "timeout 1")
	turn(t, l, asked+lasts)
	assert.Contains(t, core.State(), "timeout 1")
}

// TestHeartbeatsGoOn demands that messages of other layers, and of other cores, do not wait for the
// end of a process: their receivers would suspect the node.
func TestHeartbeatsGoOn(t *testing.T) {
	l, m, _ := newLoop(t)
	lease := driver.CoreID{Kind: 9}
	driver.Add[[]string, string, protocol.Output[string]](l, lease, scripted{}, driver.Traits[[]string, string]{
		Self: func([]string) protocol.NodeID { return self },
	}, nil, nil)
	over := send("tasks 1", "beat 1")
	over.Cancel = []protocol.Timer{{Kind: processTimer}}
	l.Command(id, over)
	l.Command(id, send("tasks 2", "beat 2"))
	l.Command(lease, send("the lease"))
	turn(t, l, 0)
	assert.Equal(t, []string{"end", "send C beat 1", "send C beat 2", "send C the lease"}, m.taken())
}
