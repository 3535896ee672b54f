package central

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/canvass-grid/canvass/scheduler"
)

// Decider decides which of the waiting jobs start. It is called at each time at which jobs have
// been submitted or have ended, and when [View.Wake] asked for it. It starts jobs by [View.Start].
// An error ends the run.
//
// A decider belongs to one run, which calls it from one goroutine.
type Decider func() error

// registered are the policies from outside this package, in the order of registration.
var registered struct {
	lock sync.Mutex
	all  []policy
}

// Register adds a policy to those of this package: [Run] and [System] have it from then on, and
// with them the laboratory. For each run, open makes a decider that looks at the run through the
// view. Runs can take place at the same time, so deciders share nothing that they change.
//
// Call Register before the first run. It panics if the name is taken, or is not a plain word.
func Register(p scheduler.Policy, open func(*View) Decider) {
	if p.Name == "" || strings.ContainsAny(p.Name, " ,;:=|/\"") {
		panic(fmt.Sprintf("central: policy %q: a name is a word without blanks, commas, colons and the like", p.Name))
	}
	if slices.ContainsFunc(policies(), func(other policy) bool { return other.Name == p.Name }) {
		panic(fmt.Sprintf("central: policy %q is registered twice", p.Name))
	}
	registered.lock.Lock()
	defer registered.lock.Unlock()
	registered.all = append(registered.all, own(p, open))
}

// RunBy runs a policy that is not registered. The options name no policy.
func RunBy(
	ctx context.Context, w *scheduler.Workload, g *scheduler.Platform, p scheduler.Policy, open func(*View) Decider,
	o Options,
) (*Result, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	o.Policy = p.Name
	return run(ctx, w, g, own(p, open), o)
}

// own is a policy from outside this package.
func own(p scheduler.Policy, open func(*View) Decider) policy {
	p.Tasks = false // a view shows rigid jobs
	return policy{p, single, func(b base) discipline {
		q := &asked{base: b, view: newView(b)}
		b.view, b.wake = q.view, func() int64 { return q.view.wakeAt }
		q.decide = open(q.view)
		return q
	}}
}

// asked is a queue whose jobs a decider starts.
type asked struct {
	base
	view   *View
	decide Decider
	vain   int // decisions in a row, none of which had any news or started a job
}

// mostVain bounds the decisions in a row without any effect, so that a policy that only asks to be
// woken does not run forever.
const mostVain = 1_000_000

func (q *asked) submit(j int32) {
	q.view.waiting = append(q.view.waiting, j)
	q.view.submitted = append(q.view.submitted, j)
}

func (q *asked) release(j int32) {
	at := slices.Index(q.view.running, j)
	q.view.running = slices.Delete(q.view.running, at, at+1)
	q.view.ended = append(q.view.ended, j)
}

// pass asks the decider, if there is news for it. With passes "event", the event of a job that
// ended exactly as estimated is not news: the decider saw its nodes free before. After an error, it
// is not asked again.
func (q *asked) pass() {
	v := q.view
	hasNews := len(v.submitted)+len(v.ended) > 0 || v.wakeAt <= v.of.now
	if v.failure != nil || !hasNews {
		return
	}
	v.wakeAt = never
	started := q.started
	if err := q.decide(); err != nil {
		v.fail(err.Error(), err)
	}
	if len(v.submitted)+len(v.ended) > 0 || q.started > started {
		q.vain = 0
	} else if q.vain++; q.vain >= mostVain {
		v.fail(fmt.Sprintf("it asked to be woken %d times in a row without starting a job; wake at the time from "+
			"which a job may start", mostVain), nil)
	}
	v.submitted, v.ended = v.submitted[:0], v.ended[:0]
	v.compact()
}
