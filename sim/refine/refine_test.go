package refine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	wanted := map[string][]string{
		"refine/bursts": {
			refine.EventCommitted, refine.EventReleased, refine.EventRemoved, refine.EventDeny, refine.EventDefer,
			refine.EventFailed,
			refine.EventLeft, "drifted", "crash",
		},
		"refine/suspicion": {refine.EventCommitted, refine.EventReleased, refine.EventRemoved, refine.EventFailed},
	}
	for _, w := range slices.DeleteFunc(Scenarios(), func(w *sim.Scenario) bool { return w.Name == walkScenario().Name }) {
		counts, stats, lasting := map[string]int{}, sim.Stats{}, 0
		for seed := range uint64(120) {
			r, err := newRun(w.Draw(seed), sim.RunOptions{}, w.Name == "refine/suspicion")
			require.NoError(t, err)
			result, err := r.finish()
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, result.Verdict, "%s, seed %d: %s %s", w.Name, seed, result.Property, result.Where)
			for name, n := range result.Counts {
				counts[name] += n
			}
			stats.Restarts += result.Stats.Restarts
			stats.Cut += result.Stats.Cut
			if r.Lasting {
				lasting++
			}
		}
		for _, name := range wanted[w.Name] {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		suspects := w.Name == "refine/suspicion"
		assert.Equal(t, !suspects, stats.Restarts > 0 && lasting > 10, w.Name)
		assert.Equal(t, suspects, stats.Cut > 0 && counts["crash"] == 0, w.Name)
	}
}

// A page names the bounds of the clusters of its run.
func TestBounds(t *testing.T) {
	w := Scenarios()[0]
	p := w.Draw(1)
	r, err := newRun(p, sim.RunOptions{}, false)
	require.NoError(t, err)
	assert.Regexp(
		t,
		fmt.Sprintf(
			"^M=%d, N=%d, diameter %d microseconds; %d nodes; ",
			r.cfg.MembershipBound,
			r.cfg.SizeBound,
			r.cfg.DiameterMicros,
			p.Nodes,
		),
		w.BoundsOf(p),
	)
}

// The oracle sees a suitor that is kept in place of a better one, and candidates that are not asked
// again.
func TestOracle(t *testing.T) {
	cfg := refine.DefaultConfig(3, 3, 100)
	cfg.Criterion = refine.GlobalOrder
	id := func(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }
	first, second := id(1), id(2)
	if first.Hash() > second.Hash() {
		first, second = second, first
	}
	tests := []struct {
		name   string
		state  refine.State
		events []protocol.Event
		want   string
	}{
		{
			"the later suitor is kept",
			refine.State{ID: id(0), Slots: []refine.Slot{{Head: second, Stage: refine.Suitor}}},
			[]protocol.Event{{Name: refine.EventDeny, Peer: first}},
			"Prefers",
		},
		{
			"the earlier suitor is kept",
			refine.State{ID: id(0), Slots: []refine.Slot{{Head: first, Stage: refine.Suitor}}},
			[]protocol.Event{{Name: refine.EventDeny, Peer: second}},
			"",
		},
		{
			"a denied candidate is not asked",
			refine.State{ID: id(0), Head: refine.HeadSteady, Candidates: []refine.Candidate{{ID: id(1), Status: refine.Denied}}},
			[]protocol.Event{{Name: refine.EventRemoved, Peer: id(2)}},
			"SecondChance",
		},
		{
			"no candidate is denied",
			refine.State{ID: id(0), Head: refine.HeadSteady, Candidates: []refine.Candidate{{ID: id(1), Status: refine.Fresh}}},
			[]protocol.Event{{Name: refine.EventRemoved, Peer: id(2)}},
			"",
		},
	}
	for _, test := range tests {
		w := NewOracle(&cfg, 3)
		steady := refine.State{ID: id(0), Head: refine.HeadSteady}
		w.Step(0, true, &steady, nil)
		w.Step(0, true, &test.state, test.events)
		broken, _ := w.Broken()
		assert.Equal(t, test.want, broken, test.name)
	}
}

// The oracle sees a client that is asked again for its report in the same round.
func TestOracleOfMessages(t *testing.T) {
	cfg := refine.DefaultConfig(3, 3, 100)
	client := protocol.NodeID{Address: 1, Incarnation: 1}
	given := []refine.Reading{{Peer: protocol.NodeID{Address: 0, Incarnation: 1}, Micros: 1}}
	for _, test := range []struct {
		name   string
		report []refine.Reading
		round  uint32
		want   string
	}{
		{"not reported", nil, 2, ""}, {"reported", given, 2, "AskedOnce"}, {"reported in another round", given, 1, ""},
	} {
		w := NewOracle(&cfg, 2)
		head := refine.State{
			Round:      2,
			Head:       refine.Filter,
			Candidates: []refine.Candidate{{ID: client, Status: refine.Accepted, Report: test.report}},
		}
		w.Sent(&head, []protocol.Envelope[refine.Message]{{To: client, Message: refine.List{Round: test.round}}})
		broken, _ := w.Broken()
		assert.Equal(t, test.want, broken, test.name)
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops[0].Do = "dance" },
		"nodes":     func(p *sim.Plan) { p.Nodes = 1 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
