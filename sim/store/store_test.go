package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	wanted := map[string][]string{
		"store/steady":  {"get", "put", "cas", "lookup", store.EventAnswered, store.EventRefused},
		"store/churn":   {store.EventGiven, store.EventReceived, store.EventDelivered, store.EventFinished, "joined"},
		"store/duels":   {store.EventGiven, store.EventReceived, store.EventFinished, "joined", "crash", store.EventUnknown},
		"store/returns": {store.EventGiven, store.EventRefused, store.EventLost, "joined", "crash"},
		"store/crash":   {"crash", store.EventLost, store.EventUnknown, store.EventServed},
	}
	for _, w := range Scenarios() {
		counts := map[string]int{}
		for seed := range uint64(40) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
		}
		for _, name := range wanted[w.Name] {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
	}
}

// A lost update, and an owner that never was one, are seen and drawn.
func TestHistoryThatIsNotLinearizable(t *testing.T) {
	for _, property := range []string{"Linearizable", "OneOwner"} {
		p := Scenarios()[0].Draw(1)
		r, err := newRun(p, sim.RunOptions{})
		require.NoError(t, err)
		result, err := r.finish()
		require.NoError(t, err)
		require.Equal(t, sim.Holds, result.Verdict)
		node, key := protocol.NodeID{Address: 0, Incarnation: 1}, r.oracle.keys[0]
		tell := func(o store.Operation, events ...protocol.Event) {
			r.oracle.call(node, o)
			r.oracle.clock++
			events[0].Name, events[0].Number, events[0].Detail = store.EventAnswered, o.ID, store.DetailOK
			r.oracle.history.Step(r.oracle.clock, node, *r.State(0), events)
		}
		if property == "Linearizable" {
			tell(store.Operation{ID: 9001, Kind: store.Put, Key: key, Value: 9001}, protocol.Event{})
			tell(
				store.Operation{ID: 9002, Kind: store.Get, Key: key},
				protocol.Event{},
				protocol.Event{Name: store.EventValue, Number: 7777},
			)
		} else {
			stranger := protocol.NodeID{Address: 99, Incarnation: 1}
			tell(store.Operation{ID: 9001, Kind: store.Lookup, Key: key}, protocol.Event{Peer: stranger})
		}
		verdict, draw := r.oracle.checkHistory()
		assert.Equal(t, checker.Violated, verdict)
		broken, _ := r.oracle.Broken()
		assert.Equal(t, property, broken)
		path := filepath.Join(t.TempDir(), "history.html")
		require.NoError(t, draw(path))
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Contains(t, string(page), "<html")
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops[0].Do = "dance" },
		"number":    func(p *sim.Plan) { p.Ops[0].Arg = 0 },
		"twice":     func(p *sim.Plan) { p.Ops[1] = p.Ops[0] },
		"founder":   func(p *sim.Plan) { p.Founders = 0 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		require.Greater(t, len(p.Ops), 1)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
	assert.Empty(t, w.ShapeOf("Nonsense"))
	assert.NotEmpty(t, w.ShapeOf("NoOverlap"))
}
