package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// taskWord is the argument with which the program stands in for a job.
const taskWord = "task"

// beatEvery is how often a task writes down that it runs.
const beatEvery = 20 * time.Millisecond

const (
	outputLines = 20     // that a task prints
	floodLines  = 20_000 // likewise, of a job that floods its log
	floodEvery  = 32     // of so many jobs one floods its log
)

// Task is the program of a job: it writes its start, that it runs, and its end to a ledger, prints
// its output, leaves files if it declares some, and returns the exit code. Arguments: ledger,
// duration, code, and the word for files.
func Task(args []string) int {
	if len(args) != 3 && len(args) != 4 {
		fmt.Fprintln(os.Stderr, "task: want a ledger, a duration, an exit code and perhaps a word for files")
		return 120
	}
	duration, err := time.ParseDuration(args[1])
	code, err2 := strconv.Atoi(args[2])
	ledger, err3 := os.OpenFile(args[0], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil || err2 != nil || err3 != nil {
		fmt.Fprintln(os.Stderr, "task:", err, err2, err3)
		return 121
	}
	defer ledger.Close()
	job, rank := os.Getenv("CANVASS_JOB"), os.Getenv("CANVASS_RANK")
	line := func(what string) {
		fmt.Fprintf(ledger, "%s %s %s %s %s %s %d\n", what, job, os.Getenv("CANVASS_ATTEMPT"), rank,
			os.Getenv("CANVASS_SIZE"), os.Getenv("CANVASS_HOST"), bootTime().Microseconds())
	}
	line("start")
	number, _ := strconv.Atoi(rank)
	fmt.Print(outputOf(job, number))
	for end := bootTime() + duration; bootTime() < end; {
		time.Sleep(min(beatEvery, max(0, end-bootTime())))
		line("beat")
	}
	if len(args) == 4 {
		if err := leave(args[3], job, number); err != nil {
			fmt.Fprintln(os.Stderr, "task:", err)
			return 122
		}
	}
	line("end")
	return code
}

// leave leaves the files that a word stands for.
func leave(word, job string, rank int) error {
	if word == declaresWord {
		return leaveOutputs(job, os.Getenv("CANVASS_ATTEMPT"), rank)
	}
	return leaveMess(word)
}

// outputOf is what the task of a rank prints.
func outputOf(job string, rank int) string {
	var b strings.Builder
	lines := outputLines
	if crc32.ChecksumIEEE([]byte(job))%floodEvery == 0 {
		lines = floodLines
	}
	for i := range lines {
		fmt.Fprintf(&b, "job %s rank %d line %d\n", job, rank, i)
	}
	return b.String()
}

// runOf is one process of the ledger.
type runOf struct {
	job, attempt, host string
	rank, size         int
	first, last        time.Duration // when it was seen to run
	ended              bool          // by itself
	starts             int
}

// ledger is all runs.
type ledger struct {
	runs  []*runOf
	lines int
	bad   int // lines that cannot be read
}

// readLedger reads a file that no task writes any more.
func readLedger(file string) (l ledger, err error) {
	f, err := os.Open(file)
	if err != nil {
		return l, err
	}
	defer f.Close()
	type key struct{ job, attempt, rank string }
	known := map[key]*runOf{}
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		w := strings.Fields(scanner.Text())
		if len(w) != 7 {
			l.bad++
			continue
		}
		micros, err := strconv.ParseInt(w[6], 10, 64)
		if err != nil {
			l.bad++
			continue
		}
		l.lines++
		at := time.Duration(micros) * time.Microsecond
		k := key{w[1], w[2], w[3]}
		r := known[k]
		if r == nil {
			r = &runOf{job: w[1], attempt: w[2], host: w[5], first: at}
			r.rank, _ = strconv.Atoi(w[3])
			r.size, _ = strconv.Atoi(w[4])
			known[k] = r
			l.runs = append(l.runs, r)
		}
		r.last = max(r.last, at)
		switch w[0] {
		case "start":
			r.starts++
		case "end":
			r.ended = true
		}
	}
	return l, scanner.Err()
}

// attempts groups the runs of a job by attempt, in the order of their starts.
func (l ledger) attempts(job string) [][]*runOf {
	by := map[string][]*runOf{}
	for _, r := range l.runs {
		if r.job == job {
			by[r.attempt] = append(by[r.attempt], r)
		}
	}
	var all [][]*runOf
	for _, runs := range by {
		all = append(all, runs)
	}
	slices.SortFunc(all, func(a, b []*runOf) int { return int(spanOf(a).first - spanOf(b).first) })
	return all
}

// span is a time in which something ran.
type span struct{ first, last time.Duration }

func spanOf(runs []*runOf) (s span) {
	for i, r := range runs {
		if i == 0 || r.first < s.first {
			s.first = r.first
		}
		s.last = max(s.last, r.last)
	}
	return s
}
