package central_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/central"
)

// slow runs policies second by second and without any data structure: it counts nodes anew whenever
// it needs them. Run must give the same starts.
type slow struct {
	jobs   []job
	nodes  []int
	policy string
	choice string
	how    string // reservations change when a job ends

	now     int64
	start   []int64 // of a job that has not started, -1
	cluster []int
	expect  []int64 // duration; doubled when exceeded
	planned []int64 // start of a reservation, -1 if there is none
	order   []int   // jobs in the order of their starts
	past    map[int64][]int64
}

func (s *slow) run() []int64 {
	for j := range s.jobs {
		s.start, s.planned, s.cluster = append(s.start, -1), append(s.planned, -1), append(s.cluster, -1)
		s.expect = append(s.expect, s.jobs[j].est)
	}
	s.past = map[int64][]int64{}
	for slices.Contains(s.start, -1) {
		corrected, ended := false, false
		for _, j := range s.order {
			if user := s.jobs[j].user; s.start[j]+s.jobs[j].run == s.now {
				s.past[user] = append(s.past[user], s.jobs[j].run)
				ended = true
			}
			if s.runs(j) && s.start[j]+s.expect[j] == s.now {
				if s.expect[j] < s.jobs[j].est {
					s.expect[j] = s.jobs[j].est
				} else {
					s.expect[j] *= 2
				}
				corrected = true
			}
		}
		if s.policy == "conservative" {
			s.conservative(corrected, ended)
		} else if ended || slices.ContainsFunc(s.jobs, func(j job) bool { return j.submit == s.now }) {
			s.pass()
		}
		s.now++
	}
	return s.start
}

func (s *slow) runs(j int) bool { return s.start[j] >= 0 && s.start[j]+s.jobs[j].run > s.now }

func (s *slow) waiting() []int {
	var list []int
	for j := range s.jobs {
		if s.jobs[j].submit <= s.now && s.start[j] < 0 {
			list = append(list, j)
		}
	}
	return list
}

// free counts nodes at a time from now on.
func (s *slow) free(c int, at int64) int {
	n := s.nodes[c]
	for j := range s.jobs {
		begin := s.start[j]
		if begin < 0 {
			begin = s.planned[j]
		} else if !s.runs(j) {
			continue
		}
		if s.cluster[j] == c && begin >= 0 && begin <= at && at < begin+s.expect[j] {
			n -= s.jobs[j].nodes
		}
	}
	return n
}

// pick chooses among the clusters that may be taken, by the nodes left over at a time.
func (s *slow) pick(j int, at int64, may func(c int) bool) int {
	best := -1
	for c := range s.nodes {
		if may(c) && (best < 0 || s.choice == "best" && s.free(c, at) < s.free(best, at)) {
			best = c
		}
	}
	return best
}

func (s *slow) begin(j, c int) {
	s.start[j], s.cluster[j], s.planned[j] = s.now, c, -1
	if s.policy != "conservative" {
		s.expect[j] = s.estimate(j)
	}
	s.order = append(s.order, j)
}

func (s *slow) estimate(j int) int64 {
	past := s.past[s.jobs[j].user]
	if s.policy != "easy++" || len(past) < 2 {
		return s.jobs[j].est
	}
	return min(s.jobs[j].est, (past[len(past)-1]+past[len(past)-2])/2)
}

func (s *slow) pass() {
	waiting := s.waiting()
	if s.policy == "sjf" {
		slices.SortStableFunc(waiting, func(i, j int) int { return cmp.Compare(s.jobs[i].est, s.jobs[j].est) })
	}
	for i, j := range waiting {
		c := s.pick(j, s.now, func(c int) bool {
			if s.policy == "fcfs-ideal" {
				for _, older := range waiting[:i] {
					if s.start[older] < 0 && s.jobs[older].nodes <= s.nodes[c] {
						return false
					}
				}
			}
			return s.free(c, s.now) >= s.jobs[j].nodes
		})
		if c >= 0 {
			s.begin(j, c)
			continue
		}
		switch s.policy {
		case "fcfs", "sjf":
			return
		case "easy", "easy-sjbf", "easy++":
			s.backfill(j, waiting[i+1:])
			return
		}
	}
}

// backfill tries each job and takes it back if the head would have to wait longer.
func (s *slow) backfill(head int, others []int) {
	reserved := 0
	for c := range s.nodes {
		if s.shadow(head, c) < s.shadow(head, reserved) {
			reserved = c
		}
	}
	shadow := s.shadow(head, reserved)
	if s.policy != "easy" {
		slices.SortStableFunc(others, func(i, j int) int { return cmp.Compare(s.estimate(i), s.estimate(j)) })
	}
	for _, j := range others {
		c := s.pick(j, s.now, func(c int) bool {
			if s.free(c, s.now) < s.jobs[j].nodes {
				return false
			}
			s.begin(j, c)
			later := s.shadow(head, reserved) > shadow
			s.start[j], s.order = -1, s.order[:len(s.order)-1]
			return !later
		})
		if c >= 0 {
			s.begin(j, c)
		}
	}
}

// shadow is when a job can start in a cluster as far as is known.
func (s *slow) shadow(j, c int) int64 {
	if s.jobs[j].nodes > s.nodes[c] {
		return 1e9
	}
	at := s.now
	for s.free(c, at) < s.jobs[j].nodes {
		at++
	}
	return at
}

func (s *slow) conservative(corrected, ended bool) {
	waiting := s.waiting()
	if ended && s.how == "order" && !corrected {
		s.moveUp(waiting)
	}
	for _, j := range waiting {
		if corrected || ended && s.how == "anew" && s.planned[j] > s.now {
			s.planned[j] = -1
		}
	}
	for _, j := range waiting {
		if (ended && (s.how == "each" || s.how == "anew") || s.planned[j] < 0) && s.planned[j] != s.now {
			s.plan(j)
		}
	}
	for _, j := range waiting {
		if s.planned[j] == s.now {
			s.begin(j, s.cluster[j])
		}
	}
}

// moveUp moves jobs in the order of their reservations, to the first second in which their nodes
// are free and the job ahead in the cluster has started.
func (s *slow) moveUp(waiting []int) {
	var order []int
	for _, j := range waiting {
		if s.planned[j] > s.now {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.planned[i], s.planned[j]) })
	was := slices.Clone(s.planned)
	for _, j := range order {
		s.planned[j] = -1
	}
	ahead := map[int]int64{}
	for _, j := range order {
		at := max(s.now, ahead[s.cluster[j]])
		for s.free(s.cluster[j], at) < s.jobs[j].nodes {
			at++
		}
		s.planned[j], ahead[s.cluster[j]] = at, at
		if at > was[j] {
			panic("a job moves to a later time")
		}
	}
}

// plan finds the earliest reservation. An equally early one does not replace the present one.
func (s *slow) plan(j int) {
	was, place := s.planned[j], s.cluster[j]
	s.planned[j] = -1
	for at := s.now; ; at++ {
		if at == was {
			s.planned[j], s.cluster[j] = was, place
			return
		}
		c := s.pick(j, at, func(c int) bool {
			for t := at; t < at+s.expect[j]; t++ {
				if s.free(c, t) < s.jobs[j].nodes {
					return false
				}
			}
			return true
		})
		if c >= 0 {
			s.planned[j], s.cluster[j] = at, c
			return
		}
	}
}

// draw draws jobs that fit into the largest cluster, and run as long as expected at most, unless
// they may exceed their estimates. Run times are even, so that the mean of two is in whole seconds.
func draw(r *rand.Rand, jobs, largest int, exceed bool) []job {
	var list []job
	submit := int64(0)
	for range jobs {
		submit += r.Int64N(4)
		j := job{submit: submit, nodes: 1 + r.IntN(largest), run: 2 + 2*r.Int64N(5), user: r.Int64N(2)}
		j.est = j.run + r.Int64N(6)*r.Int64N(2)
		if exceed {
			j.est = 1 + r.Int64N(9)
		}
		list = append(list, j)
	}
	return list
}

func platforms() [][]int { return [][]int{{5}, {12}, {6, 4}, {4, 6}, {3, 3, 8}, {5, 2, 4, 3}} }

func compare(t *testing.T, r *rand.Rand, policies []string, jobs int, exceed bool) {
	t.Helper()
	compareWith(t, r, "each", policies, jobs, exceed)
}

func compareWith(t *testing.T, r *rand.Rand, compress string, policies []string, jobs int, exceed bool) {
	t.Helper()
	nodes := platforms()[r.IntN(len(platforms()))]
	list := draw(r, jobs, slices.Max(nodes), exceed)
	for _, policy := range policies {
		for _, choice := range []string{"first", "best"} {
			s := slow{jobs: list, nodes: nodes, policy: policy, choice: choice, how: compress}
			got := starts(run(t, workload(list), grid(nodes...), central.Options{
				Policy: policy, Choice: choice, Compress: compress,
			}))
			if want := s.run(); !slices.Equal(want, got) {
				text := ""
				for i, j := range list {
					text += fmt.Sprintf("%+v starts at %d, want %d\n", j, got[i], want[i])
				}
				require.FailNow(t, "not as run slowly", "%s, %s, clusters %v\n%s", policy, choice, nodes, text)
			}
		}
	}
}

func TestFCFSIsAsRunSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 1000 {
		compare(t, r, []string{"fcfs"}, 1+i%40, false)
	}
}

func TestConservativeIsAsSearchedByBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for i := range 3000 {
		compare(t, r, []string{"conservative"}, 1+i%6, false)
	}
	for i := range 300 {
		compare(t, r, []string{"conservative"}, 10+i%20, false)
	}
}

// The other ways in which reservations change, with estimates that are too long or too short.
func TestCompressionsAreAsRunSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for i := range 1000 {
		compareWith(t, r, "anew", []string{"conservative"}, 1+i%20, i%4 == 0)
		compareWith(t, r, "order", []string{"conservative"}, 1+i%20, i%4 == 0)
		compareWith(t, r, "never", []string{"conservative"}, 1+i%20, i%4 == 0)
	}
}

// Jobs 0 and 1 have two of four nodes each, until 10 and 6. Job 2 needs all nodes and is promised
// 10. Job 3 is promised 6, on the nodes of job 1. At 4, job 0 ends early.
//
//   - each: job 2 cannot move, as job 3 has two nodes from 6 to 10. Job 3 moves to 4. When it has
//     ended, at 8, job 2 moves to that time.
//   - order: job 3 moves to 4, and then job 2 to 8, after it.
//   - anew: job 2 comes first and gets all nodes at 6, before job 3, which has to wait until 11.
//   - never: both keep their promises.
func TestCompressionsByHand(t *testing.T) {
	jobs := []job{
		{submit: 0, nodes: 2, run: 4, est: 10}, {submit: 0, nodes: 2, run: 6, est: 6},
		{submit: 1, nodes: 4, run: 5, est: 5}, {submit: 2, nodes: 2, run: 4, est: 4},
	}
	check := func(want map[string][]int64) {
		for compress, starting := range want {
			got := starts(run(t, workload(jobs), grid(4), central.Options{Policy: "conservative", Compress: compress}))
			require.Equal(t, starting, got, "compress %q", compress)
		}
	}
	check(map[string][]int64{
		"": {0, 0, 8, 4}, "each": {0, 0, 8, 4}, "order": {0, 0, 8, 4}, "anew": {0, 0, 6, 11}, "never": {0, 0, 10, 6},
	})
	// Job 1 lasts until 12, so job 2 cannot move. Job 3 has two nodes from 4 to 12, but in order it
	// stays behind job 2.
	jobs[1].run, jobs[1].est = 12, 12
	check(map[string][]int64{
		"each": {0, 0, 12, 4}, "order": {0, 0, 12, 17}, "anew": {0, 0, 12, 4}, "never": {0, 0, 12, 17},
	})
	_, err := central.Run(context.Background(), workload(jobs), grid(4),
		central.Options{Policy: "conservative", Compress: "eech"})
	require.EqualError(t, err, `run a central policy: compress "eech" is not known; did you mean "each"?`)
}

func TestPoliciesAreAsRunSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for i := range 1000 {
		compare(t, r, []string{"fcfs-ideal", "first-fit", "easy", "easy-sjbf", "easy++", "sjf"}, 1+i%25, false)
	}
}

func TestExceededEstimatesAreAsRunSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for i := range 500 {
		compare(t, r, []string{"easy", "easy-sjbf", "easy++", "conservative"}, 1+i%20, true)
	}
}
