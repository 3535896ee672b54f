package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/experiment"
)

// comparison is a log of the archive and policies to run on it. In the log every job has a
// requested time: pyss lets a job without one run for a second.
type comparison struct {
	log        string
	processors int
	policies   []string
}

var comparisons = []comparison{
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, []string{"easy", "easy-sjbf", "conservative"}},
	{"CTC-SP2-1996-3.1-cln.swf.gz", 338, []string{"easy"}},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", 128, []string{"easy"}},
}

func main() {
	err := run(os.Getenv("PYSS"), os.Getenv("CANVASS_DATA"))
	if errors.Is(err, errSkipped) {
		fmt.Println(err)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-schedulers:", err)
		os.Exit(1)
	}
}

var errSkipped = errors.New("skipped")

func run(pyss, data string) error {
	if pyss == "" || data == "" {
		return fmt.Errorf("%w: bench-schedulers needs PYSS, a folder with pyss's sources, and CANVASS_DATA, a folder of logs",
			errSkipped)
	}
	folder, err := os.MkdirTemp("", "gridpeers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := convert(pyss, folder); err != nil {
		return err
	}
	fmt.Printf(columns, "log", "policy", "equal starts", "wait, s: ours", "pyss", "slowdown: ours", "pyss", "pyss's time")
	for _, c := range comparisons {
		log := filepath.Join(folder, "log.swf")
		if err := unzip(filepath.Join(data, c.log), log); errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "skipped: %s is not in CANVASS_DATA\n", c.log)
			continue
		} else if err != nil {
			return err
		}
		for _, policy := range c.policies {
			if err := compare(folder, data, log, c, policy); err != nil {
				return err
			}
		}
	}
	return nil
}

// columns are those of the table. Each line is printed as soon as it is there: pyss takes minutes.
const columns = "%-28s %-12s %17s %14s %10s %15s %9s %12s\n"

func unzip(from, to string) error {
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
	_, err = io.Copy(out, zip)
	return errors.Join(err, out.Close())
}

// compare runs a policy in both simulators and prints a line.
func compare(folder, data, log string, c comparison, policy string) error {
	cell := experiment.Cell{
		Workload: "swf:" + c.log, Platform: fmt.Sprintf("pool:%d", c.processors), Policy: policy, Passes: "event",
		ZeroRun: "one-second", NoProcs: "one", Overrun: "exchange", Processors: "allocated", Status: "any",
	}
	ours, err := (&experiment.Lab{Data: data}).Run(context.Background(), "", &cell, 1)
	if err != nil {
		return err
	}
	starts, seconds, err := runPyss(folder, policy, c.processors, log)
	if err != nil {
		return err
	}
	equal, both, wait, slowdown := 0, 0, 0.0, 0.0
	for _, r := range ours.Records {
		j := &ours.Workload.Jobs[r.Job]
		start, there := starts[j.Number]
		if !there {
			continue
		}
		both++
		if start*scheduler.Second == r.StartMicros {
			equal++
		}
		waited, ran := float64(start)-inSeconds(j.SubmitMicros), inSeconds(j.RunMicros)
		wait += waited
		slowdown += max(1, (waited+ran)/max(ran, 10))
	}
	s := ours.Row.Summary
	short := func(v float64) string { return fmt.Sprintf("%.6g", v) }
	fmt.Printf(columns, c.log, policy, fmt.Sprintf("%d of %d", equal, max(both, len(ours.Records))), short(s.Wait.Mean),
		short(wait/float64(both)), short(s.BoundedSlowdown.Mean), short(slowdown/float64(both)),
		fmt.Sprintf("%.0f times", seconds/ours.Row.ElapsedSeconds))
	return nil
}

func inSeconds(micros int64) float64 { return float64(micros) / float64(scheduler.Second) }
