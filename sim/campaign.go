package sim

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Campaign runs worlds on many seeds. What it reports does not depend on the number of workers.
type Campaign struct {
	Scenarios []*Scenario
	First     uint64 // the first seed
	Seeds     uint64 // how many of each world; 0: until the context ends
	Workers   int    // goroutines; at least one
	// Shard I of N runs the seeds whose place is I modulo N. N of 0 is all.
	ShardIndex, ShardCount uint64
	// AgainEvery makes every so many-th seed run again, with every step made twice; both runs must
	// have the same digests. 0: never.
	AgainEvery uint64
	// Found is called as soon as a run violated something or could not be repeated, by one goroutine
	// at a time.
	Found func(f Finding)
	// Progress is called now and then, by one goroutine at a time.
	Progress      func(p Progress)
	ProgressEvery time.Duration
}

// Finding is a run that did not hold.
type Finding struct {
	Scenario *Scenario
	Seed     uint64
	Plan     *Plan
	Result   *Result
	// Unrepeatable says that the run came out differently the second time: the core, or the world, is
	// no function of its inputs.
	Unrepeatable bool
}

// What stands for a property where the run itself is at fault.
const (
	PanicProperty        = "Panic"        // a core panics
	UnrepeatableProperty = "Unrepeatable" // see Again
)

// Progress says how far a campaign has come.
type Progress struct {
	Runs, Of   uint64 // Of is 0 if there is no end
	Violations uint64 // that the worlds do not declare
	Messages   uint64
	Elapsed    time.Duration
}

// Run runs the campaign until all seeds are done or the context ends. An error is a plan that does
// not fit its world.
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

// share is how many seeds of each world this shard has to run.
func (c *Campaign) share() uint64 {
	if c.ShardCount == 0 || c.Seeds == 0 {
		return c.Seeds
	}
	return (c.Seeds + c.ShardCount - 1 - c.ShardIndex) / c.ShardCount
}

// effort is a campaign at work.
type campaignRun struct {
	*Campaign
	ctx     context.Context
	started time.Time
	next    atomic.Uint64 // task

	mutex    sync.Mutex
	totals   []Totals
	progress Progress
	err      error
}

// work takes one task after the other: the worlds in turns, seed by seed.
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
			e.err = fmt.Errorf("world %s, seed %d: %w", s.Name, seed, err)
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

// Again makes the run of a plan once more, with every step made twice, and reports whether it came
// out as it did before. If it did not, the core or the world is no function of its inputs, or a
// step changes what it was given.
func Again(s *Scenario, p *Plan, before *Result, o RunOptions) (same bool, err error) {
	o.Twice = true
	r, err := Try(s, p, o)
	return err == nil && !differ(before, r), err
}

// differ reports whether two runs of a plan came out differently. That one of them came to no
// verdict for lack of time is no difference.
func differ(a, b *Result) bool {
	decided := a.Verdict != Inconclusive && b.Verdict != Inconclusive
	return a.Digest != b.Digest || decided && (a.Verdict != b.Verdict || a.Property != b.Property)
}

// watch calls Progress now and then.
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
