package muster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

func says(id protocol.NodeID, kind muster.MessageKind) muster.Input {
	return from(id, muster.Message{Kind: kind})
}

func ends(id protocol.NodeID, code uint32) muster.Input {
	return from(id, muster.Message{Kind: muster.Exit, Status: muster.Status{Cause: muster.Exited, Code: code}})
}

// started returns a representative whose hosts B and C have received Go.
func started(halt bool) muster.State {
	s, _ := after(muster.New(nodeA), given(represented(halt, nodeB, nodeC)), says(nodeB, muster.Here),
		says(nodeC, muster.Here), given(granted(true)))
	return s
}

// A representative ignores what does not fit its phase, or that of a member.
func TestRepresentativeIgnores(t *testing.T) {
	gathering, _ := after(muster.New(nodeA), given(represented(true, nodeB, nodeC)), says(nodeB, muster.Here))
	for _, kind := range []muster.MessageKind{muster.Here, muster.Going, muster.Closed} {
		ignores(t, gathering, says(nodeB, kind))
	}
	ignores(t, started(true), says(nodeB, muster.Closed))
	one, _ := step(started(true), ends(nodeB, 0))
	for _, kind := range []muster.MessageKind{muster.Here, muster.Going, muster.Closed} {
		ignores(t, one, says(nodeB, kind))
	}
	_, out := step(one, says(nodeB, muster.Here))
	require.Equal(t, "the task has ended there", out.Events[0].Detail)
	failed, _ := step(started(true), ends(nodeB, 1))
	ignores(t, failed, says(nodeB, muster.Here))
	depositing, _ := step(failed, ends(nodeC, 0))
	require.Equal(t, muster.RepDepositing, depositing.Rep.Phase)
	ignores(t, depositing, says(nodeB, muster.Closed))
	done, _ := after(started(false), ends(nodeB, 0), ends(nodeC, 0))
	ignores(t, done, given(halted(muster.Cancelled)))
}

// Finish goes to the hosts that have not answered it.
func TestFinishIsResent(t *testing.T) {
	s, _ := after(started(true), ends(nodeB, 0), ends(nodeC, 0), given(plain(muster.CommandDeposited)),
		says(nodeB, muster.Closed))
	ignores(t, s, says(nodeB, muster.Closed))
	_, out := step(s, muster.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: muster.ResendTimer}})
	require.Equal(t, []muster.Envelope{{From: nodeA, To: nodeC, Message: muster.Message{Kind: muster.Finish}}}, out.Send)
}

// The first reason stays, even if more fails afterwards.
func TestFirstReasonStays(t *testing.T) {
	s, out := after(started(true), given(halted(muster.TimedOut)), ends(nodeB, 1))
	require.Equal(t, muster.TimedOut, s.Rep.Reason)
	require.Len(t, out.Events, 1)
	s, out = after(started(true), ends(nodeB, 1), ends(nodeC, 1))
	require.Equal(t, muster.Failure, s.Rep.Reason)
	require.Len(t, out.Events, 2)
}

// An attempt that is called off has no outcome before all hosts have reported.
func TestCalledOff(t *testing.T) {
	s, _ := after(muster.New(nodeA), given(represented(true, nodeB)), given(halted(muster.Cancelled)))
	require.Equal(t, muster.RepCalledOff, s.Rep.Phase)
	statuses, reason, ok := s.Outcome()
	require.False(t, ok)
	require.Zero(t, reason)
	require.Empty(t, statuses)
	unrun := muster.Status{Cause: muster.Unrun, Halted: true}
	s, _ = step(s, from(nodeB, muster.Message{Kind: muster.Exit, Status: unrun}))
	_, reason, ok = s.Outcome()
	require.True(t, ok)
	require.Equal(t, muster.Cancelled, reason)
}

// All signals fit into an encoding.
func TestSignals(t *testing.T) {
	c := exited(0, 255)
	got, err := muster.DecodeCommand(muster.AppendCommand(nil, c))
	require.NoError(t, err)
	require.Equal(t, c, got)
	_, err = muster.DecodeCommand([]byte{byte(muster.CommandExited), 0, 0x80, 2})
	require.ErrorIs(t, err, protocol.ErrEncoding)
}
