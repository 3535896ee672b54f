package can_test

import (
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

var fixed = published.Readings{}

// Request

func TestAlgorithm4Accepts(t *testing.T) {
	w := line(t, fixed, 1, 10, 14)
	w.leave("B")
	b := w.node("B")
	switch {
	case b.Gamma.Kind != published.Merge: // line 4
		t.Error("γ is not stored")
	case b.Self.Status != published.Busy: // line 5
		t.Error("B is not BUSY")
	case b.Self.Instance != published.FirstInstance+1: // line 6
		t.Error("the instance number did not grow by one")
	}
	want := []published.Reply{
		{From: named("A"), Answer: published.Undef}, // line 9
		{From: named("B"), Answer: published.Yes},   // line 7
		{From: named("C"), Answer: published.Undef},
	}
	if !slices.Equal(b.Replies, want) {
		t.Errorf("replies are %v", b.Replies)
	}
	for _, r := range []string{"A", "C"} { // line 10
		if m := w.take("B", r, published.Propose{}); m != (published.Propose{Instance: 2}) {
			t.Errorf("%s gets %v", r, m)
		}
	}
	if got := b.Participants(); !slices.Equal(got, []protocol.NodeID{named("A"), named("C")}) {
		t.Errorf("participants are %v", got)
	}
}

func TestAlgorithm4Rejects(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(w *network)
	}{
		{"itself BUSY", edit("B", func(s *published.State) { s.Self.Status = published.Busy })},
		{"neighbour BUSY", edit("B", func(s *published.State) { s.Nodes[1].Status = published.Busy })},
		{"discontinuity", edit("B", func(s *published.State) { s.Nodes = s.Nodes[1:] })},
		{"overlap", edit("B", func(s *published.State) { s.Nodes[1].Zone.Low[0]-- })},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(t, fixed, 1, 10, 14)
			c.prepare(w)
			w.leave("B")
			w.want(published.EventRetry, "MERGE") // line 2
			if len(w.InFlight) != 0 || w.node("B").Self.Instance != published.FirstInstance {
				t.Fatal("the request was not rejected")
			}
		})
	}
}

func TestRejectionReachesTheJoiner(t *testing.T) {
	w := line(t, fixed, 1, 10)
	w.edit("B", func(s *published.State) { s.Nodes[0].Status = published.Busy })
	c := w.join(14, "A")
	w.drain()
	w.want(published.EventRetry, "SPLIT")
	w.edit("B", func(s *published.State) { s.Nodes[0].Status = published.Stable })
	w.fire(c, published.RetryTimer, "") // the entire join process: by way of A again
	w.deliver(c, "A", published.Join{})
	w.drain()
	w.wantZone(c, 12, 16)
	if !w.knows("A", c) || w.node("A").Busy() || w.node("B").Busy() {
		t.Fatal("the split is not complete")
	}
}

// Propose

func TestAlgorithm5(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(w *network)
		yes     bool
	}{
		{"quiescent", func(*network) {}, true},
		{"itself BUSY", edit("A", func(s *published.State) { s.Self.Status = published.Busy }), false},
		{"another BUSY", edit("A", func(s *published.State) { s.Nodes[1].Status = published.Busy }), false},
		{"takeover failed", edit("A", func(s *published.State) { s.Nodes = s.Nodes[1:] }), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(t, fixed, 1, 10, 14)
			c.prepare(w)
			w.give("B", "A", published.Propose{Instance: 7})
			want := published.ProposeOK{Yes: c.yes, Instance: 7} // lines 1 to 5 and 8
			if got := w.take("A", "B", want); got != want {
				t.Errorf("A answers %v", got)
			}
			e := w.entry("A", "B") // lines 6 and 7, after a NO as well
			if e.Status != published.Busy || e.Instance != 7 {
				t.Errorf("A keeps %v %v about B", e.Status, e.Instance)
			}
		})
	}
}

// Section 6.1 discards information of an older instance, that of a late Propose too.
func TestAlgorithm5OlderInstance(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		for _, numbers := range []bool{true, false} {
			w := line(t, r, 1, 10)
			w.core.Config.InstanceNumbers = numbers
			w.edit("A", func(s *published.State) { s.Nodes[0].Instance = 3 })
			w.give("B", "A", published.Propose{Instance: 2})
			if busy := w.entry("A", "B").Status == published.Busy; busy == numbers {
				t.Errorf("section 6.1 on: %v, but A takes the older proposal: %v", numbers, busy)
			}
			want := uint32(2)
			if numbers {
				want = 3
			}
			if got := w.entry("A", "B").Instance; got != want {
				t.Errorf("A keeps instance %d", got)
			}
		}
	})
}

func TestAlgorithm5AnyQ(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 10)
		w.give("B", "A", published.Propose{Instance: 2})
		w.give("B", "A", published.Propose{Instance: 3})
		w.take("A", "B", published.ProposeOK{})
		want := published.ProposeOK{Yes: r.ExceptProposer, Instance: 3}
		if got := w.take("A", "B", want); got != want {
			t.Errorf("A answers %v", got)
		}
	})
}

// ProposeOK and ProposeTimeout

func TestAlgorithms6And7(t *testing.T) {
	yes, no := published.ProposeOK{Yes: true, Instance: 2}, published.ProposeOK{Instance: 2}
	old := published.ProposeOK{Yes: true, Instance: 1}
	const open = "open"
	for _, c := range []struct {
		name string
		a, c any // an answer, or nil for a timeout
		want string
	}{
		{"all YES", yes, yes, "MERGE"},       // Algorithm 6, lines 3 and 4
		{"one NO, last", yes, no, "NO-OP"},   // Algorithm 6, lines 5 to 7
		{"one NO, first", no, yes, "NO-OP"},  // not before all have answered
		{"timeout, last", yes, nil, "NO-OP"}, // Algorithm 7, lines 2 to 4
		{"timeout, first", nil, yes, "NO-OP"},
		{"two timeouts", nil, nil, "NO-OP"},
		{"another instance", yes, old, open}, // Algorithm 6, line 1
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(t, fixed, 1, 10, 14)
			w.leave("B")
			w.InFlight = nil
			for i, answer := range []any{c.a, c.c} {
				from := []string{"A", "C"}[i]
				if answer == nil {
					w.fire("B", published.ProposeTimer, from)
				} else {
					w.give(from, "B", answer.(published.ProposeOK))
				}
				if i == 0 && len(w.InFlight) != 0 {
					t.Fatal("decided on a single answer")
				}
			}
			if c.want == open {
				if len(w.InFlight) != 0 || !w.node("B").Busy() {
					t.Fatal("the round is over")
				}
				return
			}
			w.want(published.EventDecide, c.want)
			for _, r := range []string{"A", "C"} {
				m := w.take("B", r, published.Commit{}).(published.Commit)
				if m.Gamma.Kind.String() != c.want || m.Instance != 2 {
					t.Errorf("%s gets %v", r, m)
				}
			}
			if w.node("B").Self.Status != published.Stable { // Algorithm 8, line 1
				t.Error("B is not STABLE")
			}
		})
	}
}

// CommitPhase and Commit

func TestAlgorithm8And9Split(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 10)
		c := w.join(14, "B")
		w.drain()
		w.wantZone("B", 6, 12)
		w.wantZone(c, 12, 16)
		if e := w.entry("A", "B"); e.Status != published.Stable || e.Zone != w.node("B").Zone() {
			t.Errorf("A keeps %v %v about B", e.Status, e.Zone)
		}
		if e := w.entry("A", c); e.Zone != w.node(c).Zone() || e.Instance != published.FirstInstance {
			t.Errorf("A keeps %v about the joiner", e)
		}
		want := uint32(2)
		if r.InstancePerChange {
			want = 3
		}
		if w.node("B").Self.Instance != want || w.entry(c, "B").Instance != want {
			t.Errorf("B's instance number is %d, not %d", w.node("B").Self.Instance, want)
		}
		if w.entry("A", "B").Instance != 2 {
			t.Error("a replica counts what only B itself counts")
		}
		if w.entry(c, "A").Zone != w.node("A").Zone() {
			t.Error("the joiner does not know A")
		}
	})
}

// A receives the joiner's address in its first proposal, and only then by the Commit of the split.
func TestJoinerProposesEarly(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 10)
		c := w.join(14, "B")
		w.deliver(c, "B", published.Join{})
		w.deliver("B", "A", published.Propose{})
		w.deliver("A", "B", published.ProposeOK{})
		w.deliver("B", c, published.Handover{})
		w.leave(c)
		w.deliver(c, "A", published.Propose{})
		w.want(published.EventRefuse, "busy")
		if e := w.entry("A", c); !e.Zone.Empty() || e.Status != published.Busy || e.Instance != 2 {
			t.Fatalf("A keeps %v about a stranger", e)
		}
		w.deliver("B", "A", published.Commit{})
		if e := w.entry("A", c); e.Zone != w.node(c).Zone() || e.Status != published.Busy || e.Instance != 2 {
			t.Fatalf("A keeps %v about the joiner", e)
		}
	})
}

func TestAlgorithm9Merge(t *testing.T) {
	for _, r := range []published.Readings{fixed, {InstancePerChange: true}} {
		w := line(t, r, 1, 10, 14)
		w.leave("C")
		w.drain()
		w.wantZone("B", 6, 16)
		if w.node("C").Phase != published.Departed || w.knows("A", "C") || w.knows("B", "C") {
			t.Fatal("C is not gone")
		}
		e := w.entry("A", "B")
		if e.Zone != w.node("B").Zone() || e.Instance != w.node("B").Self.Instance {
			t.Errorf("A keeps %v about B", e)
		}
		if grown := w.node("B").Self.Instance > published.FirstInstance; grown != r.InstancePerChange {
			t.Errorf("%v: B's instance number is %d", r, w.node("B").Self.Instance)
		}
		if n := len(w.node("B").Self.Splits); n != 1 {
			t.Errorf("B's split list has %d entries after the opposing face is deleted", n)
		}
	}
}

// Failures and updates

func TestFailure(t *testing.T) {
	w := line(t, fixed, 1, 10, 14)
	w.give("C", "B", published.Propose{Instance: 2})
	w.InFlight = nil
	w.fire("B", published.MissedTimer, "C")
	w.want(published.EventTakeover, "")
	w.wantZone("B", 6, 16)
	if w.node("B").Busy() {
		t.Fatal("the outstanding command of a failed node is still there")
	}
	if w.node("B").Self.Instance != published.FirstInstance+1 {
		t.Fatal("a takeover does not count as an instance")
	}
	w.deliver("B", "A", published.Update{})
	if w.entry("A", "B").Zone != w.node("B").Zone() {
		t.Fatal("A was not notified")
	}
}

func TestFailureOfTheTaker(t *testing.T) {
	w := row(t, fixed)
	w.fire("C", published.MissedTimer, "B")
	w.wantZone("C", 8, 12) // A takes over, not C
	w.give("D", "C", published.Propose{Instance: 2})
	w.want(published.EventPromise, "") // C's own taker is D
	w = row(t, fixed)
	w.edit("B", func(s *published.State) { s.Self.Splits = nil }) // as if no node took over
	w.fire("B", published.MissedTimer, "C")
	w.give("A", "B", published.Propose{Instance: 2})
	w.want(published.EventPromise, "")
}

func TestNewInstanceRemovesTheCommand(t *testing.T) {
	w := line(t, fixed, 1, 10)
	w.give("B", "A", published.Propose{Instance: 2})
	record := w.node("B").Self.Record
	for _, c := range []struct {
		instance uint32
		want     published.Status
	}{{1, published.Busy}, {2, published.Busy}, {3, published.Stable}} {
		record.Instance = c.instance
		w.give("B", "A", published.Update{Self: record})
		if got := w.entry("A", "B").Status; got != c.want {
			t.Errorf("after an update of instance %d: %v", c.instance, got)
		}
	}
}

func TestUpdatesOfIndirectNeighbours(t *testing.T) {
	w := line(t, fixed, 1, 10, 14)
	update := published.Update{Self: w.node("B").Self.Record, Neighbours: []published.Record{w.node("A").Self.Record}}
	w.give("B", "A", update)
	if w.knows("A", "C") {
		t.Fatal("B does not list C any more")
	}
	update.Neighbours = append(update.Neighbours, w.node("C").Self.Record)
	w.give("B", "A", update)
	if !w.knows("A", "C") {
		t.Fatal("B lists C again")
	}
}

func TestTimersAreNumberedAsInCan(t *testing.T) {
	if published.RetryTimer != can.RetryTimer || published.ProposeTimer != can.ProposeTimer ||
		published.UpdateTimer != can.UpdateTimer || published.MissedTimer != can.MissedTimer {
		t.Fatal("one set of due rules does not serve both cores")
	}
}

func TestFounders(t *testing.T) {
	sp, err := space.New(0, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	w := found(t, sp, fixed, space.Point{1, 1}, space.Point{6, 1}, space.Point{6, 6}, space.Point{1, 6})
	var all []space.Zone
	for _, p := range w.Nodes {
		s := p.State()
		all = append(all, s.Zone())
		if n := len(s.Known()); n != 3 {
			t.Errorf("%v knows %d nodes", s.ID(), n)
		}
		if !s.Zone().Contains(s.Coord()) {
			t.Errorf("%v is not in its zone", s.ID())
		}
	}
	if !space.Covered(sp.Whole(), all) || w.overlap() {
		t.Fatal("the zones are no partition")
	}
	if n := len(w.node("A").Direct()); n != 2 {
		t.Errorf("A has %d direct neighbours", n)
	}
}

func TestConfigValidate(t *testing.T) {
	sp, err := space.New(0, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i, spoil := range []func(*published.Config){
		func(c *published.Config) { c.Space = space.Space{} },
		func(c *published.Config) { c.ProposeTicks = 0 },
		func(c *published.Config) { c.RetryMinTicks = c.RetryMaxTicks + 1 },
		func(c *published.Config) { c.HopLimit = 0 },
		func(c *published.Config) { c.DepartedLimit = 0 },
	} {
		c := published.DefaultConfig(sp)
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		if spoil(&c); c.Validate() == nil {
			t.Errorf("case %d passes", i)
		}
	}
}
