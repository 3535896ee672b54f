package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/model/linear"
)

const (
	clientCount = 8
	patience    = 20 * time.Second // with a job, before a client leaves it to itself
	callLimit   = 5 * time.Second  // of one call that only asks
	exitShown   = 100              // jobs that fail exit with 1 to this
)

// Hundreds of clients that retry all the time would take the processors from the daemons that
// should answer them.
const (
	retryPause    = 200 * time.Millisecond // at first, and twice as long each time
	longestPause  = 3 * time.Second
	programsLimit = 8 // of "canvass submit" at a time
)

// handed is a job that a client submits.
type handed struct {
	key      string
	entry    int // the daemon that is asked
	spec     jobs.Spec
	code     int // that its tasks exit with
	duration time.Duration

	id       string        // once it was acknowledged
	revoked  bool          // a client has asked for its cancellation
	endKnown time.Duration // when a client first received the end; 0: not yet
}

// workload is the clients and their records.
type workload struct {
	seed    uint64
	sockets []string
	binary  string   // canvass
	task    []string // beginning of the command of a job

	programs chan struct{} // holds one for each program that runs

	mu       sync.Mutex
	begun    int // numbers of clients
	history  []linear.Operation
	jobs     map[string]*handed // that were acknowledged, by id
	wanted   int                // jobs that clients wanted to submit
	deaths   int                // of clients within a call
	commands int                // calls by the command line
	calls    int
	refusals []string
}

func newWorkload(seed uint64, bed *trials.Bed) *workload {
	return &workload{
		seed: seed, binary: bed.Canvass, task: bed.Job(), jobs: map[string]*handed{},
		programs: make(chan struct{}, programsLimit),
	}
}

// draw makes the next job of a client.
func (w *workload) draw(r *rand.Rand, key string) *handed {
	h := &handed{key: key, entry: r.IntN(len(w.sockets))}
	h.duration = between(r, 20*milli, 1500*milli)
	if r.IntN(8) == 0 {
		h.duration = between(r, 2*time.Second, 6*time.Second)
	}
	if r.IntN(5) == 0 {
		h.code = 1 + r.IntN(exitShown)
	}
	tasks := 1
	if r.IntN(2) == 0 {
		tasks = 2 + r.IntN(min(4, len(w.sockets))-1)
	}
	h.spec = jobs.Spec{
		Name: "nemesis", Tasks: tasks,
		Command: append(append([]string(nil), w.task...), h.duration.String(), strconv.Itoa(h.code)),
	}
	if declares(w.seed, key) {
		h.declare()
	}
	w.mu.Lock()
	w.wanted++
	w.mu.Unlock()
	return h
}

// number returns an unused number of a client.
func (w *workload) number() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun++
	return w.begun
}

// client is a user.
type client struct {
	*workload
	number int
	r      *rand.Rand
}

// run submits jobs until the context ends.
func (w *workload) run(ctx context.Context, i int) {
	c := &client{w, w.number(), rand.New(rand.NewPCG(w.seed, uint64(i)))}
	for n := 0; ctx.Err() == nil; n++ {
		h := w.draw(c.r, fmt.Sprintf("c%d-%d", i, n))
		if c.submit(ctx, h) {
			c.follow(ctx, h)
		}
		trials.Pause(ctx, between(c.r, 0, 300*milli))
	}
}

// burst submits jobs at once, and does not follow them.
func (w *workload) burst(ctx context.Context, entry, count int, name string) {
	var all sync.WaitGroup
	for n := range count {
		all.Go(func() {
			c := &client{w, w.number(), rand.New(rand.NewPCG(w.seed, uint64(n)<<32))}
			h := w.draw(c.r, fmt.Sprintf("%s-%d", name, n))
			h.entry, h.duration = entry, 50*milli
			h.spec.Command[len(w.task)] = h.duration.String()
			c.submit(ctx, h)
		})
	}
	all.Wait()
}

// submit tries until the job is acknowledged.
func (c *client) submit(ctx context.Context, h *handed) bool {
	for wait := retryPause; ctx.Err() == nil; wait = min(2*wait, longestPause) {
		var r *jobs.Record
		var err error
		if c.r.IntN(4) == 0 {
			c.programs <- struct{}{}
			r, err = c.call(ctx, linear.KeyedSubmit, h, c.deadline(), func(ctx context.Context) (*jobs.Record, error) {
				return c.command(ctx, h)
			})
			<-c.programs
		} else {
			r, err = c.call(ctx, linear.KeyedSubmit, h, c.deadline(), func(ctx context.Context) (*jobs.Record, error) {
				return c.daemon(h).Submit(ctx, api.Submission{Spec: h.spec, Key: h.key})
			})
		}
		if err == nil {
			c.acknowledged(h, r)
			return true
		}
		if errors.Is(err, jobs.ErrSpec) {
			c.mu.Lock()
			c.refusals = append(c.refusals, fmt.Sprintf("submit %s: %v", h.key, err))
			c.mu.Unlock()
			return false
		}
		trials.Pause(ctx, between(c.r, wait/2, wait))
	}
	return false
}

// deadline is the time limit of a call; some clients die after a moment.
func (c *client) deadline() time.Duration {
	if c.r.IntN(5) == 0 {
		return time.Duration(1+c.r.IntN(25)) * milli
	}
	return callLimit
}

func (c *client) daemon(h *handed) *api.Client { return api.NewClient(c.sockets[h.entry]) }

// command submits with the program, which is killed when the context ends.
func (c *client) command(ctx context.Context, h *handed) (*jobs.Record, error) {
	c.mu.Lock()
	c.commands++
	c.mu.Unlock()
	words := []string{"submit", "--json", "--socket", c.sockets[h.entry], "--key", h.key, "--name", h.spec.Name,
		"-k", strconv.Itoa(h.spec.Tasks)}
	for _, pattern := range h.spec.Outputs {
		words = append(words, "--output", pattern)
	}
	words = append(words, "--")
	cmd := exec.CommandContext(ctx, c.binary, append(words, h.spec.Command...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, errs.Bytes())
	}
	r := &jobs.Record{}
	return r, json.Unmarshal(out, r)
}

func (c *client) acknowledged(h *handed, r *jobs.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.id = r.ID
	c.jobs[r.ID] = h
}

// follow acts as a user does after a submission.
func (c *client) follow(ctx context.Context, h *handed) {
	switch what := c.r.IntN(10); {
	case what < 5:
		until := trials.BootTime() + patience
		for ctx.Err() == nil && trials.BootTime() < until && !c.status(ctx, h) {
			trials.Pause(ctx, between(c.r, 20*milli, 400*milli))
		}
	case what < 7:
		_, _ = c.call(ctx, linear.KeyedStatus, h, patience, func(ctx context.Context) (*jobs.Record, error) {
			return c.daemon(h).Wait(ctx, h.id)
		})
	case what < 9:
		trials.Pause(ctx, between(c.r, 0, 2*time.Second))
		c.mu.Lock()
		h.revoked = true
		c.mu.Unlock()
		limit := patience
		if c.r.IntN(4) == 0 {
			limit = c.deadline()
		}
		_, _ = c.call(ctx, linear.KeyedCancel, h, limit, func(ctx context.Context) (*jobs.Record, error) {
			return c.daemon(h).Cancel(ctx, h.id)
		})
	}
}

// status asks once, and reports whether the job has ended.
func (c *client) status(ctx context.Context, h *handed) bool {
	r, err := c.call(ctx, linear.KeyedStatus, h, callLimit, func(ctx context.Context) (*jobs.Record, error) {
		return c.daemon(h).Job(ctx, h.id)
	})
	return err == nil && r.State.Final()
}

// call makes one call, and keeps it for the history. A client that got no answer goes on under
// another number.
func (c *client) call(
	ctx context.Context, kind linear.KeyedKind, h *handed, limit time.Duration,
	do func(context.Context) (*jobs.Record, error),
) (*jobs.Record, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	o := linear.Operation{
		Client: c.number, Call: int64(trials.BootTime()), Open: true, Input: linear.KeyedInput{Kind: kind, Key: h.key},
	}
	r, err := do(limited)
	now := trials.BootTime()
	o.Return = int64(now)
	switch {
	case err == nil:
		o.Open = false
		out := linear.KeyedOutput{Job: r.ID}
		if r.State.Final() {
			out.End = string(r.State)
		}
		o.Output = out
	case errors.Is(err, jobs.ErrOver):
		o.Open, o.Output = false, linear.KeyedOutput{Job: h.id, End: linear.KeyedOver}
	case errors.Is(err, jobs.ErrUnknown):
		o.Open, o.Output = false, linear.KeyedOutput{}
	default:
		c.number = c.workload.number()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	if o.Open && limited.Err() != nil && ctx.Err() == nil {
		c.deaths++
	}
	c.history = append(c.history, o)
	ended := err == nil && r.State.Final() || errors.Is(err, jobs.ErrOver)
	if ended && h.endKnown == 0 {
		h.endKnown = now
	}
	return r, err
}
