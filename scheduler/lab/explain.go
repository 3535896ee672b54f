package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// mostExplained bounds the jobs that are explained for one number: a log may use a number twice.
const mostExplained = 3

// Explain writes the history of the jobs with a number in words: when they arrived, which jobs were
// ahead, and why they started when they did. It uses only the times at which jobs were submitted,
// started and ended, and the rule of the policy.
func Explain(o *Outcome, jobNumber int64) (string, error) {
	if o.Workload == nil {
		return "", ErrNoJobs
	}
	policy, _, err := known.policy(o.Row.Settings.Get("policy"))
	if err != nil {
		return "", err
	}
	var lives []string
	for i, j := range o.Workload.Jobs {
		if j.Number != jobNumber || len(lives) == mostExplained {
			continue
		}
		l := life{o: o, policy: policy, at: i, job: j, record: o.Records[i]}
		if o.retrace != nil {
			if l.stops, err = o.retrace(i); err != nil {
				return "", err
			}
		}
		lives = append(lives, l.tell())
	}
	if len(lives) == 0 {
		return "", usage.Errorf("there is no job %d among the %s of %s; --jobs-out lists them", jobNumber,
			metric.Count(len(o.Workload.Jobs), "job"), o.Workload.Name)
	}
	return strings.Join(lives, "\n"), nil
}

// life has the history of one job.
type life struct {
	o      *Outcome
	policy scheduler.Policy
	at     int // index of the job
	job    scheduler.Job
	record scheduler.Record
	stops  []scheduler.Stop // where it waited, if that is known
	text   strings.Builder
}

func (l *life) say(format string, args ...any) { fmt.Fprintf(&l.text, format+"\n", args...) }

// tell writes all sentences.
func (l *life) tell() string {
	l.say("job %d: %s for %s%s", l.job.Number, metric.Count(l.job.Nodes, "node"), span(l.job.RunMicros), l.expected())
	if l.record.Excluded != "" {
		l.say("It was never started: it %s.", l.record.Excluded)
		return l.text.String()
	}
	l.came()
	l.travelled(l.stops)
	start := l.record.StartMicros
	if start == l.job.SubmitMicros {
		l.say("It started at once in cluster %s and ended at %s.", l.home(), span(l.record.EndMicros))
	} else {
		l.waited()
		l.say("It started at %s in cluster %s, after a wait of %s, and ended at %s.", span(start), l.home(),
			span(start-l.job.SubmitMicros), span(l.record.EndMicros))
	}
	l.why()
	return l.text.String()
}

// expected writes the run time that the policy assumed.
func (l *life) expected() string {
	if !l.policy.Estimates || l.job.EstimateMicros == scheduler.Unknown {
		return ""
	}
	return ", of which the policy expected " + span(l.job.EstimateMicros)
}

func (l *life) home() string { return l.o.Platform.Clusters[l.record.Cluster].Name }

// came writes the state of the queue and the machine at the arrival of the job.
func (l *life) came() {
	now := l.job.SubmitMicros
	waiting := l.waiting(now, func(i int) bool { return i < l.at })
	best, free := l.roomiest(now)
	l.say("It was submitted at %s. %s waited then, and cluster %s had %d of its %s free.", span(now),
		metric.Count(len(waiting), "job"), l.o.Platform.Clusters[best].Name, free,
		metric.Count(l.o.Platform.Clusters[best].Nodes, "node"))
}

// travelled tells where a job of a decentralised policy waited, why it moved, and how long it had
// to wait before and after that.
func (l *life) travelled(all []scheduler.Stop) {
	name := func(s scheduler.Stop) string { return l.o.Platform.Clusters[s.Cluster].Name }
	for i, s := range all {
		if i == 0 {
			l.say("After %s on the map it waited in cluster %s from %s on.", span(s.Micros-l.job.SubmitMicros), name(s),
				span(s.Micros))
			continue
		}
		where := "cluster " + name(s)
		if s.Cluster == all[i-1].Cluster {
			where = "another node of " + where
		}
		l.say("At %s it moved to %s, %s. It waited there from %s on.", span(s.MovedMicros), where, s.Why, span(s.Micros))
	}
	if n := len(all); n > 1 {
		l.say("It had waited %s before its last move, and waited %s after it.", span(all[n-1].MovedMicros-all[0].Micros),
			span(l.record.StartMicros-all[n-1].MovedMicros))
	} else if n == 1 && l.policy.Name != "static" {
		l.say("It did not move.")
	}
}

// waited writes the events while the job waited.
func (l *life) waited() {
	var older, younger []int
	for i, r := range l.o.Records {
		meanwhile := r.StartMicros >= l.job.SubmitMicros && r.StartMicros < l.record.StartMicros
		if i == l.at || r.Excluded != "" || !meanwhile {
			continue
		}
		if i < l.at {
			older = append(older, i)
		} else {
			younger = append(younger, i)
		}
	}
	l.say("While it waited, %s that had come before it and %s that came later started%s.", metric.Count(len(older), "job"),
		metric.Count(len(younger), "job"), l.named(" (", younger, ")"))
	if at, c, found := l.firstRoom(); found {
		l.say("From %s on, cluster %s had room for it, at least for some time.%s", span(at),
			l.o.Platform.Clusters[c].Name, l.ahead(at))
		return
	}
	var ended []int
	for i, r := range l.o.Records {
		here := r.Excluded == "" && r.Cluster == l.record.Cluster
		if here && r.EndMicros == l.record.StartMicros && r.StartMicros < r.EndMicros {
			ended = append(ended, i)
		}
	}
	if len(ended) > 0 {
		l.say("No cluster that it could use had room before %s, when %s ended in cluster %s%s.",
			span(l.record.StartMicros), metric.Count(len(ended), "job"), l.home(), l.named(" (", ended, ")"))
	} else {
		l.say("No cluster that it could use had room before.")
	}
}

// ahead names the oldest job that still waited at a time, if it had come before.
func (l *life) ahead(now int64) string {
	older := l.waiting(now, func(i int) bool { return i < l.at && l.o.Records[i].StartMicros > now })
	if len(older) == 0 || keys[l.policy.Name].what != "" {
		return ""
	}
	j := l.o.Workload.Jobs[older[0]]
	return fmt.Sprintf(" The oldest job that waited then was %d, which needs %s.", j.Number, metric.Count(j.Nodes, "node"))
}

// named lists the numbers of some jobs.
func (l *life) named(before string, jobs []int, after string) string {
	const most = 5
	if len(jobs) == 0 {
		return ""
	}
	var all []string
	for _, i := range jobs[:min(most, len(jobs))] {
		all = append(all, fmt.Sprint(l.o.Workload.Jobs[i].Number))
	}
	if len(jobs) > most {
		all = append(all, "…")
	}
	return before + strings.Join(all, ", ") + after
}

// usable reports whether a cluster could have run the job. Policies with a queue for each cluster
// bind a job to one.
func (l *life) usable(cluster int) bool {
	if boundPolicies[l.policy.Name] {
		return cluster == l.record.Cluster
	}
	return l.o.Platform.Clusters[cluster].Nodes >= l.job.Nodes
}

// waiting lists jobs of some kind that wait just before anything starts at a time, in order of
// submission.
func (l *life) waiting(now int64, kind func(i int) bool) []int {
	var all []int
	for i, r := range l.o.Records {
		waits := r.Excluded == "" && l.o.Workload.Jobs[i].SubmitMicros <= now && r.StartMicros >= now
		if i != l.at && waits && kind(i) {
			all = append(all, i)
		}
	}
	return all
}

// roomiest is the cluster that the job could use with the most free nodes at a time, before
// anything starts then.
func (l *life) roomiest(now int64) (cluster, free int) {
	left := make([]int, len(l.o.Platform.Clusters))
	for c := range left {
		left[c] = l.o.Platform.Clusters[c].Nodes
	}
	for i, r := range l.o.Records {
		if r.Excluded == "" && r.StartMicros < now && r.EndMicros > now {
			left[r.Cluster] -= l.o.Workload.Jobs[i].Nodes
		}
	}
	cluster, free = l.record.Cluster, -1
	for c := range left {
		if l.usable(c) && left[c] > free {
			cluster, free = c, left[c]
		}
	}
	return cluster, free
}

// change is how many nodes a cluster has more or less from a time on.
type change struct {
	micros         int64
	cluster, nodes int
}

// firstRoom finds the first time at which a cluster had room for the job although it did not start:
// after all that ended and started then.
func (l *life) firstRoom() (micros int64, cluster int, found bool) {
	came := l.job.SubmitMicros
	changes := []change{{came, l.record.Cluster, 0}}
	for i, r := range l.o.Records {
		if r.Excluded != "" || r.StartMicros == r.EndMicros || !l.usable(r.Cluster) {
			continue
		}
		nodes := l.o.Workload.Jobs[i].Nodes
		changes = append(changes, change{r.StartMicros, r.Cluster, -nodes}, change{r.EndMicros, r.Cluster, nodes})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.micros, b.micros) })
	free := make([]int, len(l.o.Platform.Clusters))
	for c := range free {
		free[c] = l.o.Platform.Clusters[c].Nodes
	}
	for i, c := range changes {
		if c.micros >= l.record.StartMicros {
			break
		}
		free[c.cluster] += c.nodes
		if c.micros < came || changes[i+1].micros == c.micros { // the start of the job itself comes later
			continue
		}
		for k := range free {
			if l.usable(k) && free[k] >= l.job.Nodes {
				return c.micros, k, true
			}
		}
	}
	return 0, 0, false
}

// span is a time in seconds: since the beginning of the log, or a length of time.
func span(micros int64) string {
	text := metric.Thousands(micros / scheduler.Second)
	if rest := micros % scheduler.Second; rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%06d", rest), "0")
	}
	return text + " s"
}
