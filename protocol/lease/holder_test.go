package lease_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// leased is the state of D in a round that is not settled.
func leased(entered bool) lease.State {
	return lease.State{
		Self: nodeD, Phase: lease.Leased, Entered: entered, Round: 2, Nonce: 7,
		Generation: 1, Founder: nodeA, Contact: nodeA, Answers: make([]lease.Answer, 3),
	}
}

// none is the view that a witness has before the first generation.
var none lease.View

func refused(round uint32, reason lease.Reason, view lease.View) lease.Message {
	return lease.Message{Kind: lease.Refused, Round: round, Reason: reason, View: view}
}

// All that a node asks witnesses for carries the nonce of its incarnation.
func TestMessagesCarryTheNonce(t *testing.T) {
	vacant := refused(0, lease.Looked, lease.View{Vacant: true})
	promised := lease.Message{Kind: lease.Promised, Generation: 1}
	inputs := []lease.Input{
		{Kind: protocol.Start}, {Kind: protocol.Chosen, Choice: 7}, fired(lease.Timer(lease.ResendTimer)), // it looks
		from(nodeA, vacant), from(nodeB, vacant), fired(lease.Timer(lease.ResendTimer)), // it asks for promises
		from(nodeA, vacant), from(nodeB, vacant), from(nodeA, promised), from(nodeB, promised), // it asks for grants
		fired(lease.Timer(lease.ResendTimer)), fired(lease.ExpireTimer(1)),
	}
	s, asked := lease.New(3), map[lease.MessageKind]int{}
	for _, in := range inputs {
		var out lease.Output
		s, out = after(3, s, in)
		for _, e := range out.Send {
			require.Equal(t, uint32(7), e.Message.Nonce, e.Message)
			asked[e.Message.Kind]++
		}
	}
	require.Equal(t, map[lease.MessageKind]int{lease.Look: 12, lease.Found: 6, lease.Renew: 6}, asked)
}

// The choice is one of the configured number of nonces, and is taken once.
func TestTheNonceIsDrawnOnce(t *testing.T) {
	cfg := config(3)
	s, out := lease.Step(&cfg, lease.New(3), lease.Input{Kind: protocol.Start})
	require.Equal(t, cfg.Nonces, out.Choose)
	next, out := lease.Step(&cfg, s, lease.Input{Kind: protocol.Chosen, Choice: cfg.Nonces})
	requireIgnored(t, s, next, out, nodeD)
	s, _ = lease.Step(&cfg, s, lease.Input{Kind: protocol.Chosen, Choice: 7})
	next, out = lease.Step(&cfg, s, lease.Input{Kind: protocol.Chosen, Choice: 8})
	requireIgnored(t, s, next, out, nodeD)
}

// A grant names a member through which to enter. The node remembers the last one, never itself.
func TestContacts(t *testing.T) {
	for named, contact := range map[protocol.NodeID]protocol.NodeID{{}: nodeA, nodeC: nodeC, nodeD: nodeA} {
		s, _ := after(3, leased(true), from(nodeB, lease.Message{Kind: lease.Granted, Round: 2, Peer: named}))
		require.Equal(t, contact, s.Contact)
	}
	founder := leased(true)
	founder.Founder = nodeD
	s, _ := after(3, founder, from(nodeB, lease.Message{Kind: lease.Granted, Round: 2, Peer: nodeD}))
	require.Equal(t, nodeA, s.Contact)
}

// A node that looks, or asks for promises, ends its incarnation when a majority will never grant to
// it.
func TestRefusedForGood(t *testing.T) {
	founding := looking()
	founding.Phase, founding.Generation = lease.Founding, 1
	for _, s := range []lease.State{looking(), founding} {
		s, _ = after(3, s, from(nodeA, refused(0, lease.Condemned, none)))
		require.Equal(t, lease.Answer{Kind: lease.Refusal, Reason: lease.Condemned}, s.Answers[0])
		s, _ = after(3, s, from(nodeB, refused(0, lease.Condemned, none)))
		require.Equal(t, lease.Fenced, s.Phase)
	}
	next, out := after(3, founding, from(nodeA, refused(0, lease.OtherGeneration, none)))
	requireIgnored(t, founding, next, out, nodeA)
}

// The reasons to end an incarnation. The first in this order is named.
func TestWhyALifeEnds(t *testing.T) {
	for _, c := range []struct {
		reasons [2]lease.Reason
		event   string
		why     lease.Reason
	}{
		{[2]lease.Reason{lease.Superseded, lease.Copied}, lease.EventIdentity, lease.Copied},
		{[2]lease.Reason{lease.Condemned, lease.Superseded}, lease.EventIdentity, lease.Superseded},
		{[2]lease.Reason{lease.Superseded, lease.Superseded}, lease.EventIdentity, lease.Superseded},
		{[2]lease.Reason{lease.OtherGeneration, lease.Condemned}, lease.EventFenced, lease.Condemned},
		{[2]lease.Reason{lease.Alone, lease.OtherGeneration}, lease.EventFenced, lease.OtherGeneration},
		{[2]lease.Reason{lease.Alone, lease.Alone}, lease.EventFenced, lease.Alone},
	} {
		s := leased(false)
		s.Dead = []protocol.NodeID{nodeC}
		s.Witness = lease.Witness{Generation: 1, Founder: nodeA}
		s, out := after(3, s, from(nodeA, refused(2, c.reasons[0], none)), from(nodeB, refused(2, c.reasons[1], none)))
		require.Equal(t, []protocol.Event{{Name: c.event, Number: 1, Detail: c.why.String()}}, out.Events)
		require.Equal(t, lease.State{
			Self: nodeD, Phase: lease.Fenced, Nonce: 7, Generation: 1, Round: 2, Dead: []protocol.NodeID{nodeC},
			Witness: lease.Witness{Generation: 1, Founder: nodeA},
		}, s, "the witness goes on")
	}
}

// A holder goes on when a majority refuses a round for a reason that may pass.
func TestRefusedForNow(t *testing.T) {
	for _, c := range []struct {
		entered bool
		reason  lease.Reason
	}{{true, lease.Alone}, {true, lease.Full}, {false, lease.Full}} {
		m := refused(2, c.reason, none)
		s, out := after(3, leased(c.entered), from(nodeA, m), from(nodeB, m))
		require.Equal(t, lease.Leased, s.Phase, c)
		require.Empty(t, out.Events)
	}
}

// Only an incarnation with a lease can have entered the grid, and only once.
func TestEntered(t *testing.T) {
	enter := given(lease.Command{Kind: lease.CommandEntered})
	for _, s := range []lease.State{looking(), leased(true)} {
		next, out := after(3, s, enter)
		requireIgnored(t, s, next, out, nodeD)
	}
	s, _ := after(3, leased(false), enter)
	require.True(t, s.Entered)
}

// A node that looks joins through the first member of which it hears.
func TestLookingJoins(t *testing.T) {
	there := lease.View{Generation: 2, Founder: nodeB, Contact: nodeC}
	s, out := after(3, looking(), from(nodeA, refused(0, lease.Looked, there)))
	require.Equal(t, lease.Joining, s.Phase)
	require.Equal(t, nodeC, s.Contact)
	require.Equal(t, lease.Message{Kind: lease.Renew, Generation: 2, Founder: nodeB, Round: 1}, out.Send[0].Message)
	s, _ = after(3, looking(), from(nodeA, refused(0, lease.Superseded, there)))
	require.Equal(t, lease.Looking, s.Phase, "A will never grant to this incarnation")
}

// When a node asks for promises, and for which generation.
func TestLookingFounds(t *testing.T) {
	promised := func(generation uint32, to protocol.NodeID) lease.Message {
		return refused(0, lease.Looked, lease.View{Promised: generation, Promisee: to, Vacant: true})
	}
	founded := func(generation uint32) lease.Message {
		return refused(0, lease.Looked, lease.View{Generation: generation, Founder: nodeB, Vacant: true})
	}
	nobody, unsure := founded(0), refused(0, lease.Looked, none)
	never := refused(0, lease.Superseded, lease.View{Vacant: true})
	both := founded(2)
	both.View.Promised, both.View.Promisee = 3, nodeD
	for name, c := range map[string]struct {
		tried  uint32 // the generation that D asked for before
		a, b   lease.Message
		founds uint32 // 0: it goes on looking
	}{
		"nothing is there":        {0, nobody, nobody, 1},
		"one will never grant":    {0, never, nobody, 0},
		"one may have granted":    {0, unsure, nobody, 0},
		"both may have granted":   {0, unsure, unsure, 0},
		"one is over":             {0, founded(4), nobody, 5},
		"one was promised":        {0, promised(4, nodeB), founded(3), 5},
		"a promise was lost":      {1, promised(1, nodeD), nobody, 1},
		"the first was lost":      {1, nobody, nobody, 1},
		"split":                   {1, promised(1, nodeD), promised(1, nodeB), 2},
		"split, the other first":  {1, promised(1, nodeB), promised(1, nodeD), 2},
		"it was founded":          {1, founded(1), nobody, 2},
		"a later one is there":    {1, promised(3, nodeB), nobody, 4},
		"a later one was its own": {3, both, nobody, 3},
	} {
		for _, round := range []uint32{0, 9} {
			s := looking()
			s.Generation, s.Round = c.tried, round
			s, out := after(3, s, from(nodeA, c.a), from(nodeB, c.b))
			if c.founds == 0 {
				require.Equal(t, lease.Looking, s.Phase, name)
				continue
			}
			require.Equal(t, lease.Founding, s.Phase, name)
			require.Equal(t, make([]lease.Answer, 3), s.Answers, name)
			require.Len(t, out.Send, 3, name)
			require.Equal(t, lease.Message{Kind: lease.Found, Generation: c.founds}, out.Send[0].Message, name)
		}
	}
}

// A node that looks again keeps the number of the generation that it asked for.
func TestLookingAgain(t *testing.T) {
	s := looking()
	s.Phase, s.Generation, s.Round = lease.Founding, 3, 1
	next, out := after(3, s, from(nodeA, lease.Message{Kind: lease.Promised, Generation: 2}))
	requireIgnored(t, s, next, out, nodeA)
	s, _ = after(3, s, fired(lease.Timer(lease.ResendTimer)))
	require.Equal(t, lease.Looking, s.Phase)
	require.Equal(t, uint32(3), s.Generation)
}

// Whose message is ignored is named.
func TestIgnoredMessages(t *testing.T) {
	for _, m := range []lease.Message{
		{}, {Kind: 99}, verdict(true, nodeA), {Kind: lease.Promised, Generation: 1}, {Kind: lease.Granted, Round: 1},
	} {
		next, out := after(3, looking(), from(nodeC, m))
		requireIgnored(t, looking(), next, out, nodeC)
	}
	next, out := after(3, lease.New(3), from(nodeA, lease.Message{Kind: lease.Look}))
	requireIgnored(t, lease.New(3), next, out, nodeA)
	next, out = after(3, lease.New(3), given(asked(nodeA)))
	requireIgnored(t, lease.New(3), next, out, protocol.NodeID{})
	next, out = after(3, witness(), from(nodeB, lease.Message{}))
	requireIgnored(t, witness(), next, out, nodeB)
	asking, _ := after(3, looking(), given(asked(nodeC)))
	next, out = after(3, asking, from(nodeB, lease.Message{Kind: 99, Peer: nodeC}))
	requireIgnored(t, asking, next, out, nodeB)
	settled := leased(true)
	settled.Settled, settled.Answers = true, nil
	next, out = after(3, settled, lease.Input{Kind: 99, Timer: lease.Timer(lease.RoundTimer)})
	requireIgnored(t, settled, next, out, protocol.NodeID{})
}

// An incarnation starts with nothing of an earlier one.
func TestStartBeginsAfresh(t *testing.T) {
	s := leased(true)
	s.Dead = []protocol.NodeID{nodeA}
	s, _ = after(3, s, lease.Input{Kind: protocol.Start})
	require.Equal(t, lease.State{Self: nodeD, Phase: lease.Drawing}, s)
}
