package jobs

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// attendance is a command that submits a job, prints its output, and waits for its end. If the
// command ends first, it also ends the job, unless it is detached.
type attendance struct {
	Env
	*submission
	grid  *api.Client
	stage atomic.Int32
	job   atomic.Pointer[jobs.Record] // as it was taken; nil: the daemon has not acknowledged it
	over  chan struct{}               // closed if the job had ended before it was cancelled
}

// The stages of an attendance. It leaves the first one once.
const (
	preparing int32 = iota // the daemon is given the inputs of the job
	handedIn               // it is asked to take the job
	refrained              // the job is not submitted any more
)

// run submits, follows and waits.
func (e Env) run(s *submission, command []string) error {
	s.read = cli.NewGuard(e.Stdout, e.Stderr)
	job, err := s.job(command)
	if err != nil {
		return e.Coded(err)
	}
	g, err := s.Grid(e.Env)
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, client.EndSignals()...)
	defer signal.Stop(signals)
	s.key = cmp.Or(s.key, rand.Text())
	a := &attendance{Env: e, submission: s, grid: g, over: make(chan struct{})}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	done := make(chan error, 1)
	go func() { done <- a.attend(ctx, job) }()
	return e.Coded(a.await(ctx, signals, done))
}

// refrain reports that the job has not been submitted, and will not be.
func (a *attendance) refrain() bool { return a.stage.CompareAndSwap(preparing, refrained) }

// attend runs the command if nothing ends it.
func (a *attendance) attend(ctx context.Context, job jobs.FileJob) error {
	job, err := a.prepare(ctx, a.grid, job)
	if err != nil || !a.stage.CompareAndSwap(preparing, handedIn) {
		return err
	}
	r, err := a.handIn(ctx, a.Env, a.grid, job)
	if err != nil {
		return err
	}
	a.job.Store(r)
	a.Stderr.Printf("canvass: job %s\n", r.ID) // now: without the id, users cannot ask about the job later
	defer a.Notice(ctx, a.grid, client.Waits, client.Named(r.ID))()
	if r.Spec.Array == nil { // canvass logs ID[7] prints the output of one element
		f := follower{Env: a.Env, grid: a.grid, id: r.ID, follow: true, both: true, attempt: -1, tail: -1}
		if err := f.run(ctx); err != nil {
			return goesOn(r.ID, err)
		}
	}
	return goesOn(r.ID, a.ended(ctx, a.grid, r.ID))
}

// await waits until the command is done or something ends it. It waits for no reader that does not
// read.
func (a *attendance) await(ctx context.Context, signals <-chan os.Signal, done <-chan error) error {
	defer a.Stdout.Watch()()
	var cancelled time.Time
	for {
		select {
		case err := <-done:
			if errors.Is(err, cli.ErrOutput) {
				return a.undelivered(ctx, signals, done, err)
			}
			return err
		case <-a.Stdout.Failed():
			return a.undelivered(ctx, signals, done, a.Stdout.Err())
		case <-a.over:
			a.say("%s has ended; canvass logs %s prints its output", a.name(), a.name())
			return cli.Code(jobs.ExitCancelled)
		case s := <-signals:
			switch {
			case a.refrain():
				return cli.Code(jobs.ExitCancelled)
			case a.detach || s == syscall.SIGQUIT || !cancelled.IsZero() && time.Since(cancelled) > client.OneSignal:
				a.left()
				return cli.Code(jobs.ExitCancelled)
			case cancelled.IsZero():
				cancelled = time.Now()
				a.say("cancelling %s; Ctrl-C again leaves it to itself", a.name())
				go a.cancelJob(ctx)
			}
		}
	}
}

// undelivered cancels a job whose output has no reader, and waits until all its processes have
// ended.
func (a *attendance) undelivered(
	ctx context.Context, signals <-chan os.Signal, done <-chan error, err error,
) error {
	switch {
	case a.refrain():
		return err
	case a.detach:
		a.left()
		return err
	}
	a.say("cancelling %s, whose output cannot be written", a.name())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.cancelJob(ctx)
	}()
	for {
		select {
		case <-a.over:
			a.say("%s has ended; canvass logs %s prints its output", a.name(), a.name())
			return err
		case <-ended:
			return err
		case <-signals:
			a.left()
			return err
		case <-done:
			if a.job.Load() == nil {
				return err // the daemon has not taken it
			}
			done = nil
		}
	}
}

// cancelJob cancels the job and waits for its end. A job that is not acknowledged yet is looked for
// by its key.
func (a *attendance) cancelJob(ctx context.Context) {
	for id := ""; ctx.Err() == nil; time.Sleep(cancelEvery) {
		if r := a.job.Load(); r != nil {
			id = r.ID
		} else if id = client.Keyed(a.grid, a.key)(ctx); id == "" {
			continue
		}
		if _, err := a.grid.Cancel(ctx, id); errors.Is(err, jobs.ErrOver) {
			close(a.over)
		}
		return
	}
}

// cancelEvery is the pause between attempts to cancel a job that is not there yet.
const cancelEvery = 200 * time.Millisecond

// left reports the state of a job that its command leaves.
func (a *attendance) left() {
	if r := a.job.Load(); r != nil {
		a.say("%s goes on; canvass wait %s waits for it", r.ID, r.ID)
		return
	}
	a.say("the job may have been taken; canvass status lists it if so")
}

// name is the name of the job for people.
func (a *attendance) name() string {
	if r := a.job.Load(); r != nil {
		return r.ID
	}
	return "the job"
}

// say writes a line. It waits for no reader that does not read.
func (a *attendance) say(format string, args ...any) {
	said, limit := context.WithTimeout(context.Background(), sayPatience)
	defer limit()
	go func() {
		defer limit()
		a.Stderr.Printf("canvass: "+format+"\n", args...)
	}()
	<-said.Done()
}

const sayPatience = 300 * time.Millisecond
