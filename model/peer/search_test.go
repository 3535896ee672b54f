package peer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// pair returns a grid of the members A and B, of which only B satisfies the one job.
func pair(change func(b *peer.State, t *ticket)) (oracle, *globalState) {
	g := idle()
	g.past.tickets = []ticket{{number: 1}}
	if change != nil {
		change(g.nodes[1], &g.past.tickets[0])
	}
	g.nodes, g.asked = g.nodes[:2], true
	compares := (&scenario{nodes: 3, match: &matching{}}).config()
	return oracle{config: compares, jobs: []job{{entry: "A", size: 1, at: 6}}, tickets: [][]uint32{{1}}}, g.state()
}

// toA is a message on its way from B.
func toA(m peer.Message) protocol.Envelope[peer.Message] {
	return protocol.Envelope[peer.Message]{From: id('B'), To: id('A'), Message: m}
}

// A refusal is honest if no node that stays and was there when the search began can run the job.
func TestHonestRefusalCanFail(t *testing.T) {
	for name, test := range map[string]struct {
		why    peer.Why
		change func(b *peer.State, t *ticket)
		want   bool
	}{
		"B can":          {peer.Nobody, nil, false},
		"undecided":      {peer.Undecided, nil, true},
		"limited":        {peer.Limited, nil, true},
		"B leaves":       {peer.Nobody, func(b *peer.State, _ *ticket) { b.Leaving = true }, true},
		"B is too small": {peer.Nobody, func(b *peer.State, _ *ticket) { b.Can.Self.Coord[0] = 5 }, true},
		"B is younger":   {peer.Nobody, func(_ *peer.State, t *ticket) { t.young = 2 }, true},
		"A is younger":   {peer.Nobody, func(_ *peer.State, t *ticket) { t.young = 1 }, false},
	} {
		o, s := pair(test.change)
		assert.Equal(t, test.want, o.honest(s, toA(peer.Unmatched{Ticket: 1, Why: test.why})), name)
	}
}

// A search that visits a node twice, or too many, or is on its way to another node is seen.
func TestSeekEndsCanFail(t *testing.T) {
	steps := func(names string) (all []match.Step) {
		for _, node := range ids(names) {
			all = append(all, match.Step{Node: node})
		}
		return all
	}
	for names, want := range map[string]bool{
		"": true, "BA": true, "BAC": false, "ABA": false, "CBA": true, "DCBA": false,
	} {
		o, s := pair(nil)
		o.config.SeekLimit = 3
		assert.Equal(t, want, o.ends(s, toA(peer.Job{Search: match.Search{Steps: steps(names)}})), names)
	}
}

// A job that B can run is matched once it was represented, or its client is to submit it again.
func TestMatchedCanFail(t *testing.T) {
	for name, test := range map[string]struct {
		change func(b *peer.State, t *ticket)
		want   bool
	}{
		"B can":         {nil, false},
		"told nobody":   {func(_ *peer.State, t *ticket) { t.told = 1 }, false},
		"represented":   {func(_ *peer.State, t *ticket) { t.represented = true }, true},
		"undecided":     {func(_ *peer.State, t *ticket) { t.undecided = true }, true},
		"nobody can":    {func(b *peer.State, _ *ticket) { b.Can.Self.Coord[0] = 5 }, true},
		"another's job": {func(_ *peer.State, t *ticket) { t.number, t.represented = 2, true }, false},
	} {
		o, s := pair(test.change)
		assert.Equal(t, test.want, o.matched(s), name)
	}
	o, s := pair(nil)
	s.Slots[0].Issued = 0
	assert.True(t, o.matched(s), "not submitted yet")
}

// The monitor remembers what became of a search, and only where it is asked to.
func TestTheMonitorOfSearches(t *testing.T) {
	assert.False(t, monitor{}.Wants(peer.EventSearch))
	m := monitor{searches: true}
	require.True(t, m.Wants(peer.EventSearch) && m.Wants(peer.EventUnmatched) && m.Wants("tasks:represent"))
	b := node('B', 0, zone(4, 8))
	b.Tasks.Roles = []reptask.Role{{Job: aJob(1), By: id('B'), Epoch: 7}}
	seen := func(events ...protocol.Event) ticket {
		mon := m.Initial()
		for _, e := range events {
			mon = m.Observe(mon, 1, *b, []protocol.Event{e})
		}
		return decode(mon).tickets[0]
	}
	search, join := protocol.Event{Name: peer.EventSearch, Number: 1}, protocol.Event{Name: "can:joined"}
	told := protocol.Event{Name: peer.EventUnmatched, Number: 1, Detail: peer.Nobody.String()}
	unsure := protocol.Event{Name: peer.EventUnmatched, Number: 1, Detail: peer.Undecided.String()}
	assert.Equal(t, ticket{number: 1, searched: true}, seen(join, search))
	assert.Equal(t, ticket{number: 1, searched: true, young: 2}, seen(search, join))
	assert.Equal(t, ticket{number: 1, told: 2}, seen(told))
	assert.Equal(t, ticket{number: 1, told: 2, undecided: true}, seen(unsure))
	represented := protocol.Event{Name: "tasks:represent", Peer: id('B'), Number: 7}
	assert.Equal(t, ticket{number: 1, represented: true}, seen(represented))
}
