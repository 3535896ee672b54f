package mutation

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/mutation/active"
)

// Killer is the kind of check that kills a mutant.
type Killer string

// The killers.
const (
	ByCheck    Killer = "check"
	ByTest     Killer = "test"
	ByScenario Killer = "scenario"
	Survives   Killer = "survives"
)

// Result is that of one mutant.
type Result struct {
	Key     string `json:"key"`
	Hash    string `json:"hash"`
	Line    string `json:"line"`
	Killer  Killer `json:"killer"`
	By      string `json:"by,omitempty"`   // a model, a test or a scenario
	What    string `json:"what,omitempty"` // a property, or another reason
	Reached int    `json:"reached"`        // models in which it would make a difference
	Tried   int    `json:"tried"`          // models tried
}

// Options of a campaign.
type Options struct {
	Workers     int
	States      uint64 // models with more are left out; 0: no limit
	CheckMillis int64  // models are tried on a mutant as long as they take without it; 0: all
	TestMillis  int64  // likewise for tests that take long
	Seeds       uint64 // of each scenario
	SceneMillis int64  // likewise for scenarios
	Models      []string
	Scenarios   []string
	Timeout     time.Duration // no further mutant is begun after it; 0: never
	Log         io.Writer
	Interrupt   chan os.Signal // ends the run after the mutants that are being tried
}

// candidate is a model or a scenario that may kill mutants.
type candidate struct {
	name     string
	states   uint64
	millis   int64
	infected map[uint32]bool
	tried    int
	kills    int
}

// score is the expected number of kills in a second.
func (c *candidate) score() float64 {
	return (float64(c.kills) + 0.5) / float64(c.tried+1) / float64(c.millis+3)
}

// campaign tries mutants.
type campaign struct {
	Options
	*bench
	lock      sync.Mutex // of the scores and the results
	models    []*candidate
	scenarios []*candidate
}

// Run tries mutants, in their order, and calls see with each result.
func (o Options) Run(root, folder, overlay string, mutants []Mutant, see func(Result) error) error {
	scratch, err := os.MkdirTemp("", "mutation") // short, for the sockets of tests
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil { // as the folders of tests are
		return err
	}
	mutants = withoutHarm(mutants, scratch, o.Log)
	b, err := buildBench(root, folder, overlay, scratch, len(o.Models)+len(o.Scenarios) > 0, mutants)
	if err != nil {
		return err
	}
	c := &campaign{Options: o, bench: b}
	if err := c.baseline(); err != nil {
		return err
	}
	queue := make(chan Mutant)
	failures := make(chan error, o.Workers)
	var working sync.WaitGroup
	for range o.Workers {
		working.Go(func() {
			w := &worker{binary: b.trial}
			defer w.stop()
			for m := range queue {
				r, err := c.try(w, m)
				if err != nil {
					failures <- fmt.Errorf("%s: %w", m.Key(), err)
					return
				}
				c.lock.Lock()
				err = see(r)
				c.lock.Unlock()
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	err = c.feed(queue, mutants, failures)
	close(queue)
	working.Wait()
	return err
}

// ErrInterrupted says that a run was interrupted. Its results are saved.
var ErrInterrupted = errors.New("interrupted; run it again to go on")

func (c *campaign) feed(queue chan<- Mutant, mutants []Mutant, failures <-chan error) error {
	var timeout <-chan time.Time
	if c.Timeout > 0 {
		timeout = time.After(c.Timeout)
	}
	for _, m := range mutants {
		select {
		case queue <- m:
		case <-timeout:
			return nil
		case <-c.Interrupt:
			return ErrInterrupted
		case err := <-failures:
			return err
		}
	}
	return nil
}

// baseline runs everything once without a mutant.
func (c *campaign) baseline() error {
	if err := c.recordTests(c.Log, c.Workers); err != nil {
		return err
	}
	var err error
	models := func(b Bounded) Request { return Request{Record: true, Models: []Bounded{b}} }
	if c.models, err = c.recordAll(c.Options.Models, models, c.States); err != nil {
		return err
	}
	scenarios := func(b Bounded) Request { return Request{Record: true, Scenarios: []Bounded{b}} }
	c.scenarios, err = c.recordAll(c.Options.Scenarios, scenarios, c.Seeds)
	return err
}

// recordAll runs models or scenarios without a mutant.
func (c *campaign) recordAll(names []string, request func(Bounded) Request, most uint64) ([]*candidate, error) {
	all := make([]*candidate, len(names))
	next := make(chan int)
	failures := make(chan error, c.Workers)
	var working sync.WaitGroup
	for range c.Workers {
		working.Go(func() {
			w := &worker{binary: c.trial}
			defer w.stop()
			for i := range next {
				found := &candidate{name: names[i], infected: map[uint32]bool{}}
				err := w.ask(request(Bounded{names[i], most}), func(int) time.Duration { return 10 * time.Minute }, func(a Answer) {
					found.states, found.millis = a.States, a.Millis
					for _, id := range a.Infected {
						found.infected[id] = true
					}
					if a.Killed != "" {
						found.name = ""
						if a.Killed == "more states" {
							return
						}
						fmt.Fprintf(c.Log, "left out: %s is not as expected without a mutant (%s)\n", names[i], a.Killed)
					}
				})
				if err != nil {
					failures <- fmt.Errorf("%s: %w", names[i], err)
					return
				}
				all[i] = found
			}
		})
	}
	err := func() error {
		defer close(next)
		for i := range names {
			select {
			case next <- i:
			case err := <-failures:
				return err
			}
		}
		return nil
	}()
	working.Wait()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(c *candidate) bool { return c == nil || c.name == "" }), nil
}

// try tries one mutant: models, then tests, then scenarios. Those of simulated daemons come before
// the tests: they take less time.
func (c *campaign) try(w *worker, m Mutant) (Result, error) {
	r := Result{Key: m.Key(), Hash: m.Hash, Line: fmt.Sprintf("%s:%d", m.File, m.Line), Killer: Survives}
	reached, chosen := c.choose(c.models, m.ID, c.CheckMillis)
	r.Reached = reached
	killed, err := c.ask(w, Request{Mutant: m.ID, Models: bounded(chosen, mostGrowth)}, chosen, &r)
	if killed || err != nil {
		r.Killer = ByCheck
		return r, err
	}
	first := simulated[m.Package] != nil
	if first {
		if err := c.tryScenarios(w, m, &r); err != nil || r.Killer != Survives {
			return r, err
		}
	}
	if c.tryTests(m, &r); r.Killer == Survives && !first {
		err = c.tryScenarios(w, m, &r)
	}
	return r, err
}

// tryScenarios tries one mutant in the scenarios in which it makes a difference.
func (c *campaign) tryScenarios(w *worker, m Mutant, r *Result) error {
	_, chosen := c.choose(c.scenarios, m.ID, c.SceneMillis)
	tried := r.Tried
	killed, err := c.ask(w, Request{Mutant: m.ID, Scenarios: bounded(chosen, 1)}, chosen, r)
	r.Tried = tried
	if killed {
		r.Killer = ByScenario
	}
	return err
}

// How long tests may take that a mutant is tried in: it must not count as killed since much else
// runs, or since tests wait for something.
const (
	patience       = 20 * time.Second
	patienceOfTest = 20 // times their processor time
)

// tryTests tries one mutant in the tests in which it makes a difference.
func (c *campaign) tryTests(m Mutant, r *Result) {
	for i := range c.tests {
		t := &c.tests[i]
		if !concerns(t.name, m.Package) {
			continue
		}
		for _, b := range t.batches(m.ID) {
			if c.TestMillis > 0 && b.millis > c.TestMillis {
				continue
			}
			most := patience + patienceOfTest*time.Duration(b.millis)*time.Millisecond
			if passed, out, _ := c.run(t, b.tests, fmt.Sprintf("%s=%d", active.Variable, m.ID), most); !passed {
				r.Killer, r.By, r.What = ByTest, packageOf(t.name), failed(out)
				return
			}
		}
	}
}

// choose lists the candidates in which a mutant would make a difference, the most promising first,
// as many as the time allows.
func (c *campaign) choose(all []*candidate, mutant uint32, millis int64) (reached int, chosen []*candidate) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, m := range all {
		if m.infected[mutant] {
			chosen = append(chosen, m)
		}
	}
	scores := map[*candidate]float64{}
	for _, m := range chosen {
		scores[m] = m.score()
	}
	slices.SortStableFunc(chosen, func(a, b *candidate) int { return cmp.Compare(scores[b], scores[a]) })
	reached = len(chosen)
	if millis > 0 {
		spent := int64(0)
		chosen = slices.DeleteFunc(chosen, func(m *candidate) bool {
			if spent+m.millis > millis {
				return true
			}
			spent += m.millis
			return false
		})
	}
	return reached, chosen
}

// mostGrowth is how many times its states without a mutant a model may have.
const mostGrowth = 10

// bounded lists candidates with a multiple of their effort without a mutant.
func bounded(chosen []*candidate, factor uint64) []Bounded {
	var all []Bounded
	for _, b := range chosen {
		all = append(all, Bounded{b.name, b.states * factor})
	}
	return all
}

// ask tries a mutant in the chosen candidates.
func (c *campaign) ask(w *worker, request Request, chosen []*candidate, r *Result) (killed bool, err error) {
	if len(chosen) == 0 {
		return false, nil
	}
	at := 0
	patience := func(n int) time.Duration {
		at = min(n, len(chosen)-1)
		return 8*time.Second + 20*time.Duration(chosen[at].millis)*time.Millisecond
	}
	err = w.ask(request, patience, func(a Answer) {
		r.Tried++
		c.lock.Lock()
		defer c.lock.Unlock()
		chosen[at].tried++
		if a.Killed != "" {
			chosen[at].kills++
			killed, r.By, r.What = true, a.Name, a.Killed
		}
	})
	if errors.Is(err, errSilent) {
		r.Tried++
		killed, r.By, r.What, err = true, chosen[at].name, "does not end", nil
	}
	return killed, err
}
