package lease_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

func TestConfigValidate(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*lease.Config)
		good   bool
	}{
		"default":         {func(*lease.Config) {}, true},
		"three":           {func(c *lease.Config) { c.Witnesses = []protocol.Address{0, 2, 9} }, true},
		"five":            {func(c *lease.Config) { c.Witnesses = []protocol.Address{0, 1, 2, 3, 4} }, true},
		"four":            {func(c *lease.Config) { c.Witnesses = []protocol.Address{0, 1, 2, 3} }, false},
		"no renewals":     {func(c *lease.Config) { c.RenewTicks = 0 }, false},
		"two":             {func(c *lease.Config) { c.Witnesses = []protocol.Address{0, 1} }, false},
		"unsorted":        {func(c *lease.Config) { c.Witnesses = []protocol.Address{0, 3, 2} }, false},
		"twice":           {func(c *lease.Config) { c.Witnesses = []protocol.Address{0, 2, 2} }, false},
		"no resend":       {func(c *lease.Config) { c.ResendTicks = 0 }, false},
		"drift":           {func(c *lease.Config) { c.DriftPPM = 1_000_000 }, false},
		"more drift":      {func(c *lease.Config) { c.DriftPPM = 4000 }, false},
		"slow to end":     {func(c *lease.Config) { c.KillTicks = 60 }, false},
		"short grant":     {func(c *lease.Config) { c.GrantTicks = 399 }, false},
		"short grace":     {func(c *lease.Config) { c.GraceTicks = 400 }, false},
		"renews too late": {func(c *lease.Config) { c.RenewTicks = 330 }, false},
		"no nonces":       {func(c *lease.Config) { c.Nonces = 0 }, false},
		"no questions":    {func(c *lease.Config) { c.AskLimit = 0 }, false},
		"too many":        {func(c *lease.Config) { c.AddressLimit = protocol.MaxItems + 1 }, false},
		"no certificates": {func(c *lease.Config) { c.DeadLimit = 0 }, false},
		"no asking again": {func(c *lease.Config) { c.AskTicks = 0 }, false},
		"ends at once":    {func(c *lease.Config) { c.KillTicks = 0 }, true},
		"one of each":     {func(c *lease.Config) { c.AddressLimit, c.AskLimit, c.DeadLimit = 1, 1, 1 }, true},
		"no time between": {func(c *lease.Config) { c.RenewTicks = 324 }, false},
		"just in time":    {func(c *lease.Config) { c.DriftPPM, c.KillTicks = 0, 52 }, true},
		"just too late":   {func(c *lease.Config) { c.DriftPPM, c.KillTicks = 0, 53 }, false},
		"absurd drift":    {func(c *lease.Config) { c.DriftPPM = 2_000_000 }, false},
	} {
		cfg := lease.DefaultConfig(0)
		c.damage(&cfg)
		if c.good {
			require.NoError(t, cfg.Validate(), name)
		} else {
			require.ErrorIs(t, cfg.Validate(), lease.ErrConfig, name)
		}
	}
}

// A witness that knows too many addresses refuses new ones, and condemns none of them.
func TestAddressLimit(t *testing.T) {
	cfg := config(1)
	cfg.AddressLimit = 1
	s, _ := after(1, lease.New(0), lease.Input{Kind: protocol.Start}, lease.Input{Kind: protocol.Chosen})
	require.Len(t, s.Witness.Lives, 1)
	renew := lease.Message{Kind: lease.Renew, Generation: 1, Founder: nodeA, Round: 1}
	next, out := lease.Step(&cfg, s, from(nodeB, renew))
	require.Len(t, out.Send, 1)
	require.Equal(t, lease.Full, out.Send[0].Message.Reason)
	require.Equal(t, uint32(1), out.Send[0].Message.Round)
	require.Nil(t, out.Persist)
	_, out = lease.Step(&cfg, next, from(nodeC, lease.Message{Kind: lease.Ask, Peer: nodeB}))
	require.False(t, out.Send[0].Message.Condemned)
	require.Empty(t, out.Events)
}

// A witness whose own holder failed to found a generation enters the founded one as soon as its
// holder does. Until all running members have renewed with it, it condemns no incarnation.
func TestAWitnessThatIsBehind(t *testing.T) {
	s, _ := after(3, lease.New(0), lease.Input{Kind: protocol.Start}, lease.Input{Kind: protocol.Chosen},
		from(nodeC, lease.Message{Kind: lease.Refused, Reason: lease.Looked, View: lease.View{Vacant: true}}))
	require.Equal(t, lease.Founding, s.Phase)
	s, _ = after(3, s, from(nodeC, lease.Message{Kind: lease.Promised, Generation: 1}))
	require.Equal(t, lease.Joining, s.Phase)
	require.Equal(t, nodeA, s.Witness.Founder)
	renew := lease.Message{Kind: lease.Renew, Generation: 2, Founder: nodeC, Round: 1, Member: true}
	ask := from(nodeC, lease.Message{Kind: lease.Ask, Peer: nodeB})
	s, out := after(3, s, from(nodeC, renew))
	require.Equal(t, lease.OtherGeneration, out.Send[0].Message.Reason)
	_, out = after(3, s, ask)
	require.False(t, out.Send[0].Message.Condemned, "B may hold a lease of which this witness has no record")

	refused := func(id protocol.NodeID) lease.Input {
		return from(id, lease.Message{Kind: lease.Refused, Round: 1, Reason: lease.OtherGeneration, View: lease.View{
			Generation: 2, Founder: nodeC, Contact: nodeC,
		}})
	}
	s, _ = after(3, s, refused(nodeB), refused(nodeC))
	require.Equal(t, lease.Looking, s.Phase)
	looked := from(nodeC, lease.Message{Kind: lease.Refused, Reason: lease.Looked, View: lease.View{
		Generation: 2, Founder: nodeC, Contact: nodeC,
	}})
	s, _ = after(3, s, looked)
	require.Equal(t, nodeC, s.Witness.Founder, "its own grant in the former generation is no obstacle")
	_, out = after(3, s, ask)
	require.False(t, out.Send[0].Message.Condemned, "B has had no time to renew here")
	_, out = after(3, s, lease.Input{Kind: protocol.Timeout, Timer: lease.Timer(lease.BehindTimer)}, ask)
	require.True(t, out.Send[0].Message.Condemned)
}

// A witness that comes back goes on granting in the last generation that it entered, also during
// its grace. Otherwise the leases that rest on it would run out.
func TestAWitnessThatComesBack(t *testing.T) {
	renew := func(generation, round uint32) lease.Input {
		return from(nodeB, lease.Message{
			Kind: lease.Renew, Generation: generation, Founder: nodeB, Round: round, Member: true,
		})
	}
	s, _ := after(1, lease.New(0), lease.Input{Kind: protocol.Start}, renew(1, 1))
	_, out := after(1, s, renew(2, 2))
	require.Equal(t, lease.Granted, out.Send[0].Message.Kind)
	s, _ = after(1, lease.New(0), lease.Input{Kind: protocol.Restart, Persisted: out.Persist})
	require.True(t, s.Witness.Grace)
	_, out = after(1, s, renew(2, 3))
	require.Equal(t, lease.Granted, out.Send[0].Message.Kind)
}

// A witness that has granted to an earlier incarnation of the asking node names it as contact to
// others only.
func TestAFormerLifeIsNoContact(t *testing.T) {
	s := lease.State{Self: nodeA, Phase: lease.Looking, Answers: make([]lease.Answer, 1), Witness: lease.Witness{
		Generation: 1, Founder: nodeB, Lives: []lease.Life{{Address: 1, Incarnation: 1}},
		Grants: []lease.Grant{{Holder: nodeB, Round: 1, Member: true}},
	}}
	look := lease.Message{Kind: lease.Look}
	_, out := after(1, s, from(nodeC, look))
	require.Equal(t, nodeB, out.Send[0].Message.View.Contact)
	_, out = after(1, s, from(protocol.NodeID{Address: 1, Incarnation: 2}, look))
	require.Equal(t, protocol.NodeID{}, out.Send[0].Message.View.Contact)
}

// A newcomer that a majority refuses looks again. If one of them will never grant to this
// incarnation, it ends: its next one may be granted by more witnesses.
func TestARefusedNewcomer(t *testing.T) {
	for reason, phase := range map[lease.Reason]lease.Phase{
		lease.OtherGeneration: lease.Looking, lease.Condemned: lease.Fenced,
	} {
		s := lease.State{
			Self: protocol.NodeID{Address: 3, Incarnation: 1}, Phase: lease.Joining, Round: 1,
			Generation: 1, Founder: nodeA, Contact: nodeA, Answers: make([]lease.Answer, 3),
		}
		s, _ = after(3, s,
			from(nodeA, lease.Message{Kind: lease.Refused, Round: 1, Reason: reason}),
			from(nodeB, lease.Message{Kind: lease.Refused, Round: 1, Reason: lease.Alone}))
		require.Equal(t, phase, s.Phase, reason)
	}
}

// A holder asks a witness that is in another generation again in the same round: it may come back.
func TestARefusalIsNotTheLastWord(t *testing.T) {
	for reason, asked := range map[lease.Reason]int{lease.OtherGeneration: 2, lease.Condemned: 1} {
		s := lease.State{
			Self: protocol.NodeID{Address: 3, Incarnation: 1}, Phase: lease.Leased, Entered: true, Round: 2,
			Generation: 1, Founder: nodeA, Answers: make([]lease.Answer, 3),
		}
		_, out := after(3, s,
			from(nodeA, lease.Message{Kind: lease.Granted, Round: 2}),
			from(nodeB, lease.Message{Kind: lease.Refused, Round: 2, Reason: reason}),
			fired(lease.Timer(lease.ResendTimer)))
		require.Len(t, out.Send, asked, reason)
	}
}

// A node whose first round in a generation runs out looks again.
func TestAFirstRoundThatExpires(t *testing.T) {
	s := lease.State{
		Self: protocol.NodeID{Address: 3, Incarnation: 1}, Phase: lease.Joining, Round: 1,
		Generation: 1, Founder: nodeA, Contact: nodeA, Answers: make([]lease.Answer, 3),
	}
	s, out := after(3, s, fired(lease.ExpireTimer(1)))
	require.Equal(t, lease.Looking, s.Phase)
	require.Zero(t, s.Generation)
	require.Len(t, out.Send, 3)
}

// A node remembers the last certificates only, and keeps track of open questions.
func TestDeadLimit(t *testing.T) {
	cfg := config(1)
	cfg.DeadLimit = 1
	s := lease.State{Self: nodeC, Phase: lease.Looking, Answers: make([]lease.Answer, 1)}
	require.False(t, s.IsAsking(nodeA))
	for _, id := range []protocol.NodeID{nodeA, nodeB} {
		s, _ = lease.Step(&cfg, s, given(asked(id)))
		require.True(t, s.IsAsking(id))
		s, _ = lease.Step(&cfg, s, from(nodeA, lease.Message{Kind: lease.Verdict, Peer: id, Condemned: true}))
		require.False(t, s.IsAsking(id))
		require.Equal(t, []protocol.NodeID{id}, s.Dead)
	}
}

// A Restart with bytes that no incarnation of this address persisted, or with the last incarnation,
// is ignored.
func TestRestartIsIgnored(t *testing.T) {
	last := protocol.AppendNodeID(nil, protocol.NodeID{Incarnation: 1<<16 - 1})
	other := protocol.AppendNodeID(nil, nodeB)
	none := make([]byte, 8) // of a witness without records
	unborn := protocol.AppendNodeID(nil, protocol.NodeID{})
	more := append(protocol.AppendNodeID(nil, nodeA), make([]byte, 9)...)
	for _, persisted := range [][]byte{
		nil, {1}, append(last, none...), append(other, none...), append(unborn, none...), more,
	} {
		s, out := after(1, lease.New(0), lease.Input{Kind: protocol.Restart, Persisted: persisted})
		require.Equal(t, lease.New(0), s)
		require.Equal(t, lease.EventIgnore, out.Events[0].Name)
		require.Zero(t, out.Choose)
	}
	own := append(protocol.AppendNodeID(nil, nodeA), none...)
	s, _ := after(1, lease.New(0), lease.Input{Kind: protocol.Restart, Persisted: own})
	require.Equal(t, protocol.NodeID{Incarnation: 2}, s.Self)
}
