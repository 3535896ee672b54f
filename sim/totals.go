package sim

import (
	"cmp"
	"slices"
	"time"
)

// Totals sums up the runs of a scenario.
type Totals struct {
	Scenario     *Scenario
	Seeds, Again uint64 // seeds run, and run a second time
	Asked        uint64 // seeds requested; 0: without end
	Unrepeatable uint64
	Inconclusive uint64               // undecided seeds
	Violated     map[string]uint64    // number of runs, by property
	Shortest     map[string][]Finding // by property: the findings with the fewest steps, shortest first
	Counts       map[string]int
	Stats        Stats
	VirtualTime  time.Duration
	WorkTime     time.Duration // of all workers together
}

func (t *Totals) add(f Finding, again bool, took time.Duration) {
	t.Seeds++
	if again {
		t.Again++
	}
	if f.Unrepeatable {
		t.Unrepeatable++
	}
	r := f.Result
	if r.Verdict == Inconclusive {
		t.Inconclusive++
	}
	if r.Verdict == Violated {
		t.Violated[r.Property]++
		t.addShortest(f)
	}
	for name, n := range r.Counts {
		t.Counts[name] += n
	}
	t.Stats.add(r.Stats)
	t.VirtualTime += time.Duration(r.AtMicros) * time.Microsecond
	t.WorkTime += took
}

// maxShortest is how many findings of a property are shrunk. Only shrinking shows which of them
// shrinks to the least.
const maxShortest = 4

// addShortest adds a finding to the shortest ones of its property, if it is one of them.
func (t *Totals) addShortest(f Finding) {
	all := append(t.Shortest[f.Result.Property], f)
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Result.Length, b.Result.Length), cmp.Compare(a.Seed, b.Seed))
	})
	t.Shortest[f.Result.Property] = all[:min(len(all), maxShortest)]
}

// Properties lists the violated properties in alphabetical order.
func (t *Totals) Properties() []string {
	var names []string
	for name := range t.Violated {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Stats) add(o Stats) {
	s.Delivered += o.Delivered
	s.Steps += o.Steps
	s.Remembered += o.Remembered
	s.Sent += o.Sent
	s.Dropped += o.Dropped
	s.Duplicated += o.Duplicated
	s.Delayed += o.Delayed
	s.Undelivered += o.Undelivered
	s.Cut += o.Cut
	s.Timeouts += o.Timeouts
	s.Crashes += o.Crashes
	s.Restarts += o.Restarts
}
