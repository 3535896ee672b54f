package can

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// near is the scenario whose violations are expected.
func near(t *testing.T) *sim.Scenario {
	for _, w := range Scenarios() {
		if len(w.Expected) > 0 {
			return w
		}
	}
	t.Fatal("no scenario has expected violations")
	return nil
}

// rowPlan is the smallest gap: the middle of a row of four fails at once.
const rowPlan = `{"scenario":"can/limit-adjacent-failures","seed":1,"nodes":4,"founders":4,"shape":1,
"latency":"constant 50000","faults":[],
"ops":[{"at":2000000,"do":"crash","node":1},{"at":2300000,"do":"crash","node":2}],
"until_micros":3300000,"settle_micros":30000000}`

func TestTheMiddleOfARowOfFourFails(t *testing.T) {
	p, err := sim.DecodePlan(rowPlan)
	require.NoError(t, err)
	w := near(t)
	r, err := w.Run(p, sim.RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, sim.Violated, r.Verdict)
	assert.Equal(t, "NoGap", r.Property)
	assert.NotEmpty(t, w.Expected[r.Property])
	p.Scenario = "can/churn"
	for _, w := range Scenarios() {
		if w.Name == p.Scenario {
			r, err := w.Run(p, sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "where failures are further apart the second does not happen")
			assert.Equal(t, uint64(1), r.Stats.Crashes)
		}
	}
}

// A run is recorded action by action, written, read and replayed. A trace of another plan does not
// fit.
func TestRunsAreReplayed(t *testing.T) {
	p, err := sim.DecodePlan(rowPlan)
	require.NoError(t, err)
	w := near(t)
	m, err := sim.NewMachine(w, p)
	require.NoError(t, err)
	steps := 0
	for len(m.Enabled()) > 0 {
		_, err := m.Check("NoGap")
		require.ErrorIs(t, err, sim.ErrUndecided)
		m.Take(0)
		steps++
	}
	header := traces.Header{
		Model:    "sim/" + w.Name,
		Property: "NoGap",
		Shape:    w.ShapeOf("NoGap"),
		Verdict:  traces.Violated,
		Trigger:  -1,
		Bounds:   p.String(),
	}
	trace, err := traces.Record(m, make([]int, steps), -1, header)
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, traces.Write(&file, trace))
	trace, err = traces.Read(&file)
	require.NoError(t, err)
	require.NoError(t, traces.Replay(m, trace, nil))
	p.Seed++
	other, err := sim.NewMachine(w, p)
	require.NoError(t, err)
	require.ErrorIs(t, traces.Replay(other, trace, nil), traces.ErrStale)
	_, err = m.Check("NoSuch")
	require.Error(t, err)
}

func TestPlansOfAnotherScenario(t *testing.T) {
	w := Scenarios()[1]
	for _, change := range []func(*sim.Plan){
		func(p *sim.Plan) { p.Founders = 0 },
		func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "fly"}} },
		func(p *sim.Plan) { p.Latency = "soon" },
	} {
		p := w.Draw(1)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		assert.ErrorIs(t, err, sim.ErrPlan)
	}
}

// A strike waits for a decided round, and lets its proposer fail before the other nodes know.
func TestStrike(t *testing.T) {
	w := Scenarios()[1]
	p := &sim.Plan{
		Scenario: w.Name, Nodes: 4, Founders: 3, Latency: "constant 50000", UntilMicros: 20 * second,
		SettleMicros: 60 * second,
		Ops:          []sim.Op{{AtMicros: second, Do: opStrike, Arg: 10_000}, {AtMicros: 5 * second, Do: opJoin, Node: 3}},
	}
	r, err := w.Run(p, sim.RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, sim.Holds, r.Verdict, r.Where)
	assert.Equal(t, uint64(1), r.Stats.Crashes)
	assert.Positive(t, r.Counts["TAKEOVER"])

	p.Ops = p.Ops[:1]
	r, err = w.Run(p, sim.RunOptions{})
	require.NoError(t, err)
	assert.Zero(t, r.Stats.Crashes, "nothing was decided")
}

// The scenarios are not vacuous: within a few seeds all events that they are about happen.
func TestScenariosAreNotVacuous(t *testing.T) {
	wanted := map[string][]string{
		"can/churn":     {"joined", "left", "crash", "TAKEOVER", "NO-OP", "restart"},
		"can/faults":    {"joined", "left", "crash", "TAKEOVER", "NO-OP", "dropped", "duplicated", "delayed"},
		"can/partition": {"joined", "left", "crash", "TAKEOVER", "cut"},
		"can/bursts": {
			"joined", "left", "crash", "TAKEOVER", "NO-OP", "cut", "restart", "dropped", "duplicated", "delayed",
		},
		"can/duels":   {"joined", "left", "crash", "NO-OP", "cut", "dropped", "duplicated", "delayed"},
		"can/young":   {"joined", "left", "crash", "NO-OP", "cut", "dropped", "duplicated", "delayed"},
		"can/orphans": {"joined", "crash", "TAKEOVER", "cut", "dropped", "duplicated", "delayed"},
		"can/holes":   {"crash", "TAKEOVER", "cut", "dropped", "duplicated", "delayed"},
		"can/steady":  {"dropped", "duplicated", "delayed"},
	}
	for _, w := range Scenarios() {
		counts := map[string]int{}
		for seed := range uint64(10) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			for name, n := range r.Counts {
				counts[name] += n
			}
			for name, n := range map[string]uint64{
				"dropped": r.Stats.Dropped, "duplicated": r.Stats.Duplicated, "delayed": r.Stats.Delayed,
				"cut": r.Stats.Cut, "restart": r.Stats.Restarts,
			} {
				counts[name] += int(n)
			}
		}
		for _, name := range wanted[w.Name] {
			assert.NotZero(t, counts[name], "%s: %s", w.Name, name)
		}
		if w.Name == "can/steady" {
			assert.Zero(t, counts["request"])
		}
	}
}

// Pictures of a run can be requested at any time. They show the map and, in the end, its defects.
func TestRunsAreDrawn(t *testing.T) {
	p, err := sim.DecodePlan(rowPlan)
	require.NoError(t, err)
	m, err := sim.NewMachine(near(t), p)
	require.NoError(t, err)
	late, err := sim.NewMachine(near(t), p)
	require.NoError(t, err)
	for i := 0; len(m.Enabled()) > 0; i++ {
		m.Take(0)
		late.Take(0)
		if i == 5 {
			require.Equal(t, m.Draw(), late.Draw())
		}
		picture := m.Draw()
		require.Len(t, picture.Nodes, p.Nodes)
		owned := 0
		for _, r := range picture.Regions {
			if r.Viewer == "" {
				owned++
			}
		}
		down := 0
		for _, n := range picture.Nodes {
			if n.Status == "down" {
				down++
			}
		}
		require.Equal(t, p.Nodes-down, owned)
	}
	gap := func(r traces.Remark) bool {
		return r.Property == "NoGap" && strings.HasPrefix(r.Text, "no node owns")
	}
	assert.True(t, slices.ContainsFunc(m.Draw().Remarks, gap), m.Draw().Remarks)
	assert.Equal(t, m.State(), func() []traces.Variable { m.Draw(); return m.State() }())
}
