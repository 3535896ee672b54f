package muster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

var (
	goes     = from(nodeB, muster.Message{Kind: muster.Go, Places: []muster.Place{{Host: nodeA}}})
	halts    = from(nodeB, muster.Message{Kind: muster.Halt, Reason: muster.Cancelled})
	noted    = from(nodeB, muster.Message{Kind: muster.Noted})
	finished = from(nodeB, muster.Message{Kind: muster.Finish})
)

// hostAt returns a host, represented by B, in each of its phases.
func hostAt(phase muster.HostPhase) muster.State {
	if phase == muster.HostKeeping {
		s, _ := step(hostAt(muster.HostRunning), given(ended(0, 0)))
		return s
	}
	s, _ := after(muster.New(nodeA), given(hosted(nodeB, make([]uint16, muster.PortLimit)...)))
	for _, in := range []muster.Input{goes, given(exited(1, 0)), finished} {
		if s.Host.Phase < phase {
			s, _ = step(s, in)
		}
	}
	return s
}

// A host ignores what does not fit its phase.
func TestHostIgnores(t *testing.T) {
	for phase, inputs := range map[muster.HostPhase][]muster.Input{
		muster.HostWaiting: {noted, finished, given(exited(0, 0))},
		muster.HostRunning: {noted, finished},
		muster.HostEnded:   {goes, given(exited(0, 0)), given(plain(muster.CommandUnfit))},
		muster.HostKeeping: {
			noted, finished, halts, given(exited(0, 0)), given(ended(0, 0)), given(plain(muster.CommandUnfit)),
			given(plain(muster.CommandLost)),
		},
		muster.HostClosed: {noted, halts, goes, given(exited(0, 0)), given(plain(muster.CommandUnfit))},
	} {
		s := hostAt(phase)
		require.Equal(t, phase, s.Host.Phase)
		for _, in := range inputs {
			ignores(t, s, in)
		}
	}
	for _, phase := range []muster.HostPhase{muster.HostAbsent, muster.HostWaiting, muster.HostRunning, muster.HostEnded} {
		ignores(t, hostAt(phase), given(kept(true)))
	}
	ignores(t, hostAt(muster.HostWaiting), given(ended(0, 0)))
	known, _ := step(hostAt(muster.HostEnded), noted)
	ignores(t, known, noted)
	ignores(t, known, halts)
	halted, _ := step(hostAt(muster.HostRunning), halts)
	ignores(t, halted, halts)
	ignores(t, muster.New(nodeA), from(protocol.NodeID{}, muster.Message{Kind: muster.Go}))
}

// A host that has ended answers Halt with its end, and announces nothing.
func TestHaltAfterTheEnd(t *testing.T) {
	ended := hostAt(muster.HostEnded)
	next, out := step(ended, halts)
	require.Equal(t, ended, next)
	require.Empty(t, out.Events)
	require.Equal(t, []muster.Envelope{{From: nodeA, To: nodeB, Message: muster.Message{
		Kind: muster.Exit, Status: muster.Status{Cause: muster.Exited, Code: 1},
	}}}, out.Send)
}

// A host whose task has outputs reports its end once they are safe. If they are not, the task has
// failed; a task that had failed before has its own code.
func TestOutputsAreKeptFirst(t *testing.T) {
	for _, test := range []struct {
		code uint32
		kept bool
		want muster.Status
	}{
		{0, true, muster.Status{Cause: muster.Exited}},
		{0, false, muster.Status{Cause: muster.Unkept}},
		{3, true, muster.Status{Cause: muster.Exited, Code: 3}},
		{3, false, muster.Status{Cause: muster.Exited, Code: 3}},
	} {
		s, out := step(hostAt(muster.HostRunning), given(ended(test.code, 0)))
		require.Empty(t, out.Send)
		require.Equal(t, muster.EventKeep, out.Events[0].Name)
		require.Empty(t, s.Timers())
		s, out = step(s, goes)
		require.Equal(t, muster.Going, out.Send[0].Message.Kind, "Go was resent")
		s, out = step(s, given(kept(test.kept)))
		require.Equal(t, []muster.Envelope{{From: nodeA, To: nodeB, Message: muster.Message{
			Kind: muster.Exit, Status: test.want,
		}}}, out.Send)
		require.Equal(t, muster.HostEnded, s.Host.Phase)
		require.Equal(t, test.want != muster.Status{Cause: muster.Exited}, test.want.Failed())
	}
}

// Only the resend timer that fires is set again.
func TestOnlyTheTimerThatFired(t *testing.T) {
	s := hostAt(muster.HostWaiting)
	ignores(t, s, muster.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: 99}})
	ignores(t, s, muster.Input{Kind: protocol.Chosen, Timer: protocol.Timer{Kind: muster.ResendTimer}})
}

// A host of another representative does not report to it once more when it represents something
// itself.
func TestHostOfAnotherRepresents(t *testing.T) {
	_, out := step(hostAt(muster.HostWaiting), given(represented(true, nodeC)))
	require.Empty(t, out.Send)
}
