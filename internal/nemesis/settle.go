package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// settle waits until all jobs have ended and all daemons are members again, and then makes each
// daemon run a job. It gives up when no job has ended for the time that the grid has to settle:
// faults of many minutes leave many jobs behind.
func (r *run) settle(ctx context.Context) map[string]*jobs.Record {
	healed := bootTime()
	last, most := healed, -1
	final := map[string]*jobs.Record{}
	for ctx.Err() == nil {
		r.until(ctx, bootTime()+lookEvery)
		open := r.collect(ctx, final)
		whole, why := r.whole(ctx)
		if r.report.Open, r.report.Unsettled = open, why; len(open) == 0 && whole {
			break
		}
		limit := r.Settle
		if !r.Plan.Bounds.Progress() {
			limit = min(limit, unjudged)
		}
		if n := ended(final); n > most {
			last, most = bootTime(), n
		}
		if now := bootTime(); now-last > limit || now-healed > mostSettling*limit {
			r.say("not settled: %d jobs are open; %s", len(open), why)
			r.explain(ctx, final)
			break
		}
	}
	r.report.SettledAfter = bootTime() - healed
	r.removed(ctx)
	r.probe(ctx)
	// A daemon that has ended meanwhile is started again, so that its records can be read.
	for limit := bootTime() + readyLimit; ctx.Err() == nil && bootTime() < limit; {
		r.until(ctx, bootTime()+100*milli)
		r.silent, r.readAt = 0, bootTime()
		if r.collect(ctx, final); r.silent == 0 {
			break
		}
	}
	return final
}

// lookEvery is how often all daemons are asked for all their jobs: to answer keeps them from these.
const lookEvery = 2000 * milli

// ended counts the jobs whose end was seen. That number only grows, while a daemon that is silent
// hides jobs that are open.
func ended(final map[string]*jobs.Record) (n int) {
	for _, record := range final {
		if record.State.Final() {
			n++
		}
	}
	return n
}

// mostSettling bounds how many times the time to settle may begin anew.
const mostSettling = 20

// collect reads the records of all daemons, and returns the jobs that have not ended. Of several
// copies of a job the newest counts.
func (r *run) collect(ctx context.Context, final map[string]*jobs.Record) (open []string) {
	at := map[string]int{}
	for i, socket := range r.workload.sockets {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		all, err := api.NewClient(socket).Jobs(limited, api.ListQuery{Only: true, Whole: true})
		cancel()
		if err != nil {
			r.silent++
			open = append(open, fmt.Sprintf("those of n%d, which does not answer: %v", i+1, err))
		}
		for _, record := range all.Jobs {
			if old := final[record.ID]; old == nil || !jobs.Fresher(old, record) {
				final[record.ID], at[record.ID] = record, i
			}
		}
	}
	for id, i := range at {
		if record := final[id]; !record.State.Final() && !r.bereft(record) && !r.isOrphan(record) {
			open = append(open, fmt.Sprintf("%s at n%d: %s, %d attempts, wish %q, %s",
				id, i+1, record.State, len(record.Attempts), record.Wish, record.Note))
		}
	}
	return open
}

// explain logs what the daemons say of the jobs that have not ended.
func (r *run) explain(ctx context.Context, final map[string]*jobs.Record) {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	nodes, err := api.NewClient(r.workload.sockets[0]).Nodes(limited)
	cancel()
	r.say("error %v", err)
	for _, n := range nodes {
		r.say("%v: zone %s, cluster %v, queue %d, runs %q", n.Node, n.Zone, n.Cluster, n.Queue, n.Running)
	}
	for id, h := range r.workload.jobs {
		record := final[id]
		if record == nil || record.State.Final() {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, callLimit)
		why, err := api.NewClient(r.workload.sockets[h.entry]).Why(limited, id)
		cancel()
		r.say("%s of %d at n%d, owner %v, custodians %v, tries %d, changes %v: %+v %v", id, h.spec.Tasks, h.entry+1,
			record.Owner, record.Custodians.Nodes(), record.Tries, record.Changes, why, err)
	}
}

// whole reports whether all daemons answer, are members, and know each other, and zones of members
// are all of the map.
func (r *run) whole(ctx context.Context) (bool, string) {
	for i, socket := range r.workload.sockets {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		nodes, err := api.NewClient(socket).Nodes(limited)
		cancel()
		if err != nil {
			return false, fmt.Sprintf("n%d does not answer: %v", i+1, err)
		}
		nodes = slices.DeleteFunc(nodes, func(n api.NodeReport) bool { return r.isLost(n) || r.isHostile(n) })
		if len(nodes) != r.Plan.Nodes {
			return false, fmt.Sprintf("n%d knows %d nodes, not %d", i+1, len(nodes), r.Plan.Nodes)
		}
		for _, n := range nodes {
			if n.Error != "" || n.Zone == "" {
				return false, fmt.Sprintf("n%d says of %v: phase %q %s", i+1, n.Node, n.Phase, n.Error)
			}
		}
		if broken := api.Broken(nodes); broken != "" {
			return false, fmt.Sprintf("n%d says: %s", i+1, broken)
		}
	}
	return true, ""
}

const (
	ownFolders   = "work/.own"     // of a daemon, where working folders are
	goneFolder   = "work/.gone"    // of a daemon, where working folders are removed
	removalLimit = 5 * time.Minute // within which they are gone, once all else has settled
)

// removed waits until daemons have removed what jobs have left.
func (r *run) removed(ctx context.Context) {
	left := func() (text string) {
		for i := range r.workload.sockets {
			if folders, _ := os.ReadDir(filepath.Join(r.grid.Data(i), goneFolder)); len(folders) > 0 {
				text = fmt.Sprintf("n%d removes what %d tasks have left", i+1, len(folders))
			}
		}
		return text
	}
	began := bootTime()
	for ctx.Err() == nil && left() != "" && bootTime()-began < removalLimit {
		r.until(ctx, bootTime()+100*milli)
	}
	if text := left(); text != "" {
		r.say("%s", text) // which J7 finds
	}
}

// unjudged is how long a run waits for what is not judged.
const unjudged = 20 * time.Second

// probeLimit is how long a job takes at most in a grid that has settled.
const probeLimit = 15 * time.Second

// probe hands one job in at each daemon.
func (r *run) probe(ctx context.Context) {
	for i := range r.workload.sockets {
		c := &client{r.workload, r.workload.number(), nil}
		h := &handed{key: fmt.Sprintf("probe-%d", i), entry: i, duration: 50 * milli}
		h.spec = jobs.Spec{Tasks: min(4, r.Plan.Nodes), Command: append(slices.Clone(c.task), h.duration.String(), "0")}
		limited, cancel := context.WithTimeout(ctx, probeLimit)
		began := bootTime()
		record, err := c.daemon(h).Submit(limited, api.Submission{Spec: h.spec, Key: h.key})
		if err == nil {
			c.acknowledged(h, record)
			record, err = c.daemon(h).Wait(limited, record.ID)
		}
		cancel()
		if err != nil || record.State != jobs.Succeeded {
			r.report.Probes = append(r.report.Probes, fmt.Sprintf("a job of %d tasks at n%d: %v", h.spec.Tasks, i+1, err))
		}
		r.say("a job at n%d took %v, error %v", i+1, (bootTime() - began).Round(milli), err)
	}
}

// outputError begins what stands for an output that nobody has.
const outputError = "error: "

// outputs fetches what the tasks of jobs have printed that have succeeded, by job and rank.
func (r *run) outputs(ctx context.Context, final map[string]*jobs.Record) map[string][]string {
	all := map[string][]string{}
	for id, h := range r.workload.jobs {
		record := final[id]
		if record == nil || record.State != jobs.Succeeded {
			continue
		}
		for rank := range record.Spec.Tasks {
			all[id] = append(all[id], r.output(ctx, h, rank))
		}
	}
	return all
}

// output fetches what a rank of a job has printed.
func (r *run) output(ctx context.Context, h *handed, rank int) string {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	out, err := api.NewClient(r.workload.sockets[h.entry]).Output(limited, h.id,
		api.OutputQuery{Attempt: -1, Rank: rank, Stream: "stdout"})
	if err != nil {
		return outputError + err.Error()
	}
	defer out.Close()
	all, err := io.ReadAll(out)
	if err != nil {
		return outputError + err.Error()
	}
	return string(all)
}
