package node

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/balance"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// commands counts the commands of a kind that the cores have got.
func (s *surveyor) commands(kind peer.CommandKind) (count int) {
	for _, in := range s.core.inputs {
		if in.Kind == protocol.Command && in.Command.Kind == kind {
			count++
		}
	}
	return count
}

// A parallel job moves once its target has confirmed the queues, and does not move without an
// answer in time. A serial job needs no queues.
func TestAParallelJobMovesAfterTheQueues(t *testing.T) {
	target := protocol.NodeID{Address: 9, Incarnation: 1}
	serial := balance.Move{Command: reptask.Command{Job: reptask.Job{Owner: here, Number: 1}, Target: target}}
	parallel := serial
	parallel.Queues = []reptask.Queue{{Node: here, Length: 1}}
	for _, test := range []struct {
		what        string
		move        balance.Move
		trip        time.Duration
		first, last int // moves at once, and after all
	}{
		{"serial", serial, 0, 1, 1},
		{"parallel", parallel, 10 * time.Millisecond, 0, 1},
		{"parallel, without an answer", parallel, 0, 0, 0},
	} {
		s := newSurveyor(t)
		s.trips = always(test.trip)
		s.balancer.Transfer(test.move)
		s.turn()
		assert.Equal(t, test.first, s.commands(peer.CommandMove), test.what)
		s.pass(3 * balance.Every)
		assert.Equal(t, test.last, s.commands(peer.CommandMove), test.what)
		assert.Zero(t, s.Calls.Waiting(), test.what)
	}
}

// The answer to queues leaves once the cores have them.
func TestQueuesAreKnownBeforeTheAnswer(t *testing.T) {
	s := newSurveyor(t)
	known := -1
	s.trips = func(protocol.NodeID, int) time.Duration {
		known = s.commands(peer.CommandQueues)
		return 0
	}
	body, err := json.Marshal([]reptask.Queue{{Node: here, Length: 1}})
	require.NoError(t, err)
	s.Calls.Receive(protocol.NodeID{Address: 9, Incarnation: 1}, question(rpc.Queues.Name(), string(body)))
	assert.Equal(t, -1, known, "the answer waits")
	s.turn()
	for _, f := range s.Durable { // the work of the node after a turn
		f()
	}
	assert.Equal(t, 1, known)
}

// A custodian promises to keep a job only when the inputs of the job are on its disk: acceptance
// rests on these promises. A custodian that has restarted after a request to copy them may not have
// them yet.
func TestACustodianPromisesWhenItHasTheInputs(t *testing.T) {
	s := newSurveyor(t)
	s.Node.Links, s.Options.Folder = &recorded{}, t.TempDir()
	s.Machine.Between = func(low, _ uint32) uint32 { return low }
	store, err := disk.Open(filepath.Join(t.TempDir(), "db"))
	require.NoError(t, err)
	defer store.Close()
	s.Store = store
	s.Table, err = jobs.NewTable(store, time.Now)
	require.NoError(t, err)
	require.NoError(t, s.Library.Open(s.Options.Folder))
	s.Host = roomy{}
	s.Reason = life.ErrFenced
	defer close(s.Stopped) // it asks for the input until then

	content := "input"
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	taker := protocol.NodeID{Address: 9, Incarnation: 1}
	r := &jobs.Record{
		ID: "job", Version: jobs.Version, State: jobs.Accepted, Changes: []jobs.Change{{State: jobs.Accepted}},
		Custody: jobs.Name{By: taker, Number: 1}, Custodians: []protocol.Address{9, here.Address},
		Spec: jobs.Spec{Command: []string{"cat"}, Tasks: 1, Inputs: []jobs.File{{Path: "in", Digest: digest}}},
	}
	prepare := custody.AppendMessage(nil, custody.Message{Kind: custody.Prepare, Number: 2})
	promised := func() uint32 {
		s.deliverJob(taker, life.CustodyID(r.Custody), prepare, r.Encode())
		s.turn()
		s.turn()
		state, _ := s.keptJobOf(s.Table.Named(r.Custody)).state()
		return state.Disk.Promised
	}
	assert.Zero(t, promised(), "the input is not here")
	_, _, err = s.Kept.Put(strings.NewReader(content), digest, 100)
	require.NoError(t, err)
	assert.Equal(t, uint32(2), promised())
}

// roomy is a host whose disk has room.
type roomy struct{ host.Host }

func (roomy) Room(int64) error { return nil }

// Copies of outputs are wanted from the moment they are asked for: the record of the job names them
// only when all custodians have answered, and a sweep meanwhile must not take them away. They are
// wanted no longer when the job has ended without them, or is forgotten.
func TestOutputsAreWantedWhileTheyAreCopied(t *testing.T) {
	s := newSurveyor(t)
	s.Machine.Go = func(func()) {} // it takes forever
	s.Restored = true
	store, err := disk.Open(filepath.Join(t.TempDir(), "db"))
	require.NoError(t, err)
	defer store.Close()
	s.Table, err = jobs.NewTable(store, time.Now)
	require.NoError(t, err)
	s.Store = store
	r := &jobs.Record{
		ID: "job", Version: jobs.Version, State: jobs.Accepted, Changes: []jobs.Change{{State: jobs.Accepted}},
		Custody: jobs.Name{By: here, Number: 1}, Custodians: []protocol.Address{here.Address},
		Spec: jobs.Spec{Command: []string{"cat"}, Tasks: 1, Outputs: []string{"out"}},
	}
	s.Table.Adopt(r)
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte("output")))
	request := rpc.DepositRequest{Host: here, Files: []jobs.File{{Path: "out", Digest: digest}}}
	request.Job = r.Custody
	_, err = s.answerDeposit(here, request)
	require.ErrorAs(t, err, &rpc.Undecided{})
	assert.Equal(t, map[string]bool{digest: true}, s.wanted())
	r.State = jobs.Failed
	assert.Empty(t, s.wanted())
	assert.Empty(t, s.arriving)
}
