package lease_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// witness is the state of A, one of three witnesses, which has granted in generation 2 of B.
func witness() lease.State {
	return lease.State{Self: nodeA, Phase: lease.Looking, Answers: make([]lease.Answer, 3), Witness: lease.Witness{
		Generation: 2, Founder: nodeB, Promised: 2, Promisee: nodeB,
		Lives:  []lease.Life{{Address: 1, Incarnation: 1, Nonce: 7}},
		Grants: []lease.Grant{{Holder: nodeB, Round: 4, Member: true}},
	}}
}

// renewal is one of a member of the generation of B.
func renewal(round, nonce uint32) lease.Message {
	return lease.Message{Kind: lease.Renew, Generation: 2, Founder: nodeB, Round: round, Nonce: nonce, Member: true}
}

func asks(peer protocol.NodeID) lease.Message { return lease.Message{Kind: lease.Ask, Peer: peer} }

func life(a protocol.NodeID, incarnation uint16) protocol.NodeID {
	return protocol.NodeID{Address: a.Address, Incarnation: incarnation}
}

// answer takes a step of the witness, and returns its only message.
func answer(
	t *testing.T, s lease.State, by protocol.NodeID, m lease.Message,
) (lease.State, lease.Message, lease.Output) {
	t.Helper()
	s, out := after(3, s, from(by, m))
	require.Len(t, out.Send, 1)
	require.Equal(t, by, out.Send[0].To)
	return s, out.Send[0].Message, out
}

// Messages that a witness does not answer.
func TestWitnessesIgnore(t *testing.T) {
	other := witness()
	other.Self = nodeD
	next, out := after(3, other, from(nodeB, renewal(5, 7)))
	requireIgnored(t, other, next, out, nodeB)
	next, out = after(3, other, given(lease.Command{Kind: lease.CommandRegrid}))
	requireIgnored(t, other, next, out, nodeD)
	s := witness()
	nobody := protocol.NodeID{Address: 1}
	next, out = after(3, s, from(nobody, renewal(5, 7)))
	requireIgnored(t, s, next, out, nobody)
	next, out = after(3, s, from(nodeB, renewal(3, 7)))
	requireIgnored(t, s, next, out, nodeB)
	next, out = after(3, s, from(nodeB, asks(protocol.NodeID{Address: 2})))
	requireIgnored(t, s, next, out, nodeB)
}

// Why a witness refuses an incarnation for good, with the requested round.
func TestObjections(t *testing.T) {
	s := witness()
	s.Witness.Lives = []lease.Life{
		{Address: 1, Incarnation: 2, Nonce: 2}, {Address: 2, Incarnation: 1, Nonce: 7, Condemned: 2},
	}
	for _, c := range []struct {
		by     protocol.NodeID
		nonce  uint32
		reason lease.Reason
	}{
		{nodeB, 7, lease.Superseded}, {life(nodeB, 2), 8, lease.Copied}, {life(nodeC, 2), 7, lease.Condemned},
	} {
		_, m, _ := answer(t, s, c.by, renewal(5, c.nonce))
		require.Equal(t, lease.Refused, m.Kind)
		require.Equal(t, c.reason, m.Reason)
		require.Equal(t, uint32(5), m.Round)
	}
	_, m, _ := answer(t, s, life(nodeC, 3), renewal(5, 9))
	require.Equal(t, lease.Granted, m.Kind, "a new incarnation draws its own nonce")
}

// A witness does not persist known facts again.
func TestRenewalsAreNotPersisted(t *testing.T) {
	s, _, out := answer(t, witness(), nodeB, renewal(5, 7))
	require.Nil(t, out.Persist)
	s, _, out = answer(t, s, nodeC, renewal(1, 3))
	require.NotNil(t, out.Persist)
	require.Equal(t, []lease.Grant{
		{Holder: nodeB, Round: 5, Member: true}, {Holder: nodeC, Round: 1, Member: true},
	}, s.Witness.Grants)
}

// A generation has one founder: a witness with grants in force goes along with no other.
func TestAnotherFounder(t *testing.T) {
	other := renewal(5, 0)
	other.Founder = nodeC
	s, m, _ := answer(t, witness(), nodeC, other)
	require.Equal(t, lease.OtherGeneration, m.Reason)
	require.True(t, s.Witness.Behind)
}

// Once its generation is closed, a witness grants no more in it, nor in the next one, which no node
// may found. It does not wait for grants there.
func TestRegrid(t *testing.T) {
	for _, promised := range []uint32{1, 2, 5} {
		s := witness()
		s.Witness.Promised = promised
		closes := max(2, promised) + 1
		s, out := after(3, s, given(lease.Command{Kind: lease.CommandRegrid}))
		require.Equal(t, []protocol.Event{{Name: lease.EventRegrid, Number: closes}}, out.Events)
		require.Equal(t, closes, s.Witness.Closed)
		require.Equal(t, closes, s.Witness.Generation)
		require.True(t, s.Witness.Founder.IsNobody())
		require.NotNil(t, out.Persist)
		for _, generation := range []uint32{2, closes} {
			m := renewal(5, 7)
			m.Generation = generation
			next, refusal, _ := answer(t, s, nodeB, m)
			require.Equal(t, lease.OtherGeneration, refusal.Reason)
			require.Equal(t, s, next)
		}
	}
}

// The contacts through which a node can enter: the founder, or another member, and never itself.
func TestWitnessNamesAContact(t *testing.T) {
	s := witness()
	s.Witness.Promisee = nodeD
	s.Witness.Grants = []lease.Grant{
		{Holder: nodeA, Round: 1, Member: true}, {Holder: nodeB, Round: 1, Member: true},
		{Holder: nodeC, Round: 1, Member: true}, {Holder: nodeD, Round: 1, Member: true},
	}
	contact := func(by protocol.NodeID) protocol.NodeID {
		_, m, _ := answer(t, s, by, lease.Message{Kind: lease.Look})
		return m.View.Contact
	}
	newcomer := protocol.NodeID{Address: 4, Incarnation: 1}
	require.Equal(t, nodeB, contact(newcomer))
	s.Witness.Founder = nodeC
	require.Equal(t, nodeC, contact(newcomer))
	require.Equal(t, nodeA, contact(nodeC))
	s.Witness.Founder = newcomer
	require.Equal(t, nodeA, contact(newcomer))
	s.Witness.Grants[0].Member = false
	require.Equal(t, nodeB, contact(newcomer))
	s.Witness.Grants = s.Witness.Grants[:1]
	require.True(t, contact(newcomer).IsNobody())
}

// An incarnation outside of the grid is granted a round only if it can enter, or founds the grid.
func TestAlone(t *testing.T) {
	s := witness()
	s.Witness.Grants, s.Witness.Lives = nil, nil
	for _, c := range []struct {
		member  bool
		founder protocol.NodeID
		granted bool
	}{{true, nodeB, true}, {false, nodeB, false}, {false, nodeC, true}, {false, nodeA, false}} {
		s.Witness.Founder = c.founder
		m := renewal(5, 7)
		m.Member, m.Founder = c.member, c.founder
		next, got, out := answer(t, s, nodeC, m)
		require.Equal(t, c.granted, got.Kind == lease.Granted, c)
		if !c.granted {
			require.Equal(t, lease.Alone, got.Reason)
			require.Equal(t, s, next)
			require.Nil(t, out.Persist)
		}
	}
	s.Witness.Founder, s.Witness.Grants = nodeB, []lease.Grant{{Holder: nodeD, Round: 1, Member: true}}
	m := renewal(5, 7)
	m.Member = false
	_, got, _ := answer(t, s, nodeC, m)
	require.Equal(t, lease.Message{Kind: lease.Granted, Round: 5, Peer: nodeD}, got)
}

// A generation is promised to one node, durably and once, and to no node while a grant may be in
// force.
func TestPromises(t *testing.T) {
	found := lease.Message{Kind: lease.Found, Generation: 3}
	s := witness()
	_, m, _ := answer(t, s, nodeC, found)
	require.Equal(t, lease.OtherGeneration, m.Reason)
	s.Witness.Grants, s.Witness.Grace = nil, true
	_, m, _ = answer(t, s, nodeC, found)
	require.Equal(t, lease.OtherGeneration, m.Reason)
	require.False(t, m.View.Vacant)
	s.Witness.Grace = false
	s, m, out := answer(t, s, nodeC, found)
	require.Equal(t, lease.Message{Kind: lease.Promised, Generation: 3}, m)
	require.NotNil(t, out.Persist)
	next, m, out := answer(t, s, nodeC, found)
	require.Equal(t, lease.Message{Kind: lease.Promised, Generation: 3}, m)
	require.Equal(t, s, next)
	require.Nil(t, out.Persist)
	require.Empty(t, out.Events)
	_, m, _ = answer(t, s, nodeD, found)
	require.Equal(t, lease.OtherGeneration, m.Reason)
}

// Which incarnations are over: those before a granted or condemned one, and one without a grant,
// which is condemned then.
func TestVerdicts(t *testing.T) {
	s := witness()
	s.Witness.Lives = []lease.Life{{Address: 1, Incarnation: 2}, {Address: 2, Incarnation: 1, Condemned: 3}}
	s.Witness.Grants = []lease.Grant{{Holder: life(nodeB, 2), Round: 1}}
	for _, c := range []struct {
		peer      protocol.NodeID
		over      bool
		condemned bool // by this question
	}{
		{nodeB, true, false}, {life(nodeB, 2), false, false}, {life(nodeB, 3), false, false},
		{nodeC, true, false}, {life(nodeC, 3), true, false}, {life(nodeC, 4), true, true}, {nodeD, true, true},
	} {
		next, m, out := answer(t, s, nodeD, asks(c.peer))
		require.Equal(t, verdict(c.over, c.peer), m)
		require.Equal(t, c.condemned, out.Persist != nil, c.peer)
		if !c.condemned {
			require.Equal(t, s, next)
			require.Empty(t, out.Events)
		}
	}
	for _, unsure := range []func(*lease.Witness){
		func(w *lease.Witness) { w.Grace = true }, func(w *lease.Witness) { w.Behind = true },
	} {
		s := s
		unsure(&s.Witness)
		_, m, _ := answer(t, s, nodeB, asks(nodeD))
		require.False(t, m.Condemned)
		_, m, _ = answer(t, s, nodeB, asks(nodeC))
		require.True(t, m.Condemned)
	}
}

// Grants of a witness to others may still be in force when it comes back. An incarnation that it
// has only condemned was not granted.
func TestGrace(t *testing.T) {
	for name, c := range map[string]struct {
		lives []lease.Life
		grace bool
	}{
		"nobody":                  {nil, false},
		"its own":                 {[]lease.Life{{Address: 0, Incarnation: 1}}, false},
		"condemned":               {[]lease.Life{{Address: 1, Condemned: 1}}, false},
		"granted":                 {[]lease.Life{{Address: 1, Incarnation: 1}}, true},
		"granted, then condemned": {[]lease.Life{{Address: 1, Incarnation: 1}, {Address: 2, Condemned: 1}}, true},
	} {
		s := witness()
		s.Witness.Lives = c.lives
		_, out := after(3, s, given(lease.Command{Kind: lease.CommandRegrid})) // persists what the witness knows
		s, _ = after(3, lease.New(0), lease.Input{Kind: protocol.Restart, Persisted: out.Persist})
		require.Equal(t, lease.Drawing, s.Phase, name)
		require.Equal(t, c.grace, s.Witness.Grace, name)
	}
}
