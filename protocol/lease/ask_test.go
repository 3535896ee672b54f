package lease_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

var nodeD = protocol.NodeID{Address: 3, Incarnation: 1}

// looking is the state of D, which is no witness and has no lease.
func looking() lease.State {
	return lease.State{Self: nodeD, Phase: lease.Looking, Answers: make([]lease.Answer, 3)}
}

func verdict(condemned bool, peer protocol.NodeID) lease.Message {
	return lease.Message{Kind: lease.Verdict, Peer: peer, Condemned: condemned}
}

// addressed lists the receivers of envelopes.
func addressed(out lease.Output) (to []protocol.Address) {
	for _, e := range out.Send {
		to = append(to, e.To.Address)
	}
	return to
}

// requireIgnored demands that a step changed nothing, and said so about a peer.
func requireIgnored(t *testing.T, before, after lease.State, out lease.Output, peer protocol.NodeID) {
	t.Helper()
	require.Equal(t, before, after)
	require.Len(t, out.Events, 1)
	require.Equal(t, lease.EventIgnore, out.Events[0].Name)
	require.Equal(t, peer, out.Events[0].Peer)
	out.Events = nil
	require.Equal(t, lease.Output{}, out)
}

// A node without an incarnation does not ask, and no node asks for the zero incarnation or for
// itself.
func TestQuestionsThatAreIgnored(t *testing.T) {
	for _, phase := range []lease.Phase{lease.Drawing, lease.Fenced} {
		s := lease.State{Self: nodeD, Phase: phase}
		next, out := after(3, s, given(asked(nodeA)))
		requireIgnored(t, s, next, out, nodeA)
	}
	for _, id := range []protocol.NodeID{{Address: 1}, nodeD} {
		next, out := after(3, looking(), given(asked(id)))
		requireIgnored(t, looking(), next, out, id)
	}
	founded := looking()
	founded.Phase, founded.Settled, founded.Founder, founded.Answers = lease.Leased, true, nodeA, nil
	_, out := after(3, founded, given(asked(nodeA)))
	require.Len(t, out.Send, 3, "the founder is an incarnation like any other")
}

// A certificate that the node remembers needs no witness.
func TestTheCertifiedAreNotAskedFor(t *testing.T) {
	s := looking()
	s.Dead = []protocol.NodeID{nodeB, nodeA}
	next, out := after(3, s, given(asked(nodeA)))
	require.Equal(t, s, next)
	require.Equal(t, []protocol.Event{{Name: lease.EventDead, Peer: nodeA}}, out.Events)
	require.Empty(t, out.Send)
	_, out = after(3, s, given(asked(nodeC)))
	require.Len(t, out.Send, 3)
}

// A node has a limited number of open questions, and each of them can be asked again.
func TestAskLimit(t *testing.T) {
	cfg := config(3)
	cfg.AskLimit, cfg.DeadLimit = 2, 3
	s := looking()
	for _, id := range []protocol.NodeID{nodeA, nodeB} {
		s, _ = lease.Step(&cfg, s, given(asked(id)))
		require.True(t, s.IsAsking(id))
	}
	next, out := lease.Step(&cfg, s, given(asked(nodeC)))
	requireIgnored(t, s, next, out, nodeC)
	for _, id := range []protocol.NodeID{nodeA, nodeB} {
		next, out = lease.Step(&cfg, s, given(asked(id)))
		require.Equal(t, s, next)
		require.Len(t, out.Send, 3)
		require.Equal(t, id, out.Send[0].Message.Peer)
	}
}

// A question goes again to the witnesses that have not condemned the incarnation: at once when it
// is asked again, and with the timer to witnesses that have not answered since.
func TestAQuestionIsAskedAgain(t *testing.T) {
	s, _ := after(3, looking(), given(asked(nodeC)), from(nodeA, verdict(true, nodeC)), from(nodeB, verdict(false, nodeC)))
	_, out := after(3, s, fired(lease.Timer(lease.AskTimer)))
	require.Equal(t, []protocol.Address{2}, addressed(out))
	s, out = after(3, s, given(asked(nodeC)))
	require.Equal(t, []protocol.Address{1, 2}, addressed(out))
	_, out = after(3, s, fired(lease.Timer(lease.AskTimer)))
	require.Equal(t, []protocol.Address{1, 2}, addressed(out))
}

// Each answer counts for the incarnation that it names. A condemnation stands, in spite of late
// answers.
func TestVerdictsAreCounted(t *testing.T) {
	s, _ := after(3, looking(), given(asked(nodeB)), given(asked(nodeC)), from(nodeA, verdict(true, nodeC)))
	require.Equal(t, []lease.Opinion{lease.NoOpinion, lease.NoOpinion, lease.NoOpinion}, s.Asks[0].Verdicts)
	require.Equal(t, []lease.Opinion{lease.SaysDead, lease.NoOpinion, lease.NoOpinion}, s.Asks[1].Verdicts)
	next, out := after(3, s, from(nodeA, verdict(false, nodeC)))
	requireIgnored(t, s, next, out, nodeA)
	next, out = after(3, s, from(nodeB, verdict(true, nodeA)))
	requireIgnored(t, s, next, out, nodeB)
	s, out = after(3, s, from(nodeB, verdict(true, nodeC)))
	require.Equal(t, []protocol.Event{{Name: lease.EventDead, Peer: nodeC}}, out.Events)
	require.True(t, s.IsDead(nodeC))
	require.True(t, s.IsAsking(nodeB))
}
