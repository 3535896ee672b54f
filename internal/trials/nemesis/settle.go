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
	"github.com/canvass-grid/canvass/internal/trials"
)

// settling is the end of a run, after the faults.
type settling struct {
	*run
	final  map[string]*jobs.Record // by id
	silent int                     // daemons that did not answer when records were collected
	readAt time.Duration           // when records were collected last, on CLOCK_BOOTTIME
}

// settle waits until all jobs have ended and all daemons are members again, and then submits a job
// to each daemon. It gives up when no job has ended for the time to settle: faults of many minutes
// leave many jobs behind.
func (s *settling) settle(ctx context.Context) {
	healed := trials.BootTime()
	last, most := healed, -1
	for ctx.Err() == nil {
		s.until(ctx, trials.BootTime()+lookEvery)
		open := s.collect(ctx)
		whole, why := s.whole(ctx)
		if s.report.Open, s.report.Unsettled = open, why; len(open) == 0 && whole {
			break
		}
		limit := s.Settle
		if !s.Plan.Bounds.Progress() {
			limit = min(limit, unjudged)
		}
		if n := ended(s.final); n > most {
			last, most = trials.BootTime(), n
		}
		if now := trials.BootTime(); now-last > limit || now-healed > mostSettling*limit {
			s.say("not settled: %d jobs are open; %s", len(open), why)
			s.explain(ctx)
			break
		}
	}
	s.report.SettledAfter = trials.BootTime() - healed
	s.removed(ctx)
	s.probe(ctx)
	// A daemon that has ended meanwhile is started again, so that its records can be read.
	for limit := trials.BootTime() + readyLimit; ctx.Err() == nil && trials.BootTime() < limit; {
		s.until(ctx, trials.BootTime()+100*milli)
		s.silent, s.readAt = 0, trials.BootTime()
		if s.collect(ctx); s.silent == 0 {
			break
		}
	}
}

// lookEvery is the interval at which all daemons are asked for all their jobs. The answers cost
// them time that their jobs need.
const lookEvery = 2000 * milli

// ended counts the jobs whose end was seen. That number only grows, while a silent daemon hides
// open jobs.
func ended(final map[string]*jobs.Record) (n int) {
	for _, record := range final {
		if record.State.Final() {
			n++
		}
	}
	return n
}

// mostSettling bounds how often the time to settle may start again.
const mostSettling = 20

// collect reads the records of all daemons, and returns the jobs that have not ended. The
// newest of several copies of a job counts.
func (s *settling) collect(ctx context.Context) (open []string) {
	at := map[string]int{}
	for i, socket := range s.workload.sockets {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		all, err := api.NewClient(socket).Jobs(limited, api.ListQuery{Only: true, Whole: true})
		cancel()
		if err != nil {
			s.silent++
			open = append(open, fmt.Sprintf("those of n%d, which does not answer: %v", i+1, err))
		}
		for _, record := range all.Jobs {
			if old := s.final[record.ID]; old == nil || !jobs.Fresher(old, record) {
				s.final[record.ID], at[record.ID] = record, i
			}
		}
	}
	for id, i := range at {
		record, acknowledged := s.final[id], s.workload.jobs[id] != nil
		if !record.State.Final() && !s.bereft(record) && !s.isOrphan(record, acknowledged) {
			open = append(open, fmt.Sprintf("%s at n%d: %s, %d attempts, requested end %q, %s",
				id, i+1, record.State, len(record.Attempts), record.Requested, record.Note))
		}
	}
	return open
}

// explain logs the reports of the daemons about open jobs.
func (s *settling) explain(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	nodes, err := api.NewClient(s.workload.sockets[0]).Nodes(limited)
	cancel()
	s.say("error %v", err)
	for _, n := range nodes {
		s.say("%v: zone %s, cluster %v, queue %d, runs %q", n.Node, n.Zone, n.Cluster, n.Queue, n.Running)
	}
	for id, h := range s.workload.jobs {
		record := s.final[id]
		if record == nil || record.State.Final() {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, callLimit)
		why, err := api.NewClient(s.workload.sockets[h.entry]).Why(limited, id)
		cancel()
		s.say("%s of %d at n%d, owner %v, custodians %v, tries %d, changes %v: %+v %v", id, h.spec.Tasks, h.entry+1,
			record.Owner, record.Custodians.Nodes(), record.Tries, record.Changes, why, err)
	}
}

// whole reports whether all daemons answer, are members, and know each other, and zones of members
// are all of the map.
func (s *settling) whole(ctx context.Context) (bool, string) {
	for i, socket := range s.workload.sockets {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		nodes, err := api.NewClient(socket).Nodes(limited)
		cancel()
		if err != nil {
			return false, fmt.Sprintf("n%d does not answer: %v", i+1, err)
		}
		nodes = slices.DeleteFunc(nodes, func(n api.NodeReport) bool { return s.isLost(n) || s.isHostile(n) })
		if len(nodes) != s.Plan.Nodes {
			return false, fmt.Sprintf("n%d knows %d nodes, not %d", i+1, len(nodes), s.Plan.Nodes)
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

// removed waits until daemons have removed the files of jobs.
func (s *settling) removed(ctx context.Context) {
	left := func() (text string) {
		for i := range s.workload.sockets {
			if folders, _ := os.ReadDir(filepath.Join(s.grid.Data(i), goneFolder)); len(folders) > 0 {
				text = fmt.Sprintf("n%d removes what %d tasks have left", i+1, len(folders))
			}
		}
		return text
	}
	began := trials.BootTime()
	for ctx.Err() == nil && left() != "" && trials.BootTime()-began < removalLimit {
		s.until(ctx, trials.BootTime()+100*milli)
	}
	if text := left(); text != "" {
		s.say("%s", text) // which J7 finds
	}
}

// unjudged is how long a run waits for conditions that are not judged.
const unjudged = 20 * time.Second

// probeLimit is the time limit for a job in a settled grid.
const probeLimit = 15 * time.Second

// probe submits one job to each daemon.
func (s *settling) probe(ctx context.Context) {
	for i := range s.workload.sockets {
		c := &client{s.workload, s.workload.number(), nil}
		h := &handed{key: fmt.Sprintf("probe-%d", i), entry: i, duration: 50 * milli}
		h.spec = jobs.Spec{Tasks: min(4, s.Plan.Nodes), Command: append(slices.Clone(c.task), h.duration.String(), "0")}
		limited, cancel := context.WithTimeout(ctx, probeLimit)
		began := trials.BootTime()
		record, err := c.daemon(h).Submit(limited, api.Submission{Spec: h.spec, Key: h.key})
		if err == nil {
			c.acknowledged(h, record)
			record, err = c.daemon(h).Wait(limited, record.ID)
		}
		cancel()
		if err != nil || record.State != jobs.Succeeded {
			s.report.Probes = append(s.report.Probes, fmt.Sprintf("a job of %d tasks at n%d: %v", h.spec.Tasks, i+1, err))
		}
		s.say("a job at n%d took %v, error %v", i+1, (trials.BootTime() - began).Round(milli), err)
	}
}

// outputError begins the placeholder of a missing output.
const outputError = "error: "

// outputs fetches the printed output of jobs that have succeeded, by job and rank.
func (s *settling) outputs(ctx context.Context) map[string][]string {
	all := map[string][]string{}
	for id, h := range s.workload.jobs {
		record := s.final[id]
		if record == nil || record.State != jobs.Succeeded {
			continue
		}
		for rank := range record.Spec.Tasks {
			all[id] = append(all[id], s.output(ctx, h, rank))
		}
	}
	return all
}

// output fetches the printed output of a rank of a job.
func (s *settling) output(ctx context.Context, h *handed, rank int) string {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	out, err := api.NewClient(s.workload.sockets[h.entry]).Output(limited, h.id,
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
