package peer_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The part of a message or a command that describes a job is a command to submit it without
// candidates, and nothing else.
func TestAJobIsASubmitWithoutCandidates(t *testing.T) {
	c := fuzzCore()
	submit := reptask.Command{Kind: reptask.CommandSubmit, Submitted: 7, Spec: reptask.Spec{Size: 1}}
	part := func(inner reptask.Command) []byte {
		b := reptask.AppendCommand(&c.Config.Tasks, nil, inner)
		return append(protocol.AppendUint(nil, uint64(len(b))), b...)
	}
	listed, cancel := submit, submit
	listed.Candidates = []protocol.NodeID{{Address: 1, Incarnation: 1}}
	cancel.Kind = reptask.CommandCancel
	message := c.AppendMessage(nil, peer.Job{Ticket: 1, Submitted: 7, Spec: submit.Spec})
	command := c.AppendCommand(nil, peer.Command{Kind: peer.CommandSubmit, Submitted: 7, Spec: submit.Spec})
	for _, right := range [][]byte{message, command} {
		head, found := bytes.CutSuffix(right, part(submit))
		require.True(t, found)
		for _, wrong := range []reptask.Command{listed, cancel} {
			damaged := slices.Concat(head, part(wrong))
			_, err := c.DecodeMessage(damaged)
			if bytes.Equal(right, command) {
				_, err = c.DecodeCommand(damaged)
			}
			require.ErrorIs(t, err, protocol.ErrEncoding)
		}
	}
}

// The jobs of clients have one order, so that equal states have equal encodings.
func TestJobsOfClientsAreInOrder(t *testing.T) {
	c := fuzzCore()
	for _, numbers := range [][]uint32{{1, 1}, {2, 1}, {1, 3, 2}} {
		var s peer.State
		for _, number := range numbers {
			s.Clients = append(s.Clients, peer.Client{Number: number})
		}
		_, err := c.DecodeState(c.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err := c.DecodeState(c.AppendState(nil, peer.State{Clients: []peer.Client{{Number: 1}, {Number: 3}}}))
	require.NoError(t, err)
}

// The clients of a state are in the order of their numbers, each once.
func TestClientsAreSorted(t *testing.T) {
	c := fuzzCore()
	for _, test := range []struct {
		numbers []uint32
		fine    bool
	}{{[]uint32{1, 2, 5}, true}, {[]uint32{2, 2}, false}, {[]uint32{3, 2}, false}, {[]uint32{1, 3, 2}, false}} {
		s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
		for _, number := range test.numbers {
			s.Clients = append(s.Clients, peer.Client{Number: number})
		}
		_, err := c.DecodeState(c.AppendState(nil, s))
		require.Equal(t, test.fine, err == nil, "%v", test.numbers)
	}
}
