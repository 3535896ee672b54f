package can_test

import (
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// everyReading runs a test under all interpretations of the text.
func everyReading(t *testing.T, test func(t *testing.T, r published.Readings)) {
	eachReading(t, func(published.Readings) bool { return true }, test)
}

// eachReading runs a test under all interpretations of the text that satisfy a condition.
func eachReading(t *testing.T, when func(published.Readings) bool, test func(t *testing.T, r published.Readings)) {
	for _, r := range published.EveryReading() {
		if when(r) {
			t.Run(r.String(), func(t *testing.T) { test(t, r) })
		}
	}
}

// notifies selects the interpretations under which a MERGE notifies any node: see
// TestLeaveIsNotAnnounced.
func notifies(r published.Readings) bool { return !r.CurrentNeighbourhood }

// growing selects the interpretations under which N_L may gain nodes that were never asked.
func growing(r published.Readings) bool { return r.CurrentNeighbourhood }

func TestLateYes(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 10)
		w.leave("B")
		w.deliver("B", "A", published.Propose{})
		w.fire("B", published.ProposeTimer, "A")
		w.want(published.EventDecide, "NO-OP")
		w.deliver("A", "B", published.ProposeOK{})
		if r.CancelClears {
			w.want(published.EventDecide, "NO-OP")
			return
		}
		w.want(published.EventDecide, "MERGE")
		if w.node("B").IsMember() {
			t.Fatal("B's cancelled leave was not executed")
		}
	})
}

func TestOvertaken(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 10)
		w.leave("B")
		w.fire("B", published.ProposeTimer, "A")
		w.deliver("B", "A", published.Commit{})
		w.want(published.EventIgnore, "commit of another instance")
		w.deliver("B", "A", published.Propose{})
		w.take("A", "B", published.ProposeOK{})
		for range 3 {
			w.fire("B", published.UpdateTimer, "")
			w.drain()
		}
		if w.entry("A", "B").Status != published.Busy {
			t.Fatal("A got rid of B's command")
		}
		w.leave("A")
		w.want(published.EventRetry, "MERGE")
	})
}

// B splits for C and wants to leave before A has the Commit of the split.
func TestTwoRounds(t *testing.T) {
	eachReading(t, notifies, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 9)
		c := w.join(14, "B")
		w.deliver(c, "B", published.Join{})
		w.deliver("B", "A", published.Propose{})
		w.deliver("A", "B", published.ProposeOK{})
		w.deliver("B", c, published.Handover{})
		split := w.take("B", "A", published.Commit{})
		w.leave("B")
		w.deliver("B", "A", published.Propose{})
		w.give("B", "A", split)
		w.want(published.EventIgnore, "commit of another instance")
		w.drain()
		if w.node("B").IsMember() { // A said NO, and now that B's second round is over says YES
			w.fire("B", published.RetryTimer, "")
			w.drain()
		}
		w.wantZone(c, 5, 16)
		if !w.overlap() {
			t.Fatal("A did not take over for a B that had split")
		}
	})
}

func TestLeaveIsNotAnnounced(t *testing.T) {
	w := line(t, published.Readings{CurrentNeighbourhood: true}, 1, 10)
	w.leave("B")
	w.drain()
	if w.node("B").IsMember() || w.entry("A", "B").Status != published.Busy {
		t.Fatal("B has not left, or A was notified")
	}
	w.wantZone("A", 0, 6)
	w.fire("A", published.MissedTimer, "B") // which makes a leave no better than a crash
	w.wantZone("A", 0, 16)
}

func TestAloneForever(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1)
		b := w.join(9, "A")
		w.deliver(b, "A", published.Join{})
		w.drain()
		if r.AloneCommits {
			w.wantZone(b, 5, 16)
			return
		}
		w.fire(b, published.RetryTimer, "")
		w.deliver(b, "A", published.Join{})
		w.want(published.EventRetry, "SPLIT")
		if !w.node("A").Busy() || len(w.node("A").Participants()) != 0 {
			t.Fatal("A's request is not open with no node left to answer")
		}
	})
}

// Figure 6.3 with A, B, and C for B'.
func TestZombie(t *testing.T) {
	for _, numbers := range []bool{false, true} {
		w := line(t, published.Readings{}, 1, 9)
		w.core.Config.InstanceNumbers = numbers
		w.fire("B", published.UpdateTimer, "")
		stale := w.take("B", "A", published.Update{})
		c := w.join(14, "B")
		w.drain()
		w.leave("B")
		w.drain()
		w.wantZone(c, 5, 16)
		w.give("B", "A", stale)
		if w.knows("A", "B") == numbers {
			t.Fatalf("section 6.1 on: %v, but the zombie is back: %v", numbers, !numbers)
		}
		if numbers {
			continue
		}
		w.fire("A", published.MissedTimer, "B")
		w.wantZone("A", 0, 16)
		if !w.overlap() {
			t.Fatal("no overlap")
		}
	}
}

// The two leaves of figure 6.4, one after the other. That A's neighbour C has a neighbour D, A
// would learn from C's next update, which the second leave does not wait for.
func TestFigure64(t *testing.T) {
	eachReading(t, notifies, func(t *testing.T, r published.Readings) {
		for _, updated := range []bool{false, true} {
			w := row(t, r)
			w.leave("B")
			w.leave("C")
			w.drain()
			if !w.node("B").IsMember() || !w.node("C").IsMember() || w.node("B").Busy() || w.node("C").Busy() {
				t.Fatal("not both cancelled")
			}
			w.fire("B", published.RetryTimer, "")
			w.drain()
			if updated {
				w.fire("C", published.UpdateTimer, "")
				w.drain()
			}
			w.fire("C", published.RetryTimer, "")
			w.drain()
			w.wantZone("A", 0, 8)
			w.wantZone("D", 8, 16)
			if w.knows("A", "D") != updated || w.knows("D", "A") != updated {
				t.Fatalf("C sent an update: %v, but A and D know each other: %v", updated, !updated)
			}
		}
	})
}

// A owns 0 to 1, D 2 to 3, C 4 to 7 and B the rest. C leaves to D and D to A, whose most recent
// split is then the one from C, in the middle of its zone.
func TestLostFace(t *testing.T) {
	eachReading(t, notifies, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 14, 6, 2)
		for _, name := range []string{"C", "D"} {
			w.leave(name)
			w.drain()
		}
		w.wantZone("A", 0, 8)
		w.leave("A")
		w.drain()
		w.wantZone("B", 8, 16) // no node took the rest
	})
}

// A takes over for B and wants to leave before an update reported that D is now its neighbour's
// neighbour.
func TestNeverAsked(t *testing.T) {
	eachReading(t, growing, func(t *testing.T, r published.Readings) {
		w := row(t, r)
		w.leave("B")
		w.drain()
		w.fire("A", published.MissedTimer, "B")
		w.fire("C", published.MissedTimer, "B")
		w.drain()
		w.wantZone("A", 0, 8)
		w.leave("A")
		w.deliver("A", "C", published.Propose{})
		w.fire("C", published.UpdateTimer, "")
		w.deliver("C", "A", published.Update{})
		w.deliver("C", "A", published.ProposeOK{})
		w.drain()
		for _, timer := range w.node("A").Timers() {
			if timer.Kind == published.ProposeTimer || timer.Kind == published.RetryTimer {
				t.Fatalf("A still waits for %s", w.core.TimerText(timer))
			}
		}
		if w.node("A").Self.Status != published.Busy {
			t.Fatal("A's round is over")
		}
	})
}

func TestUpdateFirst(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 9)
		c := w.join(14, "B")
		w.deliver(c, "B", published.Join{})
		w.deliver("B", "A", published.Propose{})
		w.deliver("A", "B", published.ProposeOK{})
		w.fire("B", published.UpdateTimer, "")
		w.deliver("B", "A", published.Update{})
		if !w.knows("A", c) {
			t.Fatal("the update did not give A the joiner")
		}
		w.deliver("B", "A", published.Commit{})
		if r.InstancePerChange {
			w.want(published.EventIgnore, "commit of another instance")
			return
		}
		if w.knows("A", c) {
			t.Fatal("A still knows the joiner")
		}
		if got := len(w.entry("A", "B").Splits); got != 3 {
			t.Fatalf("B's split list has %d entries in A's view, want the last one twice", got)
		}
	})
}

func TestAnsweredTwice(t *testing.T) {
	everyReading(t, func(t *testing.T, r published.Readings) {
		w := line(t, r, 1, 9)
		c := w.join(14, "B")
		w.deliver(c, "B", published.Join{})
		w.deliver("B", "A", published.Propose{})
		yes := w.take("A", "B", published.ProposeOK{})
		w.give("A", "B", yes)
		w.give("A", "B", yes)
		if r.InstancePerChange {
			w.want(published.EventIgnore, "answer to another instance")
			return
		}
		if r.CurrentNeighbourhood { // then C's reply is UNDEF, and the round never ends
			if len(w.events) != 0 {
				t.Fatalf("unexpected %v", w.events)
			}
			return
		}
		w.want(published.EventDecide, "SPLIT")
		if w.knows("B", c) {
			t.Fatal("B knows the joiner, to which it gave half of nothing")
		}
	})
}

// A and B lie side by side, and both split while neither is notified of the other's split. The new
// zones touch. "Certain local topologies may prevent the new zones from discovering one another":
// without section 6.2 no update brings them together, and with it the second split waits.
func TestUndetectedSplits(t *testing.T) {
	sp, err := space.New(0, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	everyReading(t, func(t *testing.T, r published.Readings) {
		for _, undetected := range []bool{true, false} {
			w := found(t, sp, r, space.Point{1, 1}, space.Point{6, 1})
			w.core.Config.NoDetection = undetected
			for i, coord := range []space.Point{{1, 6}, {6, 6}} {
				p := w.Add(published.New(protocol.Address(len(w.Nodes)), coord))
				w.Start(p)
				w.Command(p, published.Command{Kind: published.CommandJoin, Contact: named([]string{"A", "B"}[i])})
			}
			w.deliver("C", "A", published.Join{})
			w.deliver("D", "B", published.Join{})
			w.drain()
			if !undetected {
				if w.node("C").IsMember() || w.node("D").IsMember() {
					t.Fatal("two splits side by side are not in conflict")
				}
				continue
			}
			for range 3 {
				for _, name := range []string{"A", "B", "C", "D"} {
					w.fire(name, published.UpdateTimer, "")
					w.drain()
				}
			}
			if _, touch := w.node("C").Zone().Abuts(w.node("D").Zone()); !touch {
				t.Fatal("the new zones do not touch")
			}
			if w.knows("C", "D") || w.knows("D", "C") {
				t.Fatal("updates brought the new zones together")
			}
		}
	})
}

// Two takers in the plane, as in figure 6.2.
func TestTwoTakers(t *testing.T) {
	sp, err := space.New(0, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	w := found(t, sp, fixed, space.Point{1, 1}, space.Point{6, 1}, space.Point{6, 6})
	w.leave("A")
	w.want(published.EventRequest, "MERGE")
	w.drain()
	whole := space.Covered(sp.Whole(), []space.Zone{w.node("B").Zone(), w.node("C").Zone()})
	if !whole || w.overlap() || w.node("A").IsMember() {
		t.Fatalf("B %v and C %v do not share A's zone", w.node("B").Zone(), w.node("C").Zone())
	}
}
