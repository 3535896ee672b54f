package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/spin"
)

// repetitions of each run; their median counts.
const repetitions = 3

// benchHashBits gives SPIN a table with more slots than states.
const benchHashBits = 25

// figures is what the comparison of one model comes to. Rates are of distinct states, whole processes.
type figures struct {
	Model               string  `json:"model"`
	States              uint64  `json:"states"`
	OursStatesPerSecond float64 `json:"ours_states_per_second"`
	SpinStatesPerSecond float64 `json:"spin_states_per_second"`
	Ratio               float64 `json:"ratio"`
	BytesPerState       float64 `json:"bytes_per_state"`
	Scaling1To2         float64 `json:"scaling_1_to_2"`
}

// childReport is what a process of ours prints.
type childReport struct {
	States   uint64 `json:"states"`
	Complete bool   `json:"complete"`
}

// runOne checks a model in this process.
func runOne(ctx context.Context, args []string, out io.Writer) error {
	size, errSize := strconv.Atoi(args[1])
	workers, errWorkers := strconv.Atoi(args[2])
	if err := errors.Join(errSize, errWorkers); err != nil {
		return err
	}
	t, err := twinOf(args[0])
	if err != nil {
		return err
	}
	r, err := ourReport(ctx, t, size, checker.Options{Workers: workers})
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(childReport{r.States, r.Complete})
}

func bench(ctx context.Context, out io.Writer) error {
	if missing := spin.Missing(); len(missing) > 0 {
		return fmt.Errorf("not installed: %v", missing)
	}
	var all []figures
	for _, c := range []comparison{{"twophase", 9}, {"paxos", 6}} {
		f, err := c.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s %d: %w", c.model, c.size, err)
		}
		all = append(all, f)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "model\tstates\tours/s\tSPIN/s\tratio\tbytes/state\t1 to 2 workers\t")
	for _, f := range all {
		fmt.Fprintf(table, "%s\t%d\t%.0f\t%.0f\t%.2f\t%.1f\t%.2f\t\n",
			f.Model, f.States, f.OursStatesPerSecond, f.SpinStatesPerSecond, f.Ratio, f.BytesPerState, f.Scaling1To2)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "whole processes, run in turn, median of %d; %d processors; SPIN in one process\n", repetitions, runtime.NumCPU())
	encoder := json.NewEncoder(out)
	for _, f := range all {
		if err := encoder.Encode(f); err != nil {
			return err
		}
	}
	return nil
}

// measure runs SPIN, and ours with two workers and with one, in turn.
func (c comparison) measure(ctx context.Context) (figures, error) {
	t, err := twinOf(c.model)
	if err != nil {
		return figures{}, err
	}
	dir, err := os.MkdirTemp("", "canvass-spin-")
	if err != nil {
		return figures{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left there harms nobody
	p, err := spin.Compile(ctx, t.build(c.size), dir)
	if err != nil {
		return figures{}, err
	}
	var theirs, one, two []time.Duration
	f := figures{Model: fmt.Sprintf("%s %d", c.model, c.size)}
	for range repetitions {
		r, err := p.Run(ctx, spin.Search{AnyEnd: true, HashBits: benchHashBits})
		if err != nil {
			return f, err
		}
		theirs = append(theirs, r.Wall)
		for _, workers := range []int{2, 1} {
			wall, peak, states, err := c.child(ctx, workers)
			if err != nil {
				return f, err
			}
			if spin.Printed(states+t.start) != r.States {
				return f, fmt.Errorf("%w: SPIN has %d states, %d of them for starting up, and we have %d", errDiffer, r.States, t.start, states)
			}
			f.States = states
			if workers == 1 {
				one = append(one, wall)
				continue
			}
			two = append(two, wall)
			f.BytesPerState = max(f.BytesPerState, float64(peak)/float64(states))
		}
	}
	f.OursStatesPerSecond = float64(f.States) / median(two).Seconds()
	f.SpinStatesPerSecond = float64(f.States) / median(theirs).Seconds()
	f.Ratio = f.OursStatesPerSecond / f.SpinStatesPerSecond
	f.Scaling1To2 = median(one).Seconds() / median(two).Seconds()
	return f, nil
}

// child runs this program once more for one check.
func (c comparison) child(ctx context.Context, workers int) (wall time.Duration, peakBytes, states uint64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, 0, err
	}
	command := exec.CommandContext(ctx, self, "run", c.model, strconv.Itoa(c.size), strconv.Itoa(workers))
	command.Stderr = os.Stderr
	begin := time.Now()
	printed, err := command.Output()
	wall = time.Since(begin)
	if err != nil {
		return 0, 0, 0, err
	}
	var r childReport
	if err := json.Unmarshal(printed, &r); err != nil {
		return 0, 0, 0, err
	}
	return wall, spin.PeakBytes(command.ProcessState), r.States, nil
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
