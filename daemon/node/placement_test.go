package node

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// The tests of this file show where the daemon decides otherwise than protocol/placement does. A
// test that fails here is no mistake: take its row out of docs/protocols/placement.md.

// noNeighbours are the links of a daemon that knows no other, and must send nothing.
type noNeighbours struct{ life.Links }

func (noNeighbours) Cards() []transport.Card { return nil }

// waits returns a judge about a job that waits under ticket 5, and what it does later.
func waits(t *testing.T) (j *judge, later func() []time.Duration, fire func(i int)) {
	t.Helper()
	j = newJudge(t, custody.Record{Try: 6})
	j.Links = noNeighbours{}
	type alarm struct {
		pause time.Duration
		do    func()
	}
	var alarms []alarm
	j.Machine.After = func(pause time.Duration, do func()) { alarms = append(alarms, alarm{pause, do}) }
	return j, func() (all []time.Duration) {
		for _, a := range alarms {
			all = append(all, a.pause)
		}
		return all
	}, func(i int) { alarms[i].do() }
}

// 1. A second copy of a report about a former submission gives the present one up.
func TestPlacementStaleReport(t *testing.T) {
	j, _, _ := waits(t)
	report := rpc.LostReport{Submission: rpc.Submission{Entry: here, Number: 5}}
	_, err := j.answerEnded(there, report)
	require.NoError(t, err)
	require.EqualValues(t, 6, j.k.submission)
	j.Table.Own(j.k.record, there)
	_, err = j.answerEnded(there, report)
	require.NoError(t, err)
	assert.EqualValues(t, 7, j.k.submission, "protocol/placement keeps ticket 6")
}

// 2. A job that pauses after a search in vain is submitted when the patience of that search ends.
func TestPlacementPatience(t *testing.T) {
	j, later, fire := waits(t)
	j.waits[j.k.record.ID] = 6
	j.submit(j.k)
	j.lost(rpc.LostReport{Submission: rpc.Submission{Entry: here, Number: j.k.submission}, Why: "no cluster has room"})
	require.Equal(t, []time.Duration{ownPatience, backOffMax}, later())
	require.True(t, j.k.resting)
	fire(0)
	assert.False(t, j.k.resting, "protocol/placement has it pause until its back-off ends")
	assert.EqualValues(t, 7, j.k.submission)
}

// 3. A job that comes back from a search in vain stands before younger ones.
func TestPlacementOldestFirst(t *testing.T) {
	j, _, _ := waits(t)
	young := &keeping{record: &jobs.Record{ID: "k", Changes: []jobs.Change{{At: time.Unix(2000, 0)}}}}
	j.window.line = []*keeping{young}
	j.waits[j.k.record.ID] = 3
	at, _ := j.window.place(j.k)
	assert.Zero(t, at, "protocol/placement has it stand behind all that wait")
}

// 4. A job that pauses before its next try keeps its turn.
func TestPlacementPause(t *testing.T) {
	j, later, _ := waits(t)
	r, now := j.k.record, time.Unix(1000, 0)
	r.Spec.Retries = jobs.Retries{OnExit: 1, BackoffMin: time.Hour, BackoffMax: time.Hour}
	r.Attempts = []jobs.Attempt{{
		By: there, Epoch: 1, Hosts: hosts, Begin: now, End: &now, Statuses: []jobs.Status{{Code: 1}, {}},
	}}
	j.submitLater(j.k)
	require.Equal(t, []time.Duration{time.Hour}, later())
	assert.True(t, j.wants(j.k) && j.window.taken[j.k], "protocol/placement gives its turn to the next job")
}
