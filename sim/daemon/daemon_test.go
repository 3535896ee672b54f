package daemon

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	witnesses := map[string][]string{
		"daemon/leaves":   {"left"},
		"daemon/crashes":  {"disk-error", "again"},
		"daemon/losses":   {"lost", "again"},
		"daemon/removals": {"removed", "again"},
		"daemon/pauses":   {"fenced", "again"},
		"daemon/cuts":     {"fenced", "again"},
		"daemon/all":      {"left", "fenced", "again"},
		"daemon/calendar": {"clock"},
		"daemon/forgers":  {"forged", "unmasked", "left"},
		"daemon/files":    {"outputs", "unkept", "unwritten", "rotten", "unstarted", "shims", "again"},
	}
	for _, w := range Scenarios() {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			counts := map[string]int{}
			for seed := range uint64(40) {
				r := runOf(t, w, seed)
				for name, n := range r.Counts {
					counts[name] += n
				}
			}
			for _, name := range append(witnesses[w.Name], "acknowledged", "started", "ended", "cancelled") {
				assert.Positive(t, counts[name], name)
			}
		})
	}
}

func runOf(t *testing.T, w *sim.Scenario, seed uint64) *sim.Result {
	t.Helper()
	return runPlan(t, w, w.Draw(seed), fmt.Sprintf("%s, seed %d", w.Name, seed))
}

// runPlan runs a plan, and demands that it holds.
func runPlan(t *testing.T, w *sim.Scenario, p *sim.Plan, name string) *sim.Result {
	t.Helper()
	r, err := w.Run(p, sim.RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, sim.Holds, r.Verdict, "%s: %s %s", name, r.Property, r.Where)
	return r
}

// Tasks of a daemon that is stopped end before others count it as dead, for any duration of the
// task.
func TestStopped(t *testing.T) {
	w := called("daemon/pauses")
	for seed := range uint64(5) {
		p := w.Draw(seed)
		p.Nodes, p.UntilMicros, p.Ops = 4, 20*second, nil
		for i := range 4 {
			p.Ops = append(p.Ops, sim.Op{AtMicros: 3 * second, Do: opSubmit, Node: i, Arg: argOfLong})
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: 3_800_000, Do: opPause, Node: 3, Arg: 9_900_000})
		runPlan(t, w, p, fmt.Sprint("seed ", seed))
	}
}

// argOfLong is the argument of a submission of four tasks that run for longer than they may.
const argOfLong = 3 | 1<<4 | 1<<26

// Machines are lost, jobs are submitted before others are notified, and then another machine is
// lost. None of the jobs may rest on two that are gone, also if two deaths became known at once.
func TestReplaced(t *testing.T) {
	w := called("daemon/losses")
	for lost := 1; lost <= 2; lost++ {
		for seed := range uint64(4) {
			p := w.Draw(0)
			p.Nodes, p.UntilMicros, p.Latency, p.Seed, p.Ops = 7, 20*second, "constant 200", seed, nil
			for i := range lost {
				p.Ops = append(p.Ops, sim.Op{AtMicros: 3 * second, Do: opLoseNode, Node: 6 - i})
			}
			for i := range int64(12) {
				p.Ops = append(p.Ops, sim.Op{
					AtMicros: 3*second + (1+i)*second/3, Do: opSubmit, Node: int(i % 3), Arg: argOf(1, 5900),
				})
			}
			p.Ops = append(p.Ops, sim.Op{AtMicros: 10 * second, Do: opLoseNode, Node: 6 - lost})
			r := runPlan(t, w, p, fmt.Sprintf("%d lost, seed %d", lost, seed))
			assert.Equal(t, lost+1, r.Counts["lost"])
		}
	}
}

// Without another machine in its place a custodian that dies stays one. It comes back, and with the
// other one it can do without the machine that took the job.
func TestNotReplaced(t *testing.T) {
	w := called("daemon/losses")
	p := w.Draw(0)
	p.Nodes, p.UntilMicros, p.SettleMicros, p.Latency, p.Delay = 3, 45*second, 60*second, "constant 200", 0
	p.Ops = []sim.Op{{Do: opWitness}, {AtMicros: 4 * second, Do: opCrash, Node: 1, Arg: 7000}}
	for i := range int64(8) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: 4_800_000 + i*300_000, Do: opSubmit, Node: 2, Arg: argOf(1, 5900)})
	}
	p.Ops = append(p.Ops,
		sim.Op{AtMicros: 15 * second, Do: opCrash, Node: 0, Arg: 700},
		sim.Op{AtMicros: 15_100_000, Do: opLose})
	r := runPlan(t, w, p, "lost")
	assert.NotZero(t, r.Counts["lost"])
}

// A daemon is dead, and of the others one is silent for some seconds. The job waits for it, and
// does not rest on two disks.
func TestNotFewer(t *testing.T) {
	p := called("daemon/cuts").Draw(0)
	p.Nodes, p.UntilMicros, p.Latency, p.Delay = 4, 20*second, "constant 200", 0
	p.Ops = []sim.Op{
		{AtMicros: 4 * second, Do: opCrash, Node: 0, Arg: 9900},
		{AtMicros: 10_400_000, Do: opCut, Node: 3, Arg: argFor(1, 4, 5*second)},
	}
	for i := range int64(8) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: 10_450_000 + i*1000, Do: opSubmit, Node: 3, Arg: argOf(1, 300)})
	}
	r := runPlan(t, called("daemon/cuts"), p, "silent")
	assert.Zero(t, r.Counts["few"], "jobs with two custodians")
}

// Others are chosen than custodians that are silent, and these are not chosen again while there are
// others: of four two can be reached, of three one.
func TestSilentCustodians(t *testing.T) {
	w := called("daemon/cuts")
	for _, nodes := range []int{4, 5} {
		p := w.Draw(0)
		p.Nodes, p.UntilMicros, p.Latency, p.Delay, p.Ops = nodes, 20*second, "constant 200", 0, nil
		for other := nodes - 2; other < nodes; other++ {
			p.Ops = append(p.Ops, sim.Op{AtMicros: 4 * second, Do: opCut, Node: 0, Arg: argFor(other, nodes, 9_999_000)})
		}
		for i := range int64(30) {
			p.Ops = append(p.Ops, sim.Op{AtMicros: 4_050_000 + i*1000, Do: opSubmit, Node: 0, Arg: argOf(1, 300)})
		}
		r := runPlan(t, w, p, fmt.Sprintf("%d nodes", nodes))
		most := 4
		if nodes == 4 { // three are awaited for a while
			most = 7
		}
		assert.LessOrEqual(t, r.Counts["asked"], most, "times that a client asked, each two seconds")
	}
}

// The daemon that took jobs crashes, comes back, and is lost at once, while the two other
// custodians of a job restart and know only its earlier incarnation. They need not wait until the
// grid is founded again.
func TestLostAgain(t *testing.T) {
	w := called("daemon/losses")
	p := w.Draw(0)
	p.Nodes, p.UntilMicros, p.SettleMicros, p.Latency, p.Delay = 5, 8*second, 40*second, "constant 200", 0
	p.Ops = nil
	for i := range int64(3) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: 3_050_000 + 1000*i, Do: opSubmit, Node: 4, Arg: argOf(1, 5900)})
	}
	p.Ops = append(p.Ops,
		sim.Op{AtMicros: 3_500_000, Do: opCrash, Node: 4, Arg: 3000},
		sim.Op{AtMicros: 3_501_000, Do: opCrash, Node: 0, Arg: 500},
		sim.Op{AtMicros: 3_501_000, Do: opCrash, Node: 2, Arg: 1100},
		sim.Op{AtMicros: 6_501_000, Do: opLose})
	runPlan(t, w, p, "crashed, back, and lost")
}

// A machine is lost before the jobs that it keeps have ended. Their other custodians restart, and
// stop asking for it.
func TestQuiet(t *testing.T) {
	w := called("daemon/losses")
	p := w.Draw(0)
	p.Nodes, p.UntilMicros, p.Latency, p.Delay, p.Ops = 5, 30*second, "constant 200", 0, nil
	for i := range int64(6) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: 3*second + i*1000, Do: opSubmit, Node: int(i % 4), Arg: argOf(1, 5900)})
	}
	p.Ops = append(p.Ops,
		sim.Op{AtMicros: 5 * second, Do: opLose},
		sim.Op{AtMicros: 25 * second, Do: opCrashAll, Arg: 300})
	r := runPlan(t, w, p, "lost")
	assert.NotZero(t, r.Counts["lost"])
}

// The daemon that took a job removes it while it is cut off, and crashes. The other custodians are
// not notified, and it can be removed there, although the first one has no record any more.
func TestRemovedAgain(t *testing.T) {
	p := called("daemon/removals").Draw(0)
	p.Nodes, p.UntilMicros, p.SettleMicros, p.Latency, p.Delay = 3, 30*second, 30*second, "constant 200", 0
	p.Ops = []sim.Op{
		{AtMicros: 3 * second, Do: opSubmit, Arg: argOf(1, 100)},
		{AtMicros: 5 * second, Do: opIsolate, Arg: argFor(0, 3, 2*second)},
		{AtMicros: 5_100_000, Do: opRemove},
		{AtMicros: 5_200_000, Do: opCrash, Arg: 3000},
		{AtMicros: 20 * second, Do: opRemove, Node: 1},
	}
	r := runPlan(t, called("daemon/removals"), p, "removed twice")
	assert.Equal(t, 2, r.Counts["removed"])
}

// The daemon that took a job is lost after its end. The others need not wait for it: one of them
// removes the job.
func TestRemovedWithoutTheFirst(t *testing.T) {
	p := called("daemon/removals").Draw(0)
	p.Nodes, p.UntilMicros, p.SettleMicros, p.Latency, p.Delay = 4, 40*second, 30*second, "constant 200", 0
	p.Ops = []sim.Op{
		{AtMicros: 3 * second, Do: opSubmit, Node: 3, Arg: argOf(1, 100)},
		{AtMicros: 5 * second, Do: opLose},
	}
	for i := range 3 {
		p.Ops = append(p.Ops, sim.Op{AtMicros: (20 + int64(i)) * second, Do: opRemove, Node: i})
	}
	r := runPlan(t, called("daemon/removals"), p, "removed without the first one")
	assert.Positive(t, r.Counts["removed"])
}

// A daemon receives nothing any more while it takes jobs, and is fenced a moment later. Others have
// copies of the jobs, some of them from each other, and drop them: the daemon has not acknowledged
// them, and its next incarnation takes other ones for its clients.
func TestFencedWhileItTakesJobs(t *testing.T) {
	w := called("daemon/cuts")
	for seed := range uint64(4) {
		p := w.Draw(0)
		p.Nodes, p.UntilMicros, p.SettleMicros, p.Latency, p.Delay, p.Seed = 4, 20*second, 60*second, "constant 200", 0, seed
		p.Ops = nil
		for other := range 3 {
			p.Ops = append(p.Ops, sim.Op{AtMicros: 5 * second, Do: opOneWay, Node: other, Arg: argFor(3, 4, 6*second)})
		}
		p.Ops = append(p.Ops,
			sim.Op{AtMicros: 5 * second, Do: opOneWay, Node: 3, Arg: argFor(int(seed%3), 4, 6*second)})
		for i := range int64(8) {
			p.Ops = append(p.Ops, sim.Op{AtMicros: 7*second + i*250_000, Do: opSubmit, Node: 3, Arg: argOf(1, 300)})
		}
		r := runPlan(t, w, p, fmt.Sprint("seed ", seed))
		assert.NotZero(t, r.Counts["fenced"])
	}
}

// Tasks leave files that take ten seconds to remove. No lease ends for that, as long as hosts
// remove them beside the goroutine of the node; a host that removes them on it loses its lease.
func TestRemovalsThatBlock(t *testing.T) {
	const blocks = 10 * second
	w := called("daemon/jobs")
	for seed := range uint64(5) {
		for _, onLoop := range []bool{false, true} {
			p := w.Draw(seed)
			p.Nodes, p.UntilMicros, p.Ops = 3, 30*second, nil
			for i := range int64(6) {
				p.Ops = append(p.Ops, sim.Op{AtMicros: (3 + 3*i) * second, Do: opSubmit, Node: int(i % 3), Arg: argOf(2, 300)})
			}
			r, err := newRun(p, sim.RunOptions{}, true)
			require.NoError(t, err)
			removed := 0
			r.world.clears = func(m *machine) {
				if onLoop {
					m.paused = r.Now() + blocks
				}
				r.world.at(r.Now()+blocks, func() { removed++ })
			}
			result, err := r.finish()
			require.NoError(t, err)
			if onLoop {
				assert.Equal(t, "KeepsLease", result.Property, "seed %d", seed)
				continue
			}
			assert.Equal(t, sim.Holds, result.Verdict, "seed %d: %s %s", seed, result.Property, result.Where)
			assert.GreaterOrEqual(t, removed, 12)
		}
	}
}

// No member moves or ends an incarnation of another one by a card that the latter has not signed,
// nor by a card of an earlier incarnation.
func TestForgedCards(t *testing.T) {
	w := called("daemon/forgers")
	p := w.Draw(0)
	p.Nodes, p.UntilMicros, p.Latency = 4, 60*second, "constant 200"
	p.Ops = []sim.Op{{AtMicros: 5 * second, Do: opLeave, Node: 3}}
	for i := range int64(100) {
		p.Ops = append(p.Ops,
			sim.Op{AtMicros: (5 + i/2) * second, Do: opForge, Node: int(1 + i%2), Arg: uint64(i)},
			sim.Op{AtMicros: (5 + i/2) * second, Do: opSubmit, Node: int(i % 4), Arg: argOf(2, 300)})
	}
	counts := runPlan(t, w, p, "two forgers").Counts
	for _, text := range forgeryTexts {
		assert.Positive(t, counts[text], text)
	}
	assert.Positive(t, counts["unmasked"])
}

// A file that a task has left is unreadable, vanishes or changes before it is copied: its job has
// failed, also if all other files are kept.
func TestSpoiledOutputs(t *testing.T) {
	for how := range uint64(waysToSpoil - 1) {
		p := called("daemon/files").Draw(0)
		p.Nodes, p.UntilMicros, p.SettleMicros, p.Latency, p.Delay, p.Ops = 3, 10*second, 30*second, "constant 200", 0, nil
		for i := range 3 {
			p.Ops = append(p.Ops, sim.Op{Do: opSpoil, Node: i, Arg: how})
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: 3 * second, Do: opFiles, Arg: argOf(2, 300) | 1<<30})
		r := runPlan(t, called("daemon/files"), p, fmt.Sprint("way ", how))
		assert.Positive(t, r.Counts["unkept"])
	}
}

// How jobs end that nothing befalls is seen in a few runs.
func TestOutcomes(t *testing.T) {
	for seed := uint64(0); seed < 20 && !t.Failed(); seed++ {
		runOf(t, called("daemon/jobs"), seed)
	}
}

// called is the scenario of a name.
func called(name string) *sim.Scenario {
	i := slices.IndexFunc(Scenarios(), func(s *sim.Scenario) bool { return s.Name == name })
	return Scenarios()[i]
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} },
		"nodes":     func(p *sim.Plan) { p.Nodes = maxNodes + 1 },
		"drift":     func(p *sim.Plan) { p.DriftPPM = 1 },
		"loss":      func(p *sim.Plan) { p.Drop = 1 },
		"doubled":   func(p *sim.Plan) { p.Faults = []sim.Fault{{Kind: sim.FaultDuplicate}} },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}

// Runs that once violated a property, with the mistake behind each.
func TestFound(t *testing.T) {
	for _, found := range []struct {
		scenario string
		seed     uint64
		was      string
	}{
		{"daemon/pauses", 446, "the only witness was stopped: its tasks had been ended, and it said that they had failed"},
		{"daemon/all", 14, "all nodes left: jobs that waited ended, since no node could run them"},
		{"daemon/crashes", 348, "a host had no record of a job any more: the job failed, as if the host could not start it"},
		{"daemon/returns", 451, "the same"},
		{"daemon/leaves", 1271, "two nodes began at once: the grid rested on two of its three witnesses, and one left"},
		{"daemon/cuts", 93, "two neighbours died: others took over, and never got each other's address"},
		{"daemon/all", 847, "the same, and no dead neighbour was left as a trace"},
		{"daemon/rests", 4, "a pause was over while its custodian did not decide for a moment: the job waited forever"},
		{"daemon/rests", 11, "the same"},
		{"daemon/returns", 274, "a permit was asked for in a view that came to nothing, and its host waited forever"},
		{"daemon/returns", 368, "the same"},
		{"daemon/cuts", 206, "a user was notified of an end that was on one disk only, and the job ran again"},
		{"daemon/removals", 9, "a custodian was down when a job was removed, and brought it back"},
		{"daemon/removals", 194, "a job was forgotten, and then its record came again: the daemon did not start any more"},
		{"daemon/removals", 1897, "a daemon was down when a job was removed, and kept it"},
		{"daemon/removals", 1282, "a record went to an earlier incarnation again and again, since the later one rested"},
		{"daemon/losses", 6, "a custodian awaited a lost machine that had sent it nothing since its restart"},
		{"daemon/losses", 47, "the same"},
		{"daemon/losses", 58, "the same"},
	} {
		t.Run(found.was, func(t *testing.T) { runOf(t, called(found.scenario), found.seed) })
	}
	files, err := filepath.Glob("testdata/found/*.plan.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			p := &sim.Plan{}
			require.NoError(t, json.Unmarshal(text, p))
			runPlan(t, called(p.Scenario), p, file)
		})
	}
}
