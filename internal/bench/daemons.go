package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/trials"
)

// measure is something that is measured, of ours or of another system.
type measure struct {
	goal, what, system, unit string
	wants                    []want // a row each
	once                     bool   // it takes long
	run                      func() []float64
}

// want is the goal for a value of a measure.
type want struct {
	percent int     // the percentile that is the value
	limit   float64 // at most, or at least; 0: none
	least   bool
	beside  []factor
}

// factor is how many times the value of another system ours should be, at most or at least; 0: it
// is only shown.
type factor struct {
	system string
	times  float64
}

// half is the median alone, without a goal: of other systems.
var half = []want{{percent: 50}}

// series is the values of a measure, by run.
type series struct {
	measure
	runs [][]float64
}

// value is a percentile of the values of all runs.
func (s *series) value(percent int) float64 {
	return trials.Percentile(slices.Concat(s.runs...), percent)
}

// besideSystems measures daemons beside the other systems of this machine, in turns, and prints a
// table.
func besideSystems(ctx context.Context, args []string) error {
	b := &systems{}
	f := flag.NewFlagSet("bench daemons", flag.ContinueOnError)
	canvass := f.String("canvass", "bin/canvass", "the `program` under test")
	f.IntVar(&b.turns, "runs", 5, "repeats of each measurement")
	f.BoolVar(&b.install, "install", false, "install the other systems first, as root of a Debian system")
	f.IntVar(&b.daemons, "daemons", 100, "the number of daemons in the large grid")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || b.turns < 1 || b.daemons < 1 {
		return fmt.Errorf("bench daemons %s: want no arguments, and numbers from 1", strings.Join(args, " "))
	}
	return trials.Try(ctx, *canvass, func(t *trials.Trial) {
		b.Trial, b.grid = t, t.Grid(4)
		defer b.stop()
		b.begin()
		var all []*series
		for _, m := range b.measures() {
			all = append(all, &series{measure: m})
		}
		for turn := range b.turns {
			for _, one := range all {
				if turn > 0 && one.once {
					continue
				}
				if values := one.run(); len(values) > 0 {
					one.runs = append(one.runs, values)
				}
			}
		}
		b.print(all)
	})
}

func (b *systems) print(all []*series) {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%d processors, load at the end %s, %d runs in turns\n\n",
		runtime.NumCPU(), strings.Fields(string(load))[0], b.turns)
	fmt.Print("| goal | what | system | value | range of runs | wanted | beside others | |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	slices.SortStableFunc(all, func(a, b *series) int { return strings.Compare(a.goal, b.goal) })
	for _, s := range all {
		if len(s.runs) == 0 {
			continue
		}
		for _, w := range s.wants {
			fmt.Println(rowOf(s, w, all))
		}
	}
	fmt.Println()
	for _, v := range b.versions {
		fmt.Println("- " + v)
	}
	for _, m := range b.missing {
		fmt.Println("- not measured: " + m)
	}
}

// rowOf is the line of the table for a value: with the goal, how many times the values of others it
// is, and whether all of that is as wanted.
func rowOf(s *series, w want, all []*series) string {
	value := s.value(w.percent)
	var each []float64
	for _, run := range s.runs {
		each = append(each, trials.Percentile(run, w.percent))
	}
	what, sign := s.what, "≤"
	if w.least {
		sign = "≥"
	}
	switch {
	case w.percent == 100:
		what += ", the most"
	case len(s.wants) > 1:
		what += fmt.Sprintf(", p%d", w.percent)
	}
	wanted, verdict := "", ""
	if w.limit > 0 {
		wanted, verdict = fmt.Sprintf("%s %g %s", sign, w.limit, s.unit), trials.Met(w.holds(value, w.limit))
	}
	var ratios []string
	for _, f := range w.beside {
		for _, o := range all {
			if o.goal != s.goal || o.system != f.system || len(o.runs) == 0 {
				continue
			}
			theirs := o.value(w.percent)
			ratio := fmt.Sprintf("%.3g × %s", value/theirs, f.system)
			if f.times > 0 {
				ratio += fmt.Sprintf(" (%s %g)", sign, f.times)
			}
			ratios = append(ratios, ratio)
			if f.times > 0 && !w.holds(value, f.times*theirs) {
				verdict = trials.Met(false)
			}
		}
	}
	text, spread := "never", ""
	if !math.IsInf(value, 1) { // else it never happened
		text = fmt.Sprintf("%.3g %s", value, s.unit)
		spread = fmt.Sprintf("%.3g to %.3g", slices.Min(each), slices.Max(each))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |",
		s.goal, what, s.system, text, spread, wanted, strings.Join(ratios, ", "), verdict)
}

// holds reports whether a value is within a limit.
func (w want) holds(value, limit float64) bool {
	if w.least {
		return value >= limit
	}
	return value <= limit
}

// processorMillis is the processor time of the daemons of a grid and of the children that they have
// waited for.
func processorMillis(g *trials.Grid) float64 {
	return float64(trials.ProcessorTime(g.Agents()).Microseconds()) / 1000
}
