package trials

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Run is one process of a job, as the ledger shows it.
type Run struct {
	Job, Attempt, Host string
	Rank, Size         int
	First, Last        time.Duration // when it was seen to run, on CLOCK_BOOTTIME
	Ended              bool          // by itself
	Starts             int
}

// Ledger is the record of the tasks of a trial, outside of the grid.
type Ledger struct {
	Runs []*Run
	of   map[string][]*Run // by job
}

// ReadLedger reads a ledger. A line that cannot be read is that of a task that was killed.
func ReadLedger(file string) (l Ledger, err error) {
	f, err := os.Open(file)
	if err != nil {
		return l, err
	}
	defer f.Close()
	type key struct{ job, attempt, rank string }
	known := map[key]*Run{}
	l.of = map[string][]*Run{}
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		w := strings.Fields(scanner.Text())
		if len(w) != 7 {
			continue
		}
		micros, err := strconv.ParseInt(w[6], 10, 64)
		if err != nil {
			continue
		}
		at := time.Duration(micros) * time.Microsecond
		k := key{w[1], w[2], w[3]}
		r := known[k]
		if r == nil {
			r = &Run{Job: w[1], Attempt: w[2], Host: w[5], First: at}
			r.Rank, _ = strconv.Atoi(w[3])
			r.Size, _ = strconv.Atoi(w[4])
			known[k] = r
			l.Runs, l.of[r.Job] = append(l.Runs, r), append(l.of[r.Job], r)
		}
		r.Last = max(r.Last, at)
		switch w[0] {
		case "start":
			r.Starts++
		case "end":
			r.Ended = true
		}
	}
	return l, scanner.Err()
}

// Jobs lists the jobs of which something ran.
func (l Ledger) Jobs() []string { return slices.Sorted(maps.Keys(l.of)) }

// Attempts groups the runs of a job by attempt, in the order of their starts.
func (l Ledger) Attempts(job string) [][]*Run {
	by := map[string][]*Run{}
	for _, r := range l.of[job] {
		by[r.Attempt] = append(by[r.Attempt], r)
	}
	var all [][]*Run
	for _, runs := range by {
		all = append(all, runs)
	}
	slices.SortFunc(all, func(a, b []*Run) int { return int(SpanOf(a).First - SpanOf(b).First) })
	return all
}

// Overlaps describes each run of a job that went on when a later attempt had begun, and each rank
// that was started twice in one attempt. A run that may go on is no overlap; nil allows none.
func (l Ledger) Overlaps(job string, may func(earlier *Run, begun time.Duration) bool) (found []string) {
	var before []*Run
	for _, runs := range l.Attempts(job) {
		s := SpanOf(runs)
		for _, r := range before {
			if s.First <= r.Last && (may == nil || !may(r, s.First)) {
				found = append(found, fmt.Sprintf("job %s: attempt %s began at %v, and %s ran until %v",
					job, runs[0].Attempt, s.First, r.Attempt, r.Last))
			}
		}
		before = append(before, runs...)
		for _, r := range runs {
			if r.Starts > 1 {
				found = append(found, fmt.Sprintf("job %s: rank %d of attempt %s started %d times", job, r.Rank, r.Attempt,
					r.Starts))
			}
		}
	}
	return found
}

// Ranks counts the ranks of all jobs.
func (l Ledger) Ranks() int {
	type rank struct {
		job    string
		number int
	}
	all := map[rank]bool{}
	for _, r := range l.Runs {
		all[rank{r.Job, r.Rank}] = true
	}
	return len(all)
}

// MostAtOnce is the largest number of processes that ran at the same time.
func (l Ledger) MostAtOnce() (most int) {
	for _, x := range l.Runs {
		n := 0
		for _, y := range l.Runs {
			if y.First <= x.First && x.First <= y.Last {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// LastBeat is how long ago the latest beat was.
func (l Ledger) LastBeat() time.Duration {
	latest := time.Duration(0)
	for _, r := range l.Runs {
		latest = max(latest, r.Last)
	}
	return BootTime() - latest
}

// Span is an interval in which something ran.
type Span struct{ First, Last time.Duration }

// SpanOf is the interval from the first to the last beat of some runs.
func SpanOf(runs []*Run) (s Span) {
	for i, r := range runs {
		if i == 0 || r.First < s.First {
			s.First = r.First
		}
		s.Last = max(s.Last, r.Last)
	}
	return s
}
