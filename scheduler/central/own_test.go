package central_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/generate"
)

// opener opens a decider for a run.
type opener = func(*central.View) central.Decider

func runBy(jobs []job, open opener, nodes ...int) (*central.Result, error) {
	return central.RunBy(context.Background(), workload(jobs), grid(nodes...), scheduler.Policy{Name: "own"}, open,
		central.Options{})
}

// greedy starts jobs in order of submission. A job that does not fit holds up the others, or lets
// them pass.
func greedy(pass bool) opener {
	return func(v *central.View) central.Decider {
		return func() error {
			for j := range v.Queue() {
				if c := v.Choose(j.Nodes); c >= 0 {
					v.Start(j.Index, c)
				} else if !pass {
					return nil
				}
			}
			return nil
		}
	}
}

// A policy that is written with the view starts jobs as the policy of this package does.
func TestOwnPoliciesStartAsBuiltInOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := drawGrid(t)
		w := workload(drawJobs(t, 40, slices.Max(nodes)+1, 1, "any"))
		for policy, open := range map[string]opener{"fcfs": greedy(false), "first-fit": greedy(true)} {
			o := drawOptions(t, policy)
			want := run(t, w, grid(nodes...), o)
			got, err := central.RunBy(t.Context(), w, grid(nodes...), scheduler.Policy{Name: "own"}, open, o)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// The view lists the changes since the last decision, waiting jobs and running jobs.
func TestViewShowsChanges(t *testing.T) {
	const s = scheduler.Second
	var log []string
	_, err := runBy([]job{
		{submit: 0, nodes: 3, run: 10, est: 20, user: 7}, {submit: 0, nodes: 2, run: 5, est: 0},
		{submit: 4, nodes: 9, run: 1, est: 1}, {submit: 4, nodes: 1, run: 0, est: -1},
	}, func(v *central.View) central.Decider {
		decide := greedy(false)(v)
		return func() error {
			line := fmt.Sprintf("%d: %d of %d free", v.Now()/s, v.Free(0), v.Clusters()[0].Nodes)
			for j := range v.Submitted() {
				line += fmt.Sprintf(", +%d is %d of user %d, expects %d", j.Index, j.Number, j.User, j.EstimateMicros)
			}
			for j := range v.Ended() {
				line += fmt.Sprintf(", -%d", j.Index)
			}
			for r := range v.Running() {
				line += fmt.Sprintf(", %d runs in %d since %d", r.Index, r.Cluster, r.StartMicros/s)
			}
			err := decide()
			for j := range v.Queue() {
				line += fmt.Sprintf(", %d waits", j.Index)
			}
			log = append(log, line)
			return err
		}
	}, 3)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"0: 3 of 3 free, +0 is 100 of user 7, expects 20000000, +1 is 101 of user 0, expects 1, 1 waits",
		"4: 0 of 3 free, +3 is 103 of user 0, expects -1, 0 runs in 0 since 0, 1 waits, 3 waits",
		"10: 3 of 3 free, -0",
		"10: 1 of 3 free, -3, 1 runs in 0 since 10",
		"15: 3 of 3 free, -1",
	}, log)
}

// A policy can see no run time, neither of the job nor of its end.
func TestViewHidesRunTimes(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[central.Job](), reflect.TypeFor[central.Running]()} {
		for _, f := range reflect.VisibleFields(of) {
			assert.NotContains(t, []string{"RunMicros", "EndMicros", "Status", "WaitMicros"}, f.Name)
		}
	}
}

// A decision for later is asked for in time, and forgotten by the next one.
func TestWake(t *testing.T) {
	const s = scheduler.Second
	var at []int64
	r, err := runBy([]job{{nodes: 1, run: 10}, {submit: 3, nodes: 1, run: 1}}, func(v *central.View) central.Decider {
		return func() error {
			at = append(at, v.Now()/s)
			switch v.Now() / s {
			case 0:
				v.Wake(5 * s) // forgotten at 3
			case 3:
				v.Wake(20 * s)
			case 20:
				return greedy(true)(v)()
			}
			return nil
		}
	}, 2)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 3, 20, 21, 30}, at)
	assert.Equal(t, []int64{20, 20}, starts(r))
}

// A policy that always asks to be woken is not asked any more when its last job has ended.
func TestWakeEndsWithTheLastJob(t *testing.T) {
	const s = scheduler.Second
	var at []int64
	r, err := runBy([]job{{nodes: 2, run: 3}, {submit: 1, nodes: 1, run: 2}}, func(v *central.View) central.Decider {
		return func() error {
			at = append(at, v.Now()/s)
			v.Wake(v.Now() + 4*s)
			return greedy(false)(v)()
		}
	}, 2)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1, 3, 5}, at)
	assert.Equal(t, []int64{0, 3}, starts(r))
}

// With passes "event", a decision is made for each event, and none without news: a job that ends
// exactly as estimated has been listed with its nodes, before submissions of its time.
func TestDecisionsForEachEvent(t *testing.T) {
	const s = scheduler.Second
	var log []string
	w := workload([]job{
		{nodes: 1, run: 5, est: 5}, {nodes: 1, run: 5, est: 9}, {submit: 5, nodes: 2, run: 1, est: 1},
		{submit: 5, nodes: 3, run: 1, est: 1},
	})
	_, err := central.RunBy(t.Context(), w, grid(3), scheduler.Policy{Name: "own"}, func(v *central.View) central.Decider {
		return func() error {
			line := fmt.Sprintf("%d: %d free", v.Now()/s, v.Free(0))
			for j := range v.Submitted() {
				line += fmt.Sprintf(" +%d", j.Index)
			}
			for j := range v.Ended() {
				line += fmt.Sprintf(" -%d", j.Index)
			}
			log = append(log, line)
			return greedy(false)(v)()
		}
	}, central.Options{Passes: "event"})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"0: 3 free +0", "0: 2 free +1", "5: 2 free +2 -0", "5: 0 free +3", "5: 1 free -1", "6: 3 free -2", "7: 3 free -3",
	}, log)
}

// Each mistake of a policy ends the run with its time, the job and a remedy.
func TestMistakesOfPolicies(t *testing.T) {
	broken := errors.New("it is broken; mend it")
	jobs := []job{{submit: 2, nodes: 2, run: 10}, {submit: 2, nodes: 9, run: 1}, {submit: 5, nodes: 2, run: 1}}
	for _, test := range []struct {
		want   string
		job    int
		decide func(v *central.View) error
	}{
		{
			"at 2 s it starts job 0 (number 100) in cluster 0, but it started at 2 s already; start each job once", 0,
			func(v *central.View) error { v.Start(0, 0); v.Start(0, 0); v.Start(7, 0); return nil },
		},
		{
			"at 5 s it starts job 2 (number 102) in cluster 0, but the job needs 2 nodes and the cluster has 1 free; " +
				"compare them before", 2,
			func(v *central.View) error {
				for j := range v.Submitted() {
					v.Start(j.Index, 0)
				}
				return nil
			},
		},
		{
			"at 2 s it starts job 2 (number 102) in cluster 0, but no such job has been submitted; start jobs of the queue",
			2, func(v *central.View) error { v.Start(2, 0); return nil },
		},
		{
			"at 2 s it starts job 3 in cluster 0, but no such job has been submitted; start jobs of the queue",
			3, func(v *central.View) error { v.Start(3, 0); return nil },
		},
		{
			"at 2 s it starts job -1 in cluster 0, but no such job has been submitted; start jobs of the queue",
			-1, func(v *central.View) error { v.Start(-1, 0); return nil },
		},
		{
			"at 2 s it starts job 1 (number 101) in cluster 0, but it needs 9 nodes; the largest cluster has 3, so it is " +
				"in no queue; start jobs of the queue", 1,
			func(v *central.View) error { v.Start(1, 0); return nil },
		},
		{
			"at 2 s it starts job 0 (number 100) in cluster 1, but clusters are 0 to 0; name one of them", 0,
			func(v *central.View) error { v.Start(0, 1); return nil },
		},
		{
			"at 2 s it asks to be woken at 2 s, which is not later; wake later, or not at all (jobs that wait: 1, the " +
				"oldest is job 0 (number 100))", 0,
			func(v *central.View) error { v.Wake(v.Now()); return nil },
		},
		{
			"at 2 s it asks to be woken at -0.000005 s, which is not later; wake later, or not at all (jobs that wait: 1, " +
				"the oldest is job 0 (number 100))", 0,
			func(v *central.View) error { v.Wake(-5); return nil },
		},
		{
			"at 2 s it asks to be woken at 9223372036854.775807 s, and no run lasts until then; wake at " +
				"4611686018427.387904 s at the latest, or not at all (jobs that wait: 1, the oldest is job 0 (number 100))", 0,
			func(v *central.View) error { v.Wake(math.MaxInt64); return nil },
		},
		{
			"at 2 s it is broken; mend it (jobs that wait: 1, the oldest is job 0 (number 100))", 0,
			func(*central.View) error { return broken },
		},
		{
			"at 5 s it has stalled: no job runs or will be submitted, and it asks for no wake-up; start the jobs, or " +
				"wake when they may start (jobs that wait: 2, the oldest is job 0 (number 100))", 0,
			func(*central.View) error { return nil },
		},
		{
			"at 6 s it asked to be woken 1000000 times in a row without starting a job; wake at the time from which a job " +
				"may start (jobs that wait: 2, the oldest is job 0 (number 100))", 0,
			func(v *central.View) error {
				if v.Now() >= 5*scheduler.Second {
					v.Wake(v.Now() + 1)
				}
				return nil
			},
		},
	} {
		_, err := runBy(jobs, func(v *central.View) central.Decider {
			return func() error { return test.decide(v) }
		}, 3)
		var refused *central.PolicyError
		require.ErrorAs(t, err, &refused, test.want)
		assert.Equal(t, `run policy "own": `+test.want, err.Error())
		assert.Equal(t, test.job, refused.Job)
		assert.Equal(t, strings.Contains(test.want, "broken"), errors.Is(err, broken))
	}
}

// A name that help and sweeps could not tell apart is refused.
func TestRegisterRefusesNames(t *testing.T) {
	for _, name := range []string{"", "easy", "exec:x", "a,b", "a b", "a=b", "a;b"} {
		assert.Panics(t, func() { central.Register(scheduler.Policy{Name: name}, greedy(true)) }, name)
	}
}

// BenchmarkOwn measures a decision of a policy that is written with the view, beside the same
// policy of this package.
func BenchmarkOwn(b *testing.B) {
	w, err := generate.Parse("lublin:N=20000,nodes=256", 1)
	require.NoError(b, err)
	decisions := 0
	count := func(v *central.View) central.Decider {
		decide := greedy(true)(v)
		return func() error { decisions++; return decide() }
	}
	b.Run("view", func(b *testing.B) {
		decisions = 0
		for b.Loop() {
			_, err := central.RunBy(b.Context(), w, grid(256), scheduler.Policy{Name: "own"}, count, central.Options{})
			require.NoError(b, err)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
	})
	b.Run("built-in", func(b *testing.B) {
		for b.Loop() {
			run(b, w, grid(256), central.Options{Policy: "first-fit"})
		}
	})
}
