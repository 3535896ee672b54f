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
)

// repetitions of each run; their median counts.
const repetitions = 3

// benchHashBits gives SPIN a table with more slots than states.
const benchHashBits = 25

// figures has the results of comparing one model. Rates are of distinct states, whole
// processes.
type figures struct {
	Model               string  `json:"model"`
	States              uint64  `json:"states"`
	OursStatesPerSecond float64 `json:"ours_states_per_second"`
	SpinStatesPerSecond float64 `json:"spin_states_per_second"`
	Ratio               float64 `json:"ratio"`
	BytesPerState       float64 `json:"bytes_per_state"`
	Scaling1To2         float64 `json:"scaling_1_to_2"`

	cpuRatio float64 // of processor time a state, theirs to ours with one worker: bears a busy machine
}

// childReport is the output of a process of ours.
type childReport struct {
	States   uint64 `json:"states"`
	Complete bool   `json:"complete"`
}

// runOne checks a model in this process, which it sets up as the command does.
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
	defer checker.TuneCollector()()
	r, err := ourReport(ctx, t, size, checker.Options{Workers: workers})
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(childReport{r.States, r.Complete})
}

// sizes reads pairs of a model and a size. Without any it returns the default comparisons.
func sizes(args []string) ([]comparison, error) {
	all := []comparison{{"twophase", 9}, {"twophase/processes", 9}, {"paxos", 6}, {"paxos/processes", 6}}
	if len(args) > 0 {
		all = nil
	}
	for ; len(args) >= 2; args = args[2:] {
		size, err := strconv.Atoi(args[1])
		if err != nil {
			return nil, err
		}
		all = append(all, comparison{args[0], size})
	}
	if len(args) > 0 {
		return nil, errUsage
	}
	return all, nil
}

func besideSPIN(ctx context.Context, args []string, out io.Writer) error {
	if missing := Missing(); len(missing) > 0 {
		return fmt.Errorf("not installed: %v", missing)
	}
	wanted, err := sizes(args)
	if err != nil {
		return err
	}
	var all []figures
	for _, c := range wanted {
		f, err := c.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s %d: %w", c.model, c.size, err)
		}
		all = append(all, f)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "model\tstates\tours/s\tSPIN/s\tratio\tCPU ratio\tbytes/state\t1 to 2 workers\t")
	for _, f := range all {
		fmt.Fprintf(table, "%s\t%d\t%.0f\t%.0f\t%.2f\t%.2f\t%.1f\t%.2f\t\n",
			f.Model, f.States, f.OursStatesPerSecond, f.SpinStatesPerSecond, f.Ratio, f.cpuRatio, f.BytesPerState, f.Scaling1To2)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(
		out,
		"whole processes, run in turn, median of %d; %d processors; SPIN in one process, and so is ours for the CPU ratio\n",
		repetitions,
		runtime.NumCPU(),
	)
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
	defer func() { _ = os.RemoveAll(dir) }() // a remainder does no harm
	p, err := Compile(ctx, t.build(c.size), dir)
	if err != nil {
		return figures{}, err
	}
	var theirs, theirCPU, one, oneCPU, two []time.Duration
	f := figures{Model: fmt.Sprintf("%s %d", c.model, c.size)}
	for range repetitions {
		r, err := p.Run(ctx, Search{AnyEnd: true, HashBits: benchHashBits})
		if err != nil {
			return f, err
		}
		theirs, theirCPU = append(theirs, r.Wall), append(theirCPU, r.CPU)
		for _, workers := range []int{2, 1} {
			ours, err := c.child(ctx, workers)
			if err != nil {
				return f, err
			}
			if Printed(ours.States+t.start) != r.States {
				return f, fmt.Errorf(
					"%w: SPIN has %d states, %d of them for starting up, and we have %d",
					errDiffer,
					r.States,
					t.start,
					ours.States,
				)
			}
			f.States = ours.States
			if workers == 1 {
				one, oneCPU = append(one, ours.Wall), append(oneCPU, ours.CPU)
				continue
			}
			two = append(two, ours.Wall)
			f.BytesPerState = max(f.BytesPerState, float64(ours.PeakBytes)/float64(ours.States))
		}
	}
	f.OursStatesPerSecond = float64(f.States) / median(two).Seconds()
	f.SpinStatesPerSecond = float64(f.States) / median(theirs).Seconds()
	f.Ratio = f.OursStatesPerSecond / f.SpinStatesPerSecond
	f.cpuRatio = median(theirCPU).Seconds() / median(oneCPU).Seconds()
	f.Scaling1To2 = median(one).Seconds() / median(two).Seconds()
	return f, nil
}

// child runs this program once more for one check.
func (c comparison) child(ctx context.Context, workers int) (Result, error) {
	self, err := os.Executable()
	if err != nil {
		return Result{}, err
	}
	command := exec.CommandContext(ctx, self, "run", c.model, strconv.Itoa(c.size), strconv.Itoa(workers))
	command.Stderr = os.Stderr
	begin := time.Now()
	printed, err := command.Output()
	wall := time.Since(begin)
	if err != nil {
		return Result{}, err
	}
	var r childReport
	if err := json.Unmarshal(printed, &r); err != nil {
		return Result{}, err
	}
	return Result{
		States: r.States, Wall: wall, CPU: CPU(command.ProcessState), PeakBytes: PeakBytes(command.ProcessState),
	}, nil
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
