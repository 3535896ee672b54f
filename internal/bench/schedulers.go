package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// logComparison is a log of the archive and policies to run on it. In the log every job has a
// requested time: pyss lets a job without one run for a second.
type logComparison struct {
	log        string
	processors int
	policies   map[string][]string // by peer
}

var logComparisons = []logComparison{
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, map[string][]string{
		"pyss": {"easy", "easy-sjbf", "conservative"}, "Alea": {"easy"},
	}},
	{"CTC-SP2-1996-3.1-cln.swf.gz", 338, map[string][]string{"pyss": {"easy"}}},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", 128, map[string][]string{"pyss": {"easy"}}},
}

// errSkipped says that something is not there to compare with.
var errSkipped = errors.New("skipped")

// peer is another simulator. It runs a policy and returns the starts by job number, in seconds, and
// the processor time.
type peer struct {
	name string
	run  func(policy string, processors int, log string) (starts map[int64]int64, seconds float64, err error)
}

// schedulers runs central policies here and in other simulators, and prints a table.
func schedulers(pyss, alea, data string) error {
	if pyss == "" && alea == "" || data == "" {
		return fmt.Errorf("%w: it needs PYSS or ALEA, folders with sources of these simulators, and "+
			"CANVASS_DATA, a folder of logs", errSkipped)
	}
	folder, err := os.MkdirTemp("", "schedulers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var peers []peer
	for _, p := range []struct {
		source string
		ready  func(source, folder string) (peer, error)
	}{{pyss, convert}, {alea, compileAlea}} {
		if p.source == "" {
			continue
		}
		ready, err := p.ready(p.source, folder)
		if err != nil {
			return err
		}
		peers = append(peers, ready)
	}
	fmt.Printf(schedulerColumns, "log", "policy", "peer", "equal starts", "with its jobs", "wait, s: ours", "peer's",
		"slowdown: ours", "peer's", "peer's time")
	for _, c := range logComparisons {
		log := filepath.Join(folder, "log.swf")
		if err := jobsThatRan(filepath.Join(data, c.log), log); errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "skipped: %s is not in CANVASS_DATA\n", c.log)
			continue
		} else if err != nil {
			return err
		}
		for _, p := range peers {
			for _, policy := range c.policies[p.name] {
				if err := comparePolicy(p, log, c, policy); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// schedulerColumns are those of the table. Each line is printed as soon as it is there: pyss takes
// minutes.
const schedulerColumns = "%-28s %-12s %-4s %17s %17s %14s %10s %15s %9s %12s\n"

// jobsThatRan unpacks a log, and leaves out the jobs that have no processors, since they never ran:
// pyss lets them run on -1 processors.
func jobsThatRan(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(zip)
	for lines.Scan() && err == nil {
		if fields := strings.Fields(lines.Text()); len(fields) > 4 && strings.HasPrefix(fields[4], "-") {
			continue
		}
		_, err = fmt.Fprintln(out, lines.Text())
	}
	return errors.Join(err, lines.Err(), out.Close())
}

// comparePolicy runs a policy in both simulators and prints a line. It compares starts also with
// the jobs of the log as pyss reads them.
func comparePolicy(p peer, log string, c logComparison, policy string) error {
	ours, err := runHere(log, c, policy)
	if err != nil {
		return err
	}
	starts, seconds, err := p.run(policy, c.processors, log)
	if err != nil {
		return err
	}
	with := "-"
	if p.name == "pyss" {
		read := log + ".read"
		if err := asPyssReads(log, read); err != nil {
			return err
		}
		alike, err := runHere(read, c, policy)
		if err != nil {
			return err
		}
		with = equalStarts(alike, starts)
	}
	both, wait, slowdown := 0, 0.0, 0.0
	for _, r := range ours.Records {
		j := &ours.Workload.Jobs[r.Job]
		start, there := starts[j.Number]
		if !there {
			continue
		}
		both++
		waited, ran := float64(start)-inSeconds(j.SubmitMicros), inSeconds(j.RunMicros)
		wait += waited
		slowdown += max(1, (waited+ran)/max(ran, 10))
	}
	s := ours.Row.Summary
	short := func(v float64) string { return fmt.Sprintf("%.6g", v) }
	fmt.Printf(schedulerColumns, c.log, policy, p.name, equalStarts(ours, starts), with, short(s.Wait.Mean),
		short(wait/float64(both)), short(s.BoundedSlowdown.Mean), short(slowdown/float64(both)),
		fmt.Sprintf("%.0f times", seconds/ours.Row.ElapsedSeconds))
	return nil
}

// runHere runs a policy as pyss does: with a pass for each event.
func runHere(log string, c logComparison, policy string) (*lab.Outcome, error) {
	cell := lab.MustCell("workload=swf:"+log, fmt.Sprintf("platform=pool:%d", c.processors), "policy="+policy,
		"passes=event", "zero-run=one-second", "no-processors=one", "overrun=exchange", "processors=allocated", "status=any")
	return (&lab.Lab{}).Run(context.Background(), "", cell, 1)
}

// equalStarts says how many jobs start at the same second.
func equalStarts(ours *lab.Outcome, starts map[int64]int64) string {
	equal := 0
	for _, r := range ours.Records {
		start, there := starts[ours.Workload.Jobs[r.Job].Number]
		if there && start*scheduler.Second == r.StartMicros {
			equal++
		}
	}
	return fmt.Sprintf("%d of %d", equal, max(len(starts), len(ours.Records)))
}

func inSeconds(micros int64) float64 { return float64(micros) / float64(scheduler.Second) }
