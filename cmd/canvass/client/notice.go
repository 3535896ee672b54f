package client

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// notices are how a command says why it waits for a job.
type notices struct {
	after, every time.Duration // when it looks for the first time, and again
	reasons      bool          // it says any reason why the job does not run, not only missing daemons
}

var (
	// Waits is how a command waits for a job to run.
	Waits = notices{after: 1500 * time.Millisecond, every: 5 * time.Second, reasons: true}
	// Alters is how a command changes a job, which need not run for it.
	Alters = notices{after: 1500 * time.Millisecond, every: 5 * time.Second}
)

// Notice says on the error stream, until it is stopped, why a command waits for a job: once, and
// again when it waits for another reason. The job has no id as long as it is not known to the
// daemon.
func (e Env) Notice(
	ctx context.Context, g api.Grid, how notices, id func(context.Context) string,
) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for said, after := "", how.after; ; after = how.every {
			select {
			case <-ctx.Done():
				return
			case <-time.After(after):
			}
			job := id(ctx)
			if job == "" {
				continue
			}
			text, about := reason(ctx, g, job, how.reasons)
			if text != "" && about != said && ctx.Err() == nil {
				said = about
				e.Stderr.Printf("canvass: %s\n", text)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// reason says why a job waits, and returns a key for comparison, since equal reasons may have other
// numbers. It says nothing of a job that runs, nor of an error: the command itself does.
func reason(ctx context.Context, g api.Grid, job string, all bool) (text, about string) {
	why, err := g.Why(ctx, job)
	if err != nil || len(why.Reasons) == 0 {
		return "", ""
	}
	text = fmt.Sprintf("%s waits. %s", why.Job, why.Reasons[0])
	if len(why.Missing) > 0 || why.NoLease {
		return text, text
	}
	if !all {
		text = withoutLease(ctx, g) // a job that has ended waits for nothing, but the command does
		return text, text
	}
	r, err := g.Job(ctx, why.Job)
	if err != nil || r.State != jobs.Accepted && r.State != jobs.Queued || r.Open() != nil || r.Spec.Array != nil {
		return "", ""
	}
	return text, strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

// withoutLease says that the daemon that is asked has no lease.
func withoutLease(ctx context.Context, g api.Grid) string {
	here, err := g.Report(ctx, "")
	if err != nil {
		return ""
	}
	return here.NoLease
}

// Named is a job whose id is known.
func Named(id string) func(context.Context) string {
	return func(context.Context) string { return id }
}

// Keyed is the job of a key, of which the daemon knows before it acknowledges it.
func Keyed(g api.Grid, key string) func(context.Context) string {
	return func(ctx context.Context) string {
		all, err := g.Jobs(ctx, api.ListQuery{Only: true, Key: key})
		if err != nil || len(all.Jobs) == 0 {
			return ""
		}
		return all.Jobs[0].ID
	}
}
