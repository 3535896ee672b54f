package central_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/differ"
	"github.com/canvass-grid/canvass/scheduler/generate"
)

// taskCell is a drawn workload of tasks on a drawn platform.
type taskCell struct {
	jobs     [][]scheduler.Task
	submits  []int64 // microseconds, few of them, so that many things happen at once
	platform *scheduler.Platform
	policy   string
}

var drawnTasks = rapid.Custom(func(t *rapid.T) []scheduler.Task {
	tasks := make([]scheduler.Task, rapid.IntRange(1, 6).Draw(t, "tasks"))
	for k := range tasks {
		tasks[k] = scheduler.Task{
			ExecMicros: rapid.Int64Range(0, 4).Draw(t, "exec"), Nodes: rapid.IntRange(1, 4).Draw(t, "nodes"),
			Kind: rapid.IntRange(scheduler.AnyKind, 1).Draw(t, "kind"),
		}
		for before := range k {
			if rapid.IntRange(0, 2).Draw(t, "follows") == 0 {
				tasks[before].Successors = append(tasks[before].Successors, int32(k))
			}
		}
	}
	return tasks
})

func drawTaskCell(t *rapid.T) taskCell {
	c := taskCell{platform: &scheduler.Platform{Name: "drawn"}}
	c.policy = rapid.SampledFrom([]string{"fifo", "srtf"}).Draw(t, "policy")
	c.jobs = rapid.SliceOfN(drawnTasks, 1, 8).Draw(t, "jobs")
	at := int64(0)
	for range c.jobs {
		at += rapid.Int64Range(0, 4).Draw(t, "gap")
		c.submits = append(c.submits, at)
	}
	for range rapid.IntRange(1, 3).Draw(t, "clusters") {
		c.platform.Clusters = append(c.platform.Clusters, scheduler.Cluster{
			Nodes: rapid.IntRange(1, 5).Draw(t, "cluster nodes"),
			Kind:  rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "of kind"),
		})
	}
	return c
}

func (c *taskCell) workload(t require.TestingT) *scheduler.Workload {
	w := &scheduler.Workload{Name: "drawn"}
	w.Tasks = scheduler.NewTasks("a", "b")
	for i, tasks := range c.jobs {
		w.Jobs = append(w.Jobs, scheduler.Job{SubmitMicros: c.submits[i], Nodes: 1})
		require.NoError(t, w.Tasks.Add(tasks))
	}
	return w
}

// slowTasks runs tasks microsecond by microsecond, and looks at every task each time.
type slowTasks struct {
	*taskCell
	start, cluster [][]int64 // of tasks that have begun; -1 of others
	out            []bool    // jobs that can never run
}

func (s *slowTasks) fits(x *scheduler.Task, c *scheduler.Cluster) bool {
	return (x.Kind == scheduler.AnyKind || c.Kind == []string{"a", "b"}[x.Kind]) && x.Nodes <= c.Nodes
}

func (s *slowTasks) hasEnded(job, task int, now int64) bool {
	return s.start[job][task] >= 0 && s.start[job][task]+s.jobs[job][task].ExecMicros <= now
}

func (s *slowTasks) rank(job, task int) int64 {
	longest := int64(0)
	for _, next := range s.jobs[job][task].Successors {
		longest = max(longest, s.rank(job, int(next)))
	}
	return s.jobs[job][task].ExecMicros + longest
}

// isReady reports whether a task may start, as far as time and its predecessors say. A task that
// has begun at this moment and takes no time ends in the next round.
func (s *slowTasks) isReady(job, task int, now int64, ended func(job, task int) bool) bool {
	if s.out[job] || s.start[job][task] >= 0 || s.submits[job] > now {
		return false
	}
	for before := range task {
		if slices.Contains(s.jobs[job][before].Successors, int32(task)) && !ended(job, before) {
			return false
		}
	}
	return true
}

func (s *slowTasks) head(now int64, ended func(job, task int) bool) (job, task int) {
	var all [][2]int
	for j := range s.jobs {
		for k := range s.jobs[j] {
			if s.isReady(j, k, now, ended) {
				all = append(all, [2]int{j, k})
			}
		}
	}
	if len(all) == 0 {
		return -1, -1
	}
	best := slices.MinFunc(all, func(a, b [2]int) int {
		first := cmp.Compare(s.submits[a[0]], s.submits[b[0]])
		if s.policy == "srtf" {
			first = cmp.Compare(s.rank(a[0], a[1]), s.rank(b[0], b[1]))
		}
		return cmp.Or(first, cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return best[0], best[1]
}

func (s *slowTasks) free(c int, now int64, ended func(job, task int) bool) int {
	free := s.platform.Clusters[c].Nodes
	for j := range s.jobs {
		for k := range s.jobs[j] {
			if s.start[j][k] >= 0 && s.cluster[j][k] == int64(c) && !ended(j, k) {
				free -= s.jobs[j][k].Nodes
			}
		}
	}
	return free
}

// round starts tasks of one moment. Tasks that take no time free their nodes in the next round.
func (s *slowTasks) round(now int64) (started bool) {
	gone := map[[2]int]bool{}
	for j := range s.jobs {
		for k := range s.jobs[j] {
			gone[[2]int{j, k}] = s.hasEnded(j, k, now)
		}
	}
	ended := func(job, task int) bool { return gone[[2]int{job, task}] }
	for {
		j, k := s.head(now, ended)
		if j < 0 {
			return started
		}
		best, left := -1, 0
		for c := range s.platform.Clusters {
			over := s.free(c, now, ended) - s.jobs[j][k].Nodes
			if s.fits(&s.jobs[j][k], &s.platform.Clusters[c]) && over >= 0 && (best < 0 || over < left) {
				best, left = c, over
			}
		}
		if best < 0 {
			return started
		}
		s.start[j][k], s.cluster[j][k], started = now, int64(best), true
	}
}

func (s *slowTasks) run() (records []scheduler.Record) {
	total := s.submits[len(s.submits)-1]
	for j, tasks := range s.jobs {
		s.start, s.cluster, s.out = append(s.start, nil), append(s.cluster, nil), append(s.out, false)
		for k := range tasks {
			s.start[j], s.cluster[j] = append(s.start[j], -1), append(s.cluster[j], -1)
			s.out[j] = s.out[j] || !slices.ContainsFunc(s.platform.Clusters, func(c scheduler.Cluster) bool {
				return s.fits(&tasks[k], &c)
			})
			total += tasks[k].ExecMicros
		}
	}
	for now := range total + 1 {
		for s.round(now) {
		}
	}
	for j, tasks := range s.jobs {
		for k := range tasks {
			r := scheduler.Record{
				Job: j, Task: int32(len(records)), StartMicros: s.start[j][k], Cluster: int(s.cluster[j][k]),
				EndMicros: scheduler.Unknown,
			}
			if s.out[j] {
				r.Outcome = scheduler.Excluded
			} else {
				r.EndMicros = r.StartMicros + tasks[k].ExecMicros
			}
			records = append(records, r)
		}
	}
	return records
}

func TestTasksAreAsRunSlowly(t *testing.T) {
	waited, excluded := 0, 0
	differ.Engines(t, 2000, drawTaskCell, func(_ *rapid.T, c taskCell) differ.Run[int] {
		return differ.Run[int]{Records: (&slowTasks{taskCell: &c}).run()}
	}, func(t *rapid.T, c taskCell) differ.Run[int] {
		w := c.workload(t)
		r, err := central.Run(context.Background(), w, c.platform, central.Options{Policy: c.policy})
		require.NoError(t, err)
		requirePrecedence(t, w, r)
		for i := range r.Tasks {
			if r.Tasks[i].Excluded != "" {
				excluded++
			} else if r.Tasks[i].StartMicros > w.Jobs[r.Tasks[i].Job].SubmitMicros {
				waited++
			}
			r.Tasks[i].Excluded = "" // the slow one has no words
		}
		return differ.Run[int]{Records: r.Tasks}
	})
	require.NotZero(t, waited)
	require.NotZero(t, excluded)
}

// requirePrecedence demands that no task starts before its job is submitted and its predecessors
// have ended, and that a job ends with its last task.
func requirePrecedence(t require.TestingT, w *scheduler.Workload, r *central.Result) {
	for job := range w.Jobs {
		if r.Records[job].Outcome != scheduler.Done {
			continue
		}
		last := int64(0)
		for task, end := w.Tasks.Of(job); task < end; task++ {
			x := &r.Tasks[task]
			last = max(last, x.EndMicros)
			require.GreaterOrEqual(t, x.StartMicros, w.Jobs[job].SubmitMicros)
			for _, next := range w.Tasks.Successors(task) {
				require.GreaterOrEqual(t, r.Tasks[next].StartMicros, x.EndMicros)
			}
		}
		require.Equal(t, last, r.Records[job].EndMicros)
	}
}

// Jobs that are one task each start as under fcfs.
func TestFIFOOfRigidJobsIsFCFS(t *testing.T) {
	w, err := generate.Parse("lublin:N=500,nodes=64", 3)
	require.NoError(t, err)
	p := grid(64)
	want, err := central.Run(context.Background(), w, p, central.Options{Policy: "fcfs"})
	require.NoError(t, err)
	got, err := central.Run(context.Background(), w, p, central.Options{Policy: "fifo"})
	require.NoError(t, err)
	require.Equal(t, want.Records, got.Records)
}

func TestRigidPoliciesRefuseTasks(t *testing.T) {
	w, err := generate.Parse("dags:N=3", 1)
	require.NoError(t, err)
	_, err = central.Run(context.Background(), w, grid(64), central.Options{Policy: "fcfs"})
	require.ErrorContains(t, err, "use fifo or srtf")
}
