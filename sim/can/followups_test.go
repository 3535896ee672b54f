package can

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

func TestFollowUpsArePacked(t *testing.T) {
	s := followUp{trigger: 3, target: 250, effect: thenDeaf, after: 7 * second}
	assert.Equal(t, s, unpack(s.pack()))
}

// on waits for a kind of event.
func on(cause string, what, whom uint8, after int64) sim.Op {
	return sim.Op{
		Do:  opSequel,
		Arg: followUp{trigger: uint8(slices.Index(triggers, cause)), effect: what, target: whom, after: after}.pack(),
	}
}

// played runs a map of four members that a fifth node joins after five seconds.
func played(t *testing.T, ops ...sim.Op) *sim.Result {
	w := Scenarios()[1]
	p := &sim.Plan{
		Scenario: w.Name, Nodes: 5, Founders: 4, Latency: "constant 50000", UntilMicros: 20 * second,
		SettleMicros: 60 * second,
		Ops:          append(ops, sim.Op{AtMicros: 5 * second, Do: opJoin, Node: 4}),
	}
	r, err := w.Run(p, sim.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, sim.Holds, r.Verdict, r.Where)
	return r
}

// A follow-up waits for its trigger, and for the follow-ups before it.
func TestFollowUps(t *testing.T) {
	assert.Zero(t, played(t).Stats.Crashes)
	assert.Equal(t, uint64(1), played(t, on(can.EventDecide, thenFails, 0, 0)).Stats.Crashes)
	assert.Equal(t, uint64(1), played(t, on(can.EventRequest, thenFails, 2, second)).Stats.Crashes)
	assert.Equal(t, 1, played(t, on(can.EventExecute, thenLeaves, 0, second)).Counts["left"])
	assert.Zero(
		t,
		played(t, on(can.EventFailed, thenFails, 0, 0), on(can.EventDecide, thenFails, 0, 0)).Stats.Crashes,
		"no failure is detected",
	)
	deaf := played(t, on(can.EventRequest, thenDeaf, 255, second))
	assert.Positive(t, deaf.Stats.Cut)
	assert.Equal(t, 1, deaf.Counts["joined"], "all hear again after a while")
	both := played(t, on(can.EventRequest, thenDeaf, 255, second), on(can.EventDecide, thenFails, 0, 0))
	assert.Equal(t, uint64(1), both.Stats.Crashes, "the second has its turn")
}

// Of two neighbours that are to fail, the second waits until the first failure is overcome, and
// then it fails.
func TestFailureWaitsUntilAllowed(t *testing.T) {
	fall := func(do string) *sim.Result {
		return played(t, sim.Op{AtMicros: 5 * second, Do: do, Node: 0}, sim.Op{AtMicros: 5*second + 1, Do: do, Node: 1})
	}
	assert.Equal(t, uint64(1), fall(opCrash).Stats.Crashes)
	assert.Equal(t, uint64(2), fall(opFall).Stats.Crashes)
}

// If failures count as overcome as soon as the map is whole, the second of two comes earlier in
// some runs, and never at once.
func TestSomeFailuresAreAllowedSooner(t *testing.T) {
	w := Scenarios()[slices.IndexFunc(Scenarios(), func(w *sim.Scenario) bool { return w.Name == "can/losses" })]
	earlier := 0
	for seed := range uint64(60) {
		run := func(g Guard) *sim.Result {
			r, err := newRun(w.Draw(seed), sim.RunOptions{}, g, drawnSpace(2))
			require.NoError(t, err)
			result, err := r.finish()
			require.NoError(t, err)
			require.Equal(t, sim.Holds, result.Verdict, "seed %d: %s", seed, result.Where)
			return result
		}
		if run(Guard{Apart: 1, Stay: 2}).Digest != run(Guard{Apart: 1, Stay: 2, Soon: true}).Digest {
			earlier++
		}
	}
	assert.Positive(t, earlier)
	assert.Less(t, earlier, 60)
}
