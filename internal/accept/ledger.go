package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// beats is a command of jobs: each process writes a beat each 20 ms, so many times.
func (t *trial) beats(times int) string {
	return fmt.Sprintf(`sh -c 'i=0; while [ $i -lt %d ]; do `+
		`echo $CANVASS_JOB $CANVASS_ATTEMPT $CANVASS_RANK $(date +%%s%%N) >> %s; i=$((i+1)); sleep 0.02; done'`,
		times, t.ledgerFile())
}

func (t *trial) ledgerFile() string { return filepath.Join(t.folder, "ledger") }

// span is the first and the last beat of a process.
type span struct{ first, last int64 }

// ledger is the beats, by job and rank, and by attempt.
func (t *trial) ledger() map[string]map[string]span {
	all := map[string]map[string]span{}
	text, err := os.ReadFile(t.ledgerFile())
	t.demand(err == nil || os.IsNotExist(err), "the ledger: %v", err)
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 4 {
			continue // the process was killed while it wrote
		}
		at, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil {
			continue
		}
		rank := words[0] + " " + words[2]
		if all[rank] == nil {
			all[rank] = map[string]span{}
		}
		s, known := all[rank][words[1]]
		if !known {
			s.first = at
		}
		s.last = at
		all[rank][words[1]] = s
	}
	return all
}

// onceAtATime demands that no two attempts of a rank overlap. It returns how many jobs and attempts
// there were.
func (t *trial) onceAtATime() (ranks, attempts int) {
	for rank, spans := range t.ledger() {
		ranks++
		for a, x := range spans {
			attempts++
			for b, y := range spans {
				t.demand(a == b || x.last < y.first || y.last < x.first, "rank %s ran twice at once: %s, %s", rank, a, b)
			}
		}
	}
	return ranks, attempts
}

// mostAtOnce is how many processes ran at once, at most.
func (t *trial) mostAtOnce() (most int) {
	var all []span
	for _, spans := range t.ledger() {
		for _, s := range spans {
			all = append(all, s)
		}
	}
	for _, x := range all {
		n := 0
		for _, y := range all {
			if y.first <= x.first && x.first <= y.last {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// lastBeat is how long ago the latest beat was.
func (t *trial) lastBeat() time.Duration {
	latest := int64(0)
	for _, spans := range t.ledger() {
		for _, s := range spans {
			latest = max(latest, s.last)
		}
	}
	return time.Since(time.Unix(0, latest))
}

// firstAttempt is the last beat of the first attempt of a job of one task.
func (t *trial) firstAttempt(id string) time.Time {
	var first span
	for _, s := range t.ledger()[id+" 0"] {
		if first.first == 0 || s.first < first.first {
			first = s
		}
	}
	return time.Unix(0, first.last)
}
