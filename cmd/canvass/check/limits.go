package check

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
)

// limits are the reasons to end a check early, under the names of the flags.
type limits struct {
	timeout          time.Duration
	maxDepth         int
	maxStates        uint64
	memoryLimitBytes uint64
	memoryGiven      bool // --memory-limit is on the command line
}

func limitsOf(f *checkFlags, o checker.Options) *limits {
	return &limits{f.timeout, f.maxDepth, f.maxStates, o.MemoryLimitBytes, f.memory != ""}
}

// reached names the limit that ended a check, with its value; "" if it was none of them.
func (l *limits) reached(why checker.Reason) string {
	switch why {
	case checker.StoppedByTimeout:
		return "--timeout " + l.timeout.String()
	case checker.StoppedByDepth:
		return fmt.Sprintf("--max-depth %d", l.maxDepth)
	case checker.StoppedByStates:
		if l.maxStates > 0 {
			return fmt.Sprintf("--max-states %d", l.maxStates)
		}
		return "the most states that an index can name"
	case checker.StoppedByMemory:
		if l.memoryGiven {
			return "--memory-limit " + size(l.memoryLimitBytes)
		}
		return fmt.Sprintf("the memory limit of %s (three quarters of the free memory)", size(l.memoryLimitBytes))
	}
	return ""
}

// flag is the limit that must be left out for a resumed search to come further; "" if none.
func (l *limits) flag(why checker.Reason) string {
	switch why {
	case checker.StoppedByDepth:
		return "max-depth"
	case checker.StoppedByStates:
		return "max-states"
	case checker.StoppedByMemory:
		return "memory-limit"
	}
	return ""
}

// stop says in one line what ended the check and how many properties that left open; "" if every
// property was decided.
func (r *result) stop() string {
	open := 0
	for i := range r.findings {
		if r.findings[i].standing() == undecided {
			open++
		}
	}
	if r.report == nil || open == 0 {
		return ""
	}
	states := english.Count(int(r.report.States), "state")
	rest := fmt.Sprintf("%s of %d not decided", properties(open), len(r.findings))
	if open == len(r.findings) {
		rest = "no property was decided"
	}
	if limit := r.limits.reached(r.report.Stopped); limit != "" {
		text := fmt.Sprintf("stopped: %s reached after %s at depth %d; %s", limit, states, r.report.Depth, rest)
		if r.report.Stopped == checker.StoppedByMemory {
			text += "; " + r.report.Stopped.Hint() +
				"; otherwise see --memory-limit, --reduce, --storage and --swarm"
		}
		return text
	}
	switch r.report.Stopped {
	case checker.StoppedByInterrupt:
		return fmt.Sprintf("stopped: interrupted after %s; %s", states, rest)
	case checker.StoppedBySampling:
		return fmt.Sprintf("random walks over %s find violations and prove nothing; %s", states, rest)
	case checker.StoppedByOmission:
		return fmt.Sprintf("the storage omitted states, so that nothing is proved; %s", rest)
	}
	return fmt.Sprintf("stopped (%s) after %s; %s", r.report.Stopped, states, rest)
}

func properties(n int) string {
	if n == 1 {
		return "1 property"
	}
	return english.Grouped(uint64(n)) + " properties"
}
