package can_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// news returns an update that lists neighbours and dead nodes.
func news(self can.Record, dead string, neighbours ...can.Record) can.Update {
	return can.Update{Self: self, Neighbours: neighbours, Dead: letters(dead)}
}

// later returns a record with the given version of the zone and epoch.
func later(r can.Record, version, epoch uint32) can.Record {
	r.Version, r.Epoch = version, epoch
	return r
}

func ignored(out can.Output) bool {
	return len(out.Events) > 0 && out.Events[0].Name == can.EventIgnore
}

// An update says which nodes are beside its sender. An indirect neighbour that should be among them
// is forgotten. Direct neighbours stay, and so do nodes elsewhere.
//
//	+-------+---+
//	|   D   | Y |
//	+---+---+---+
//	| M | S | X |
//	+---+---+---+
func TestUpdateForgets(t *testing.T) {
	cfg := plain(t, 12, 8)
	d, m, s := owner('D', 0, 8, 4, 8), owner('M', 0, 4, 0, 4), owner('S', 4, 8, 0, 4)
	x, y := owner('X', 8, 12, 0, 4), owner('Y', 8, 12, 4, 8)
	node := member(m, "", d, s, x, y)
	tests := []struct {
		name string
		from rune
		m    can.Update
		want string
	}{
		{"all is as it was", 'S', news(s, "", d, m, x), "DSXY"},
		{"X is not beside S", 'S', news(s, "", d, m), "DSY"},
		{"D is beside M", 'S', news(s, "", m, x), "DSXY"},
		{"Y is not beside X, which is not beside M", 'X', news(x, "", s), "DSXY"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, out := given(cfg, node, test.from, test.m)
			assert.Empty(t, out.Events)
			assert.Equal(t, test.want, names(after))
		})
	}
}

// An update adds no node where this node or one of its direct neighbours is, and no hole beside
// this node itself.
//
//	+---+---+---+
//	| N |   | Q |
//	+---+ S +---+
//	| M |   | P |
//	+---+---+---+
func TestUpdateDiscovers(t *testing.T) {
	cfg := plain(t, 12, 8)
	m, s := owner('M', 0, 4, 0, 4), owner('S', 4, 8, 0, 8)
	n, p, q := owner('N', 0, 4, 4, 8), owner('P', 8, 12, 0, 4), owner('Q', 8, 12, 4, 8)
	tests := []struct {
		name  string
		other can.Record
		dead  string
		want  string
	}{
		{"a node behind the sender", p, "", "PS"},
		{"a hole behind the sender", q, "Q", "QS"},
		{"a node beside this one", n, "", "NS"},
		{"a hole beside this one", n, "N", "S"},
		{"a node in the zone of this one", owner('T', 2, 4, 2, 4), "", "S"},
		{"a node in the zone of the sender", owner('T', 6, 9, 0, 4), "", "S"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, out := given(cfg, member(m, "", s), 'S', news(s, test.dead, test.other))
			assert.Empty(t, out.Events)
			assert.Equal(t, test.want, names(after))
		})
	}
}

// A hole that an update lists displaces no node. X has its share of the hole H, which S does not
// know yet; M knows X, since it is beside D.
//
//	+-------+---+        +-------+---+
//	|   D   | X |        |   D   |   |
//	+---+---+---+        +---+---+ X |
//	| M | S | H |        | M | S |   |
//	+---+---+---+        +---+---+---+
func TestHoleDisplacesNoNode(t *testing.T) {
	cfg := plain(t, 16, 8)
	d, h := owner('D', 0, 12, 4, 8), owner('H', 8, 16, 0, 4)
	m, s, x := owner('M', 0, 4, 0, 4), owner('S', 4, 8, 0, 4), owner('X', 12, 16, 0, 8)
	after, out := given(cfg, member(m, "H", d, h, s, x), 'S', news(s, "H", d, h, m))
	assert.Empty(t, out.Events)
	assert.Equal(t, "DHSX", names(after))
}

// Data in a Commit or an acknowledgement is new, but a node that has died since is added nowhere.
func TestLearnNoDead(t *testing.T) {
	cfg := plain(t, 24)
	s := member(owner('B', 4, 8), "Z", owner('A', 0, 4))
	s.Promise = can.Promise{Proposer: letter('A'), Round: 3, Kind: can.Merge, Subject: letter('A')}
	view := []can.Record{owner('C', 8, 10), owner('Z', 10, 12)}
	after, _ := given(cfg, s, 'A', can.Commit{Round: 3, View: view})
	assert.Equal(t, "AC", names(after))

	// C grows, as its neighbour tells.
	s = middle()
	s.Known[2].Zone = box(12, 14)
	s.Change = can.Change{Stage: can.Committing, Waiting: letters("A"), Commit: can.Commit{Kind: can.Takeover}}
	grown := later(owner('C', 8, 14), 2, 6)
	after, _ = given(cfg, s, 'A', can.CommitOK{Neighbours: []can.Record{grown}})
	assert.Equal(t, grown, after.Known[1])
}

// Where a Commit puts a node, an indirect neighbour is forgotten: it must have failed, and no
// message said so. Holes stay until they are taken.
func TestCommitSupersedes(t *testing.T) {
	cfg := plain(t, 24)
	c := later(owner('C', 8, 12), 2, 0)
	c.Zone = box(8, 16)
	for dead, want := range map[string]string{"": "AC", "D": "ACD"} {
		s := middle()
		s.Dead = letters(dead)
		s.Known[2].Zone = box(12, 20)
		s.Promise = can.Promise{Proposer: letter('C'), Round: 3, Kind: can.Takeover, Subject: letter('Z')}
		m := can.Commit{Round: 3, Kind: can.Takeover, Changed: []can.Record{c}, Gone: letter('Z')}
		after, _ := given(cfg, s, 'C', m)
		assert.Equal(t, want, names(after))
	}

	// A direct neighbour stays: this node detects its failure itself.
	s := promised()
	after, _ := given(cfg, s, 'A', can.Commit{Round: 7, Kind: can.Split, Changed: []can.Record{owner('E', 2, 3)}})
	assert.Equal(t, "ACDE", names(after))
}

// A hole stays on record while it is open, also at a taker that has its share of it.
func TestHoleStays(t *testing.T) {
	cfg := plain(t, 12)
	s := member(owner('M', 0, 8), "H", owner('H', 4, 12))
	after, _ := fired(cfg, s, can.UpdateTimer, protocol.NodeID{})
	requireSame(t, cfg, s, after)
}

// An update of a node that the receiver does not know counts if it lists the receiver's present
// record, or if both list a hole between them.
func TestUpdateOfTheUnknown(t *testing.T) {
	cfg := plain(t, 32)
	h, s := owner('H', 10, 20), owner('S', 20, 30)
	m := later(owner('M', 0, 10), 2, 5)
	long := later(owner('M', 0, 20), 2, 5)
	tests := []struct {
		name  string
		state can.State
		m     can.Update
		stale bool
	}{
		{"it lists this node", member(long, ""), news(s, "", long), false},
		{"it lists this node as it was", member(long, ""), news(s, "", later(long, 1, 9)), true},
		{"it does not list this node", member(long, ""), news(s, ""), true},

		{"both have the hole on record", member(m, "H", h), news(s, "H", h), false},
		{"the sender has it on record no more", member(m, "H", h), news(s, "H"), false},
		{"this node has taken it", member(long, "H"), news(s, "H", h), false},
		{"this node is unaware of the failure", member(m, "", h), news(s, "H"), true},
		{"the sender does not", member(m, "H", h), news(s, ""), true},
		{"the hole is not beside the sender", member(m, "H", h), news(owner('S', 21, 30), "H"), true},
		{"the hole is not beside this node",
			member(m, "H", owner('G', 10, 15), owner('H', 15, 20)), news(s, "H"), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, out := given(cfg, test.state, 'S', test.m)
			assert.Equal(t, test.stale, ignored(out))
			if test.stale {
				requireSame(t, cfg, test.state, after)
			} else {
				assert.Contains(t, names(after), "S")
			}
		})
	}
}

// Nothing is learned from a dead node. Notices count, but not those of dead nodes.
func TestUpdateOfTheDead(t *testing.T) {
	cfg := plain(t, 16)
	node := middle()
	node.Dead = letters("C")
	c := later(owner('C', 8, 12), 2, 9)

	after, out := given(cfg, node, 'C', news(c, "A", owner('B', 4, 8), owner('D', 12, 16)))
	requireSame(t, cfg, node, after)
	require.Len(t, out.Send, 1)
	assert.Equal(t, can.Update{Self: can.Record{ID: letter('B')}, Dead: letters("C")}, out.Send[0].Message)

	after, out = given(cfg, node, 'C', can.Update{Self: can.Record{ID: letter('C')}, Dead: letters("B")})
	requireSame(t, cfg, node, after)
	assert.Empty(t, out.Send)

	after, out = given(cfg, node, 'Z', can.Update{Self: can.Record{ID: letter('Z')}, Dead: letters("B")})
	assert.Equal(t, can.Departed, after.Phase, "a notice of a stranger")
	assert.Equal(t, []string{"fenced B"}, events(out))
}

// A node adopts the share that another's update shows, but nothing older, and it stays in its own
// epoch: it may have taken part in further rounds.
func TestReclaim(t *testing.T) {
	cfg := plain(t, 16)
	node := middle()
	node.Self = later(node.Self, 2, 5)
	shown := func(version uint32) can.State {
		b := later(owner('B', 4, 8), version, 3)
		b.Zone = box(4, 10)
		after, _ := given(cfg, node, 'A', news(owner('A', 0, 4), "", b))
		return after
	}
	granted := shown(3).Self
	assert.Equal(t, box(4, 10), granted.Zone)
	assert.Equal(t, uint32(3), granted.Version)
	assert.Equal(t, uint32(5), granted.Epoch)
	assert.Equal(t, node.Self, shown(1).Self)
}

// A node that promised to a proposer, and is notified of failures and answers.
func TestOrphan(t *testing.T) {
	cfg := plain(t, 16)
	asking := promised()
	asking.Promise.Orphan = true
	asking.Dead = letters("A")
	takeover := middle()
	takeover.Promise = can.Promise{Proposer: letter('C'), Round: 2, Kind: can.Takeover, Subject: letter('D')}
	failure := func(name rune) can.Input {
		return can.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: can.MissedTimer, Peer: letter(name)}}
	}
	answer := func(proposer rune, round uint32) can.Input {
		return can.Input{
			Kind: protocol.Deliver, From: letter('E'), Message: can.Answer{Proposer: letter(proposer), Round: round},
		}
	}
	asked := can.Query{Proposer: letter('A'), Round: 1}
	tests := []struct {
		name  string
		state can.State
		in    can.Input
		keeps bool
		sent  int
	}{
		{"the proposer fails: the joiner is asked", promised(), failure('A'), true, 1},
		{"the joiner fails: the proposer will notify", promised(), failure('E'), true, 0},
		{"a failed node whose zone is being taken over", takeover, failure('D'), true, 0},
		{"another fails", asking, failure('C'), true, 0},
		{"the joiner fails, too", asking, failure('E'), false, 0},
		{"a question about an earlier round of the proposer", asking,
			can.Input{Kind: protocol.Deliver, From: letter('C'), Message: asked}, true, 1},
		{"the answer", asking, answer('A', 7), false, 0},
		{"an answer about another proposer", asking, answer('D', 7), true, 0},
		{"an answer about another round", asking, answer('A', 6), true, 0},
		{"an answer without a question", promised(), answer('A', 7), true, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, out := can.Step(cfg, test.state, test.in)
			assert.Equal(t, test.keeps, !after.Promise.Proposer.IsNobody())
			assert.Len(t, out.Send, test.sent)
		})
	}
}
