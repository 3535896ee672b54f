package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/internal/blame"
)

// Campaign runs scenarios on many seeds. Its results do not depend on the number of workers.
type Campaign struct {
	Scenarios []*Scenario
	First     uint64 // the first seed
	Seeds     uint64 // per scenario; 0: until the context ends
	Workers   int    // goroutines, at least one
	// Shard I of N runs the seeds whose index is I modulo N. If N is 0, all seeds run.
	ShardIndex, ShardCount uint64
	// AgainEvery is the interval of seeds that run a second time, with every step executed twice. Both
	// runs must have the same digests. 0 means never.
	AgainEvery uint64
	// Found is called as soon as a run violates a property or cannot be repeated. Calls do not
	// overlap.
	Found func(f Finding)
	// Progress is called at intervals. Calls do not overlap.
	Progress      func(p Progress)
	ProgressEvery time.Duration
}

// Finding is a run that violated a property or could not be repeated.
type Finding struct {
	Scenario *Scenario
	Seed     uint64
	Plan     *Plan
	Result   *Result
	// Unrepeatable says that the second run differed from the first: the core or the scenario is not a
	// function of its inputs.
	Unrepeatable bool
	Why          string // the function that is to blame for that, if one was found
}

// Properties that stand for failures of the run itself.
const (
	PanicProperty        = "Panic"        // a function failed or broke its contract; see Try
	UnrepeatableProperty = "Unrepeatable" // two runs of a plan differed; see Again
)

// Progress says how far a campaign has come.
type Progress struct {
	Runs, Of   uint64 // Of is 0 if there is no end
	Violations uint64 // unexpected violations
	Messages   uint64
	Elapsed    time.Duration
}

// ErrCampaign is wrapped by the error about a campaign that cannot be run.
var ErrCampaign = errors.New("not a campaign")

// check reports what is wrong with a campaign.
func (c *Campaign) check() error {
	if len(c.Scenarios) == 0 {
		return fmt.Errorf("%w: it has no scenario, so it would show nothing", ErrCampaign)
	}
	if c.ShardCount > 0 && c.ShardIndex >= c.ShardCount {
		return fmt.Errorf("%w: shard %d of %d; ShardIndex counts from 0", ErrCampaign, c.ShardIndex, c.ShardCount)
	}
	met := map[string]bool{}
	for _, s := range c.Scenarios {
		missing := ""
		switch {
		case s == nil:
			return fmt.Errorf("%w: one of its scenarios is nil", ErrCampaign)
		case s.Draw == nil:
			missing = "Draw"
		case s.Run == nil:
			missing = "Run"
		case s.Properties == nil:
			missing = "Properties"
		case met[s.Name]:
			return fmt.Errorf("%w: two scenarios have the name %q", ErrCampaign, s.Name)
		}
		if missing != "" {
			return fmt.Errorf("%w: scenario %q has no %s, which is needed", ErrCampaign, s.Name, missing)
		}
		met[s.Name] = true
	}
	return nil
}

// Run runs the campaign until all seeds are done or the context ends. The error is that of a plan
// that is impossible in its scenario, or of a function that fails before there is a plan.
func (c *Campaign) Run(ctx context.Context) ([]Totals, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	e := &campaignRun{Campaign: c, ctx: ctx, started: time.Now()}
	for _, scenario := range c.Scenarios {
		e.totals = append(
			e.totals,
			Totals{
				Scenario: scenario,
				Asked:    c.share(),
				Violated: map[string]uint64{},
				Shortest: map[string][]Finding{},
				Counts:   map[string]int{},
			},
		)
	}
	done := make(chan struct{})
	var watching, working sync.WaitGroup
	watching.Go(func() { e.reportProgress(done) })
	for range max(1, c.Workers) {
		working.Go(e.work)
	}
	working.Wait()
	close(done)
	watching.Wait()
	return e.totals, e.err
}

// share is the number of seeds of each scenario that this shard runs.
func (c *Campaign) share() uint64 {
	if c.ShardCount == 0 || c.Seeds == 0 {
		return c.Seeds
	}
	return (c.Seeds + c.ShardCount - 1 - c.ShardIndex) / c.ShardCount
}

// campaignRun is a campaign in progress.
type campaignRun struct {
	*Campaign
	ctx     context.Context
	started time.Time
	next    atomic.Uint64 // index of the next task

	mutex    sync.Mutex
	totals   []Totals
	progress Progress
	err      error
	failed   atomic.Bool // err is set
}

// work takes tasks until the list is empty: seed by seed, each seed for all scenarios.
func (e *campaignRun) work() {
	scenarios, share := uint64(len(e.Scenarios)), e.share()
	for scenarios > 0 {
		task := e.next.Add(1) - 1
		number := task / scenarios
		if e.Seeds > 0 && number >= share || e.ctx.Err() != nil || e.failed.Load() {
			return
		}
		if e.ShardCount > 0 {
			number = number*e.ShardCount + e.ShardIndex
		}
		if !e.seed(int(task%scenarios), number) {
			return
		}
	}
}

func (e *campaignRun) seed(index int, number uint64) bool {
	s, seed, begun := e.Scenarios[index], e.First+number, time.Now()
	plan, err := draw(s, seed)
	f := Finding{Scenario: s, Seed: seed, Plan: plan}
	again := false
	if err == nil {
		f.Result, err = Try(s, plan, RunOptions{Stop: e.stopped})
	}
	if err == nil && e.AgainEvery > 0 && number%e.AgainEvery == 0 {
		again, err = e.again(&f)
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if err != nil {
		if e.ctx.Err() == nil {
			e.fail(fmt.Errorf("run seed %[2]d of scenario %[1]s: %[3]w", s.Name, seed, err))
		}
		return false
	}
	e.totals[index].add(f, again, time.Since(begun))
	e.progress.Runs++
	r := f.Result
	e.progress.Messages += r.Stats.Delivered
	if r.Verdict == Violated || f.Unrepeatable {
		if f.Unrepeatable || s.Expected[r.Property] == "" {
			e.progress.Violations++
		}
		if e.Found != nil {
			return e.guard("Found of the campaign", func() { e.Found(f) })
		}
	}
	return true
}

func (e *campaignRun) stopped() bool { return e.ctx.Err() != nil }

// fail ends the campaign with an error. The first one counts.
func (e *campaignRun) fail(err error) {
	if e.err == nil {
		e.err = err
	}
	e.failed.Store(true)
}

// guard calls a function of the campaign. If it does not return, the campaign ends with an error
// that names it.
func (e *campaignRun) guard(name string, f func()) bool {
	apart(&blame.Log{}, name, f, func(failed *failure) { e.fail(failed) })
	return !e.failed.Load()
}

// draw draws the plan of a seed.
func draw(s *Scenario, seed uint64) (p *Plan, err error) {
	apart(&blame.Log{}, "Draw", func() { p = s.Draw(seed) }, func(f *failure) { err = f })
	if err == nil && p == nil {
		err = errors.New("Draw returns no plan; it must return one for each seed")
	}
	return p, err
}

// again draws and runs a seed again, and notes whether that came out the same. It reports false if
// it was stopped.
func (e *campaignRun) again(f *Finding) (done bool, err error) {
	p, err := draw(f.Scenario, f.Seed)
	if err != nil {
		return false, err
	}
	if p.String() != f.Plan.String() {
		f.Unrepeatable, f.Why = true, "Draw makes another plan when called again with the same seed; "+
			"it must depend on nothing but the seed"
		return true, nil
	}
	same, err := Again(f.Scenario, p, f.Result, RunOptions{Stop: e.stopped})
	if err != nil {
		return false, nil // the run has been made once, so it is not impossible
	}
	if f.Unrepeatable = !same; f.Unrepeatable {
		f.Why = suspect(f.Scenario, p, RunOptions{Stop: e.stopped})
	}
	return true, nil
}

// suspect makes a run once more and tests the functions of its simulation in every step. It says
// which one is to blame for a run that cannot be repeated, or returns "".
func suspect(s *Scenario, p *Plan, o RunOptions) string {
	o.careful = true
	r, err := Try(s, p, o)
	if err != nil || r.Property != PanicProperty {
		return ""
	}
	return r.Where
}

// Again repeats the run of a plan, with every step executed twice, and reports whether it came out
// the same. If not, the core or the scenario is not a function of its inputs, or a step modifies
// its input.
func Again(s *Scenario, p *Plan, before *Result, o RunOptions) (same bool, err error) {
	o.Twice = true
	r, err := Try(s, p, o)
	return err == nil && !differ(before, r), err
}

// differ reports whether two runs of a plan came out differently. A run that was undecided for lack
// of time does not differ from a decided one.
func differ(a, b *Result) bool {
	decided := a.Verdict != Inconclusive && b.Verdict != Inconclusive
	return a.Digest != b.Digest || decided && (a.Verdict != b.Verdict || a.Property != b.Property)
}

// reportProgress calls Progress at intervals.
func (e *campaignRun) reportProgress(done <-chan struct{}) {
	if e.Progress == nil {
		return
	}
	every := e.ProgressEvery
	if every <= 0 {
		every = time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			e.mutex.Lock()
			p := e.progress
			p.Of = e.share() * uint64(len(e.Scenarios))
			p.Elapsed = time.Since(e.started)
			going := e.guard("Progress of the campaign", func() { e.Campaign.Progress(p) })
			e.mutex.Unlock()
			if !going {
				return
			}
		}
	}
}

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
