package daemon

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// How long a command waits for a job before it looks whether daemons are missing, and how often it
// looks again.
const (
	noticeAfter = 5 * time.Second
	noticeEvery = 20 * time.Second
)

// notice says on the error stream, until it is stopped, which daemons are missing while a command
// waits for a job. The job has no id as long as it is not known to the daemon.
func (e Env) notice(
	ctx context.Context, g api.Grid, after time.Duration, id func(context.Context) string,
) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for said := ""; ; after = noticeEvery {
			select {
			case <-ctx.Done():
				return
			case <-time.After(after):
			}
			job := id(ctx)
			if job == "" {
				continue
			}
			why, err := g.Why(ctx, job)
			if err != nil || len(why.Missing) == 0 {
				continue // the command itself says what is wrong
			}
			text := fmt.Sprintf("canvass: %s waits for %s; canvass why %s says more\n",
				why.Job, oneOf(why.Missing), why.Job)
			if text != said && ctx.Err() == nil {
				said = text
				fmt.Fprint(e.Stderr, text)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// oneOf names nodes of which one suffices.
func oneOf(nodes []protocol.NodeID) string {
	if len(nodes) == 1 {
		return fmt.Sprintf("node %v, which is down", nodes[0])
	}
	return "one of the nodes " + strings.ReplaceAll(strings.Trim(fmt.Sprint(nodes), "[]"), " ", ", ") + ", which are down"
}

// named is a job whose id is known.
func named(id string) func(context.Context) string {
	return func(context.Context) string { return id }
}

// keyed is the job of a key, of which the daemon knows before it acknowledges it.
func keyed(g api.Grid, key string) func(context.Context) string {
	return func(ctx context.Context) string {
		all, err := g.Jobs(ctx)
		if err != nil {
			return ""
		}
		if i := slices.IndexFunc(all, func(r *jobs.Record) bool { return r.Key == key }); i >= 0 {
			return all[i].ID
		}
		return ""
	}
}
