package sim

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Campaign runs scenarios on many seeds. Its results do not depend on the number of workers.
type Campaign struct {
	Scenarios []*Scenario
	First     uint64 // the first seed
	Seeds     uint64 // per scenario; 0: until the context ends
	Workers   int    // goroutines, at least one
	// Shard I of N runs the seeds whose index is I modulo N. If N is 0, all seeds run.
	ShardIndex, ShardCount uint64
	// AgainEvery runs every so many-th seed a second time, with every step executed twice. Both runs
	// must have the same digests. 0 means never.
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
}

// Properties that stand for failures of the run itself.
const (
	PanicProperty        = "Panic"        // a core panicked
	UnrepeatableProperty = "Unrepeatable" // two runs of a plan differed; see Again
)

// Progress says how far a campaign has come.
type Progress struct {
	Runs, Of   uint64 // Of is 0 if there is no end
	Violations uint64 // those that are not expected
	Messages   uint64
	Elapsed    time.Duration
}

// Run runs the campaign until all seeds are done or the context ends. The error is that of a plan
// that is impossible in its scenario.
func (c *Campaign) Run(ctx context.Context) ([]Totals, error) {
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
}

// work takes tasks until none is left: seed by seed, each seed for all scenarios.
func (e *campaignRun) work() {
	scenarios, share := uint64(len(e.Scenarios)), e.share()
	for scenarios > 0 {
		task := e.next.Add(1) - 1
		number := task / scenarios
		if e.Seeds > 0 && number >= share || e.ctx.Err() != nil {
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
	stop := func() bool { return e.ctx.Err() != nil }
	plan := s.Draw(seed)
	r, err := Try(s, plan, RunOptions{Stop: stop})
	f := Finding{Scenario: s, Seed: seed, Plan: plan, Result: r}
	again := err == nil && e.AgainEvery > 0 && number%e.AgainEvery == 0
	if again {
		same, err := Again(s, s.Draw(seed), r, RunOptions{Stop: stop})
		again = err == nil
		f.Unrepeatable = again && !same
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if err != nil {
		if e.ctx.Err() == nil && e.err == nil {
			e.err = fmt.Errorf("run seed %[2]d of scenario %[1]s: %[3]w", s.Name, seed, err)
		}
		return false
	}
	e.totals[index].add(f, again, time.Since(begun))
	e.progress.Runs++
	e.progress.Messages += r.Stats.Delivered
	if r.Verdict == Violated || f.Unrepeatable {
		if f.Unrepeatable || s.Expected[r.Property] == "" {
			e.progress.Violations++
		}
		if e.Found != nil {
			e.Found(f)
		}
	}
	return true
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
			e.Campaign.Progress(p)
			e.mutex.Unlock()
		}
	}
}

// Try makes a run. A core that panics violates [PanicProperty].
func Try(s *Scenario, p *Plan, o RunOptions) (r *Result, err error) {
	defer func() {
		if what := recover(); what != nil {
			r, err = &Result{Verdict: Violated, Property: PanicProperty, Where: fmt.Sprint(what)}, nil
		}
	}()
	return s.Run(p, o)
}
