package lab

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// boundPolicies have a queue for each cluster: a job can start in no other.
var boundPolicies = map[string]bool{"home-fcfs": true, "home-easy": true, "least-loaded": true, "random": true}

// why explains the start by the rule of the policy.
func (l *life) why() {
	l.say("The rule of %s: %s.", l.policy.Name, l.policy.Rule)
	start := l.record.StartMicros
	older := l.left(func(i int) bool { return i < l.at })
	if boundPolicies[l.policy.Name] {
		older = slices.DeleteFunc(older, func(i int) bool { return l.o.Records[i].Cluster != l.record.Cluster })
	}
	head := ""
	if len(older) > 0 {
		j := l.o.Workload.Jobs[older[0]]
		head = fmt.Sprintf("%s still waited that had come before it, the oldest being job %d, which needs %s",
			metric.Count(len(older), "job"), j.Number, metric.Count(j.Nodes, "node"))
	}
	switch name := l.policy.Name; {
	case keys[name].what != "":
		l.byKey(keys[name])
	case head == "":
		l.say("At %s it was the oldest of the jobs that waited%s.", span(start), l.within())
	case name == "fcfs-ideal" && l.tooLarge(older):
		l.say("%s; none of them can ever run in cluster %s.", head, l.home())
	case name == "first-fit":
		l.say("%s; they did not fit, and it did.", head)
	case name == "easy", name == "easy-sjbf", name == "easy++", name == "home-easy":
		l.say("%s. So it was backfilled: as far as the policy knew, it could not delay that job.", head)
	case name == "conservative":
		l.say("%s. Its own reservation had come; theirs were later, and it delayed none of them.", head)
	default:
		l.say("%s. Why it went first, the times of jobs do not tell.", head)
	}
}

// left lists jobs of some kind that still wait after all starts of the job's start.
func (l *life) left(kind func(i int) bool) []int {
	start := l.record.StartMicros
	return slices.DeleteFunc(l.waiting(start, kind), func(i int) bool { return l.o.Records[i].StartMicros == start })
}

func (l *life) within() string {
	if boundPolicies[l.policy.Name] {
		return " for its cluster"
	}
	return ""
}

func (l *life) tooLarge(jobs []int) bool {
	return !slices.ContainsFunc(jobs, func(i int) bool {
		return l.o.Workload.Jobs[i].Nodes <= l.o.Platform.Clusters[l.record.Cluster].Nodes
	})
}

// queueKey is the sort key of a policy's queue.
type queueKey struct {
	what  string
	value func(j scheduler.Job) int64
	text  func(j scheduler.Job) string
}

// keys are those of policies whose queue is not in order of submission.
var keys = map[string]queueKey{
	"sjf": {
		"shortest estimate", func(j scheduler.Job) int64 { return j.EstimateMicros },
		func(j scheduler.Job) string { return span(j.EstimateMicros) },
	},
	"sjf-exact": {
		"shortest run time", func(j scheduler.Job) int64 { return j.RunMicros },
		func(j scheduler.Job) string { return span(j.RunMicros) },
	},
	"ljf": {
		"longest estimate", func(j scheduler.Job) int64 { return -j.EstimateMicros },
		func(j scheduler.Job) string { return span(j.EstimateMicros) },
	},
	"smallest": {
		"fewest nodes", func(j scheduler.Job) int64 { return int64(j.Nodes) },
		func(j scheduler.Job) string { return metric.Count(j.Nodes, "node") },
	},
}

// byKey says where the job stood in a queue that is in order of a key.
func (l *life) byKey(k queueKey) {
	others := l.left(func(int) bool { return true })
	slices.SortStableFunc(others, func(a, b int) int {
		return cmp.Compare(k.value(l.o.Workload.Jobs[a]), k.value(l.o.Workload.Jobs[b]))
	})
	if len(others) == 0 {
		l.say("At %s no other job waited.", span(l.record.StartMicros))
		return
	}
	next := l.o.Workload.Jobs[others[0]]
	l.say("At %s it had the %s, %s. The next of the %s that still waited was job %d with %s.",
		span(l.record.StartMicros), k.what, k.text(l.job), metric.Count(len(others), "job"), next.Number, k.text(next))
}
