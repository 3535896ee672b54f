package node

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
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

// A parallel job moves once its target has said that it knows the queues, and not if it does not
// say so in time. A serial one needs no queues.
func TestAParallelJobMovesAfterTheQueues(t *testing.T) {
	target := protocol.NodeID{Address: 9, Incarnation: 1}
	serial := move{Command: reptask.Command{Job: reptask.Job{Owner: here, Number: 1}, Target: target}}
	parallel := serial
	parallel.queues = []reptask.Queue{{Node: here, Length: 1}}
	for _, test := range []struct {
		what        string
		move        move
		trip        time.Duration
		first, last int // moves at once, and after all
	}{
		{"serial", serial, 0, 1, 1},
		{"parallel", parallel, 10 * time.Millisecond, 0, 1},
		{"parallel, without an answer", parallel, 0, 0, 0},
	} {
		s := newSurveyor(t)
		s.trips = always(test.trip)
		s.transfer(test.move)
		s.turn()
		assert.Equal(t, test.first, s.commands(peer.CommandMove), test.what)
		s.pass(3 * balanceEvery)
		assert.Equal(t, test.last, s.commands(peer.CommandMove), test.what)
		assert.Empty(t, s.questions, test.what)
	}
}

// The answer to queues leaves once the cores have them.
func TestQueuesAreKnownBeforeTheAnswer(t *testing.T) {
	s := newSurveyor(t)
	s.handlers = map[string]handler{"queues": method(s.answerQueues)}
	known := -1
	s.trips = func(protocol.NodeID, int) time.Duration {
		known = s.commands(peer.CommandQueues)
		return 0
	}
	body, err := json.Marshal([]reptask.Queue{{Node: here, Length: 1}})
	require.NoError(t, err)
	frame, err := json.Marshal(call{ID: 1, Method: "queues", Body: body})
	require.NoError(t, err)
	s.called(protocol.NodeID{Address: 9, Incarnation: 1}, frame)
	assert.Equal(t, -1, known, "the answer waits")
	s.turn()
	for _, f := range s.durable { // what the node does after a turn
		f()
	}
	assert.Equal(t, 1, known)
}
