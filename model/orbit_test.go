package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

// gossip is the state of a node that acts by a table. It remembers some others in all the ways that
// a state can.
type gossip struct {
	Self   protocol.NodeID
	Mood   uint8
	Friend protocol.NodeID
	Heard  []protocol.NodeID // in the order of hearing
	Seen   [MaxNodes]bool
}

// rumour is about some node.
type rumour struct {
	About protocol.NodeID
	Mood  uint8
}

// gossips is a system with a hub and a number of equal nodes. Their actions are drawn, and depend
// on roles, as self, sender, friend or hub, but never on addresses.
func gossips(draw *rand.Rand, alike int, b Budget) *System[gossip, rumour, uint8] {
	const moods = 3
	type reaction struct {
		mood         uint8
		friend, hear bool
		to           int // no node, sender, friend, hub, self, subject of the rumour
		about        int // self, sender, friend, who the rumour is about
		timer        bool
	}
	var table [2][moods][moods]reaction
	for i := range table {
		for j := range table[i] {
			for k := range table[i][j] {
				table[i][j][k] = reaction{
					uint8(draw.IntN(moods)),
					draw.IntN(2) == 0,
					draw.IntN(2) == 0,
					draw.IntN(6),
					draw.IntN(4),
					draw.IntN(3) == 0,
				}
			}
		}
	}
	hub := protocol.NodeID{Incarnation: 1}
	step := func(s gossip, in protocol.Input[rumour, uint8]) (gossip, protocol.Output[rumour]) {
		var out protocol.Output[rumour]
		role, mood, from, about := 1, uint8(0), s.Self, s.Self
		if s.Self == hub {
			role = 0
		}
		switch in.Kind {
		case protocol.Deliver:
			mood, from, about = in.Message.Mood, in.From, in.Message.About
		case protocol.Timeout:
			mood, from = 1, in.Timer.Peer
		case protocol.Command:
			mood = in.Command
		}
		r := table[role][s.Mood][mood]
		before := s.Friend
		s.Mood = r.mood
		if r.friend {
			s.Friend = from
		}
		if r.hear && len(s.Heard) < 2 {
			s.Heard = append(slices.Clone(s.Heard), about)
		}
		s.Seen[from.Address] = true
		to := []protocol.NodeID{{}, from, before, hub, s.Self, about}[r.to]
		what := []protocol.NodeID{s.Self, from, before, about}[r.about]
		if !to.IsNobody() && len(s.Heard) < 2 {
			out.Send = []protocol.Envelope[rumour]{{From: s.Self, To: to, Message: rumour{what, r.mood}}}
		}
		if r.timer && len(s.Heard) < 2 {
			out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 1, Peer: from}}}
		}
		return s, out
	}
	sys := &System[gossip, rumour, uint8]{
		Info: Info{Name: "gossip", Budget: b}, Core: Plain(step), Identity: func(s gossip) protocol.NodeID { return s.Self },
		QuiescentEnd: func(*GlobalState[gossip, rumour]) bool { return true },
		Symmetry: &Symmetry[gossip, rumour, uint8]{Groups: [][]int{nil}, State: func(s gossip, to Renaming) gossip {
			seen := s.Seen
			for i := range seen {
				seen[to.Node(i)] = s.Seen[i]
			}
			s.Self, s.Friend, s.Seen, s.Heard = to.ID(s.Self), to.ID(s.Friend), seen, slices.Clone(s.Heard)
			for i := range s.Heard {
				s.Heard[i] = to.ID(s.Heard[i])
			}
			return s
		}},
		Properties: []Property[gossip, rumour]{{
			Property: checker.Property{Name: "NotAllMoody", Shape: checker.Always},
			Holds: func(w *GlobalState[gossip, rumour]) bool {
				return slices.ContainsFunc(w.Slots[1:], func(s *Slot[gossip]) bool { return s.State.Mood == 0 })
			},
		}, {
			Property: checker.Property{Name: "FriendOfAFriend", Shape: checker.Sometimes},
			Holds: func(w *GlobalState[gossip, rumour]) bool {
				return slices.ContainsFunc(w.Slots, func(s *Slot[gossip]) bool {
					f := s.State.Friend
					return !f.IsNobody() && w.Slots[f.Address].State.Friend == s.State.Self && f != s.State.Self
				})
			},
		}},
	}
	for i := range alike + 1 {
		node := Node[gossip, uint8]{
			Name:  fmt.Sprint(i),
			State: gossip{Self: protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}},
		}
		if i > 0 {
			node.Commands = [][]uint8{{2}}
			sys.Symmetry.Groups[0] = append(sys.Symmetry.Groups[0], i)
		}
		sys.Nodes = append(sys.Nodes, node)
	}
	return sys
}

// Of all states of an orbit Canonical makes one, and of the states of two orbits two: on drawn
// systems, compared with all permutations of each of their states.
func TestCanonicalIsOneForAnOrbit(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread and many states: nothing for the race detector")
	}
	budgets := []Budget{{}, {Drop: 1}, {Duplicate: 1}, {Crash: 1}, {Repeat: true},
		{Adversarial: true, Crash: 1, Restart: 1}}
	most, ties, compared := 0, 0, 0
	for seed := range uint64(60) {
		draw := rand.New(rand.NewPCG(seed, 1))
		alike, b := 2+draw.IntN(3), budgets[draw.IntN(len(budgets))]
		c := compile(gossips(draw, alike, b).withDefaults())
		all := reachable(c, 3000)
		most = max(most, len(all))
		o := newOrbiter(c.newWorker())
		stands := map[string]string{} // by orbit
		for _, state := range all {
			orbit := ""
			for m := range o.orbits.moves {
				image := make([]uint32, len(state))
				o.apply(state, m, image)
				if key := fmt.Sprint(image); orbit == "" || key < orbit {
					orbit = key
				}
			}
			canonical := slices.Clone(state)
			o.Canonical(canonical)
			key := fmt.Sprint(canonical)
			if before, ok := stands[orbit]; ok {
				require.Equal(t, before, key, "seed %d: two states stand for one orbit", seed)
				ties++
			}
			stands[orbit] = key
			again := slices.Clone(canonical)
			o.Canonical(again)
			require.Equal(t, canonical, again)
		}
		different := map[string]bool{}
		for _, key := range stands {
			different[key] = true
		}
		require.Len(t, different, len(stands), "seed %d: a state stands for two orbits", seed)
		if len(all) < 3000 {
			compareReduced(t, c, len(all), len(stands))
			compared++
		}
	}
	assert.Greater(t, most, 2000)
	assert.Greater(t, ties, 20_000)
	assert.Greater(t, compared, 20)
}

// Where friendship goes round, all nodes have one color, and only the whole tells one state of the
// orbit from another.
func TestNodesThatAreNotToldApartByColors(t *testing.T) {
	for _, friends := range [][]int{{0, 2, 3, 4, 1}, {0, 2, 1, 4, 3}} { // one circle; two pairs
		sys := gossips(rand.New(rand.NewPCG(1, 1)), 4, Budget{})
		for i := range sys.Nodes[1:] {
			sys.Nodes[1+i].State.Friend = protocol.NodeID{Address: protocol.Address(friends[1+i]), Incarnation: 1}
		}
		c := compile(sys.withDefaults())
		o := newOrbiter(c.newWorker())
		images, canonical := map[string]bool{}, map[string]bool{}
		for m := range o.orbits.moves {
			image := make([]uint32, len(c.begin()))
			o.apply(c.begin(), m, image)
			images[fmt.Sprint(image)] = true
			o.Canonical(image)
			canonical[fmt.Sprint(image)] = true
			for node := 2; node <= 4; node++ {
				require.Equal(t, o.color[1], o.color[node])
			}
		}
		assert.Greater(t, len(images), 2)
		assert.Len(t, canonical, 1)
	}
}

// compareReduced demands that a check explores one state of each orbit, and decides what one of all
// states decides.
func compareReduced(t *testing.T, c *compiled[gossip, rumour, uint8], states, orbits int) {
	t.Helper()
	all, err := checker.Check(context.Background(), c, checker.Options{ContinueAfterViolation: true, Workers: 1})
	require.NoError(t, err)
	require.Equal(t, uint64(states), all.States)
	reduced, err := checker.Check(
		context.Background(),
		c,
		checker.Options{ContinueAfterViolation: true, Workers: 1, Reduce: true},
	)
	require.NoError(t, err)
	require.Equal(t, uint64(orbits), reduced.States)
	for i, outcome := range all.Outcomes {
		require.Equal(t, outcome.Verdict, reduced.Outcomes[i].Verdict)
	}
}

// reachable lists the first states of a system, up to a number, breadth first.
func reachable[S, M, C any](c *compiled[S, M, C], most int) [][]uint32 {
	k := c.newWorker()
	all, seen := [][]uint32{slices.Clone(c.begin())}, map[string]bool{fmt.Sprint(c.begin()): true}
	for at := 0; at < len(all) && len(all) < most; at++ {
		next := checker.NewSuccessors(c.Width())
		k.Expand(all[at], next)
		for i := range next.Len() {
			state := slices.Clone(next.At(i))
			if key := fmt.Sprint(state); !seen[key] {
				seen[key] = true
				all = append(all, state)
			}
		}
	}
	return all
}
