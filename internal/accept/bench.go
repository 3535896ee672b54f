package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// measure is something that is measured, of ours or of another system.
type measure struct {
	goal, what, system, unit string
	wants                    []want // a row each
	once                     bool   // it takes long
	run                      func() []float64
}

// want is what a value of a measure should be.
type want struct {
	percent int     // the value is that below which so many of a hundred lie
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
func (s *series) value(percent int) float64 { return percentile(slices.Concat(s.runs...), percent) }

// bench measures ours beside what this machine has, in turns, and prints a table.
func bench(ctx context.Context, s settings) error {
	folder, err := os.MkdirTemp("", "cb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	t := &trial{settings: s, ctx: ctx, folder: folder}
	defer t.end()
	return t.guarded(func() {
		b := &benches{trial: t, grid: t.grid(4)}
		defer b.stop()
		b.begin()
		var all []*series
		for _, m := range b.measures() {
			all = append(all, &series{measure: m})
		}
		for turn := range s.runs {
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

// guarded turns a failure into an error.
func (t *trial) guarded(f func()) (err error) {
	defer func() {
		if failed, is := recover().(failure); is {
			err = failed
		}
	}()
	f()
	return nil
}

func (b *benches) print(all []*series) {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%d processors, load at the end %s, %d runs in turns\n\n",
		runtime.NumCPU(), strings.Fields(string(load))[0], b.runs)
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
		each = append(each, percentile(run, w.percent))
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
		wanted, verdict = fmt.Sprintf("%s %g %s", sign, w.limit, s.unit), goal(w.holds(value, w.limit))
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
				verdict = goal(false)
			}
		}
	}
	text, spread := "never", ""
	if !math.IsInf(value, 1) { // the time of what came about
		text = fmt.Sprintf("%.3g %s", value, s.unit)
		spread = fmt.Sprintf("%.3g to %.3g", slices.Min(each), slices.Max(each))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |",
		s.goal, what, s.system, text, spread, wanted, strings.Join(ratios, ", "), verdict)
}

// holds reports whether a value is on the right side of a limit.
func (w want) holds(value, limit float64) bool {
	if w.least {
		return value >= limit
	}
	return value <= limit
}

// repeated is the values of something that is done so many times.
func repeated(times int, f func() float64) (all []float64) {
	for range times {
		all = append(all, f())
	}
	return all
}

// percentile is the value below which so many of a hundred lie.
func percentile(values []float64, percent int) float64 {
	all := slices.Sorted(slices.Values(values))
	return all[min(len(all)-1, len(all)*percent/100)]
}

// processorMillis is the processor time of the daemons of a grid and of what they have waited for.
func (b *benches) processorMillis(g *grid) (millis float64) {
	const ticksPerSecond = 100
	for _, id := range processes("agent --data " + g.folder) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
		if err != nil {
			continue
		}
		words := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		for _, w := range words[11:15] {
			ticks, err := strconv.ParseFloat(w, 64)
			b.demand(err == nil, "%v", err)
			millis += ticks * 1000 / ticksPerSecond
		}
	}
	return millis
}
