package can_test

import (
	"slices"
	"testing"

	printed "github.com/canvass-grid/canvass/model/asprinted/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

var fixed = printed.Readings{FixedNeighbourhood: true}

// Request

func TestAlgorithm4Accepts(t *testing.T) {
	w := line(t, fixed, 1, 10, 14)
	w.leave("B")
	b := w.node("B")
	switch {
	case b.Gamma.Kind != printed.Merge: // line 4
		t.Error("γ is not stored")
	case b.Self.Status != printed.Busy: // line 5
		t.Error("B is not BUSY")
	case b.Self.Instance != printed.FirstInstance+1: // line 6
		t.Error("the instance number did not grow by one")
	}
	want := []printed.Reply{
		{From: named("A"), Answer: printed.Undef}, // line 9
		{From: named("B"), Answer: printed.Yes},   // line 7
		{From: named("C"), Answer: printed.Undef},
	}
	if !slices.Equal(b.Replies, want) {
		t.Errorf("replies are %v", b.Replies)
	}
	for _, r := range []string{"A", "C"} { // line 10
		if m := w.take("B", r, printed.Propose{}); m != (printed.Propose{Instance: 2}) {
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
		prepare func(w *globalState)
	}{
		{"itself BUSY", func(w *globalState) { w.node("B").Self.Status = printed.Busy }},
		{"neighbour BUSY", func(w *globalState) { w.node("B").Nodes[1].Status = printed.Busy }},
		{"discontinuity", func(w *globalState) { w.node("B").Nodes = w.node("B").Nodes[1:] }},
		{"overlap", func(w *globalState) { w.node("B").Nodes[1].Zone.Low[0]-- }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(t, fixed, 1, 10, 14)
			c.prepare(w)
			w.leave("B")
			w.want(printed.EventRetry, "MERGE") // line 2
			if len(w.net) != 0 || w.node("B").Self.Instance != printed.FirstInstance {
				t.Fatal("the request was not rejected")
			}
		})
	}
}

func TestRejectionReachesTheJoiner(t *testing.T) {
	w := line(t, fixed, 1, 10)
	w.node("B").Nodes[0].Status = printed.Busy
	c := w.join(14, "A")
	w.calm()
	w.want(printed.EventRetry, "SPLIT")
	w.node("B").Nodes[0].Status = printed.Stable
	w.fire(c, printed.RetryTimer, "") // the entire join process: by way of A again
	w.deliver(c, "A", printed.Join{})
	w.calm()
	w.wantZone(c, 12, 16)
	if !w.knows("A", c) || w.node("A").Busy() || w.node("B").Busy() {
		t.Fatal("the split is not complete")
	}
}

// Propose

func TestAlgorithm5(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(w *globalState)
		yes     bool
	}{
		{"quiescent", func(*globalState) {}, true},
		{"itself BUSY", func(w *globalState) { w.node("A").Self.Status = printed.Busy }, false},
		{"another BUSY", func(w *globalState) { w.node("A").Nodes[1].Status = printed.Busy }, false},
		{"takeover failed", func(w *globalState) { w.node("A").Nodes = w.node("A").Nodes[1:] }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(t, fixed, 1, 10, 14)
			c.prepare(w)
			w.give("B", "A", printed.Propose{Instance: 7})
			want := printed.ProposeOK{Yes: c.yes, Instance: 7} // lines 1 to 5 and 8
			if got := w.take("A", "B", want); got != want {
				t.Errorf("A answers %v", got)
			}
			e := w.entry("A", "B") // lines 6 and 7, after a NO as well
			if e.Status != printed.Busy || e.Instance != 7 {
				t.Errorf("A keeps %v %v about B", e.Status, e.Instance)
			}
		})
	}
}

func TestAlgorithm5AnyQ(t *testing.T) {
	everyReading(t, func(t *testing.T, r printed.Readings) {
		w := line(t, r, 1, 10)
		w.give("B", "A", printed.Propose{Instance: 2})
		w.give("B", "A", printed.Propose{Instance: 3})
		w.take("A", "B", printed.ProposeOK{})
		want := printed.ProposeOK{Yes: r.ExceptProposer, Instance: 3}
		if got := w.take("A", "B", want); got != want {
			t.Errorf("A answers %v", got)
		}
	})
}

// ProposeOK and ProposeTimeout

func TestAlgorithms6And7(t *testing.T) {
	yes, no := printed.ProposeOK{Yes: true, Instance: 2}, printed.ProposeOK{Instance: 2}
	old := printed.ProposeOK{Yes: true, Instance: 1}
	const open = "open"
	for _, c := range []struct {
		name string
		a, c any // an answer, or nil for a time-out
		want string
	}{
		{"all YES", yes, yes, "MERGE"},        // Algorithm 6, lines 3 and 4
		{"one NO, last", yes, no, "NO-OP"},    // Algorithm 6, lines 5 to 7
		{"one NO, first", no, yes, "NO-OP"},   // not before all have answered
		{"time-out, last", yes, nil, "NO-OP"}, // Algorithm 7, lines 2 to 4
		{"time-out, first", nil, yes, "NO-OP"},
		{"two time-outs", nil, nil, "NO-OP"},
		{"another instance", yes, old, open}, // Algorithm 6, line 1
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(t, fixed, 1, 10, 14)
			w.leave("B")
			w.net = nil
			for i, answer := range []any{c.a, c.c} {
				from := []string{"A", "C"}[i]
				if answer == nil {
					w.fire("B", printed.ProposeTimer, from)
				} else {
					w.give(from, "B", answer.(printed.ProposeOK))
				}
				if i == 0 && len(w.net) != 0 {
					t.Fatal("decided on a single answer")
				}
			}
			if c.want == open {
				if len(w.net) != 0 || !w.node("B").Busy() {
					t.Fatal("the round is over")
				}
				return
			}
			w.want(printed.EventDecide, c.want)
			for _, r := range []string{"A", "C"} {
				m := w.take("B", r, printed.Commit{}).(printed.Commit)
				if m.Gamma.Kind.String() != c.want || m.Instance != 2 {
					t.Errorf("%s gets %v", r, m)
				}
			}
			if w.node("B").Self.Status != printed.Stable { // Algorithm 8, line 1
				t.Error("B is not STABLE")
			}
		})
	}
}

// CommitPhase and Commit

func TestAlgorithm8And9Split(t *testing.T) {
	everyReading(t, func(t *testing.T, r printed.Readings) {
		w := line(t, r, 1, 10)
		c := w.join(14, "B")
		w.calm()
		w.wantZone("B", 6, 12)
		w.wantZone(c, 12, 16)
		if e := w.entry("A", "B"); e.Status != printed.Stable || e.Zone != w.node("B").Zone() {
			t.Errorf("A keeps %v %v about B", e.Status, e.Zone)
		}
		if e := w.entry("A", c); e.Zone != w.node(c).Zone() || e.Instance != printed.FirstInstance {
			t.Errorf("A keeps %v about the joiner", e)
		}
		want := uint32(2)
		if r.InstancePerChange {
			want = 3
		}
		if w.node("B").Self.Instance != want || w.entry("A", "B").Instance != want || w.entry(c, "B").Instance != want {
			t.Errorf("B's instance number is %d, not %d", w.node("B").Self.Instance, want)
		}
		if w.entry(c, "A").Zone != w.node("A").Zone() {
			t.Error("the joiner does not know A")
		}
	})
}

// A hears of the joiner by its first proposal, and only then by the Commit of the split.
func TestJoinerProposesEarly(t *testing.T) {
	everyReading(t, func(t *testing.T, r printed.Readings) {
		w := line(t, r, 1, 10)
		c := w.join(14, "B")
		w.deliver(c, "B", printed.Join{})
		w.deliver("B", "A", printed.Propose{})
		w.deliver("A", "B", printed.ProposeOK{})
		w.deliver("B", c, printed.Handover{})
		w.leave(c)
		w.deliver(c, "A", printed.Propose{})
		w.want(printed.EventRefuse, "busy")
		if e := w.entry("A", c); !e.Zone.Empty() || e.Status != printed.Busy || e.Instance != 2 {
			t.Fatalf("A keeps %v about a stranger", e)
		}
		w.deliver("B", "A", printed.Commit{})
		if e := w.entry("A", c); e.Zone != w.node(c).Zone() || e.Status != printed.Busy || e.Instance != 2 {
			t.Fatalf("A keeps %v about the joiner", e)
		}
	})
}

func TestAlgorithm9Merge(t *testing.T) {
	for _, r := range []printed.Readings{fixed, {FixedNeighbourhood: true, InstancePerChange: true}} {
		w := line(t, r, 1, 10, 14)
		w.leave("C")
		w.calm()
		w.wantZone("B", 6, 16)
		if w.node("C").Phase != printed.Departed || w.knows("A", "C") || w.knows("B", "C") {
			t.Fatal("C is not gone")
		}
		e := w.entry("A", "B")
		if e.Zone != w.node("B").Zone() || e.Instance != w.node("B").Self.Instance {
			t.Errorf("A keeps %v about B", e)
		}
		if grown := w.node("B").Self.Instance > printed.FirstInstance; grown != r.InstancePerChange {
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
	w.give("C", "B", printed.Propose{Instance: 2})
	w.net = nil
	w.fire("B", printed.MissedTimer, "C")
	w.want(printed.EventTakeover, "")
	w.wantZone("B", 6, 16)
	if w.node("B").Busy() {
		t.Fatal("the outstanding command of a failed node is still there")
	}
	if w.node("B").Self.Instance != printed.FirstInstance+1 {
		t.Fatal("a takeover does not count as an instance")
	}
	w.deliver("B", "A", printed.Update{})
	if w.entry("A", "B").Zone != w.node("B").Zone() {
		t.Fatal("A was not notified")
	}
}

func TestFailureOfTheTaker(t *testing.T) {
	w := row(t, fixed)
	w.fire("C", printed.MissedTimer, "B")
	w.wantZone("C", 8, 12) // A takes over, not C
	w.give("D", "C", printed.Propose{Instance: 2})
	w.want(printed.EventPromise, "") // C's own taker is D
	w = row(t, fixed)
	w.node("B").Self.Splits = nil // as if nobody were to take over
	w.fire("B", printed.MissedTimer, "C")
	w.give("A", "B", printed.Propose{Instance: 2})
	w.want(printed.EventPromise, "")
}

func TestNewInstanceRemovesTheCommand(t *testing.T) {
	w := line(t, fixed, 1, 10)
	w.give("B", "A", printed.Propose{Instance: 2})
	record := w.node("B").Self.Record
	for _, c := range []struct {
		instance uint32
		want     printed.Status
	}{{1, printed.Busy}, {2, printed.Busy}, {3, printed.Stable}} {
		record.Instance = c.instance
		w.give("B", "A", printed.Update{Self: record})
		if got := w.entry("A", "B").Status; got != c.want {
			t.Errorf("after an update of instance %d: %v", c.instance, got)
		}
	}
}

func TestUpdatesOfIndirectNeighbours(t *testing.T) {
	w := line(t, fixed, 1, 10, 14)
	update := printed.Update{Self: w.node("B").Self.Record, Neighbours: []printed.Record{w.node("A").Self.Record}}
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
	if printed.RetryTimer != can.RetryTimer || printed.ProposeTimer != can.ProposeTimer ||
		printed.UpdateTimer != can.UpdateTimer || printed.MissedTimer != can.MissedTimer {
		t.Fatal("one set of due rules does not serve both cores")
	}
}

func TestFounders(t *testing.T) {
	sp, err := space.New(false, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	w := found(t, sp, fixed, space.Point{1, 1}, space.Point{6, 1}, space.Point{6, 6}, space.Point{1, 6})
	var all []space.Zone
	for i := range w.nodes {
		all = append(all, w.nodes[i].Zone())
		if n := len(w.nodes[i].Known()); n != 3 {
			t.Errorf("%v knows %d nodes", w.nodes[i].ID(), n)
		}
		if !w.nodes[i].Zone().Contains(w.nodes[i].Coord()) {
			t.Errorf("%v is not in its zone", w.nodes[i].ID())
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
	sp, err := space.New(false, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i, spoil := range []func(*printed.Config){
		func(c *printed.Config) { c.Space = space.Space{} },
		func(c *printed.Config) { c.ProposeTicks = 0 },
		func(c *printed.Config) { c.RetryMinTicks = c.RetryMaxTicks + 1 },
		func(c *printed.Config) { c.HopLimit = 0 },
		func(c *printed.Config) { c.DepartedLimit = 0 },
	} {
		c := printed.DefaultConfig(sp)
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		if spoil(&c); c.Validate() == nil {
			t.Errorf("case %d passes", i)
		}
	}
}
