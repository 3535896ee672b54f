package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// measure is something that is measured, of ours or of another system.
type measure struct {
	goal, what, system, unit string
	run                      func() float64
}

// series is the values of a measure, a run each.
type series struct {
	measure
	values []float64
}

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
		b.begin()
		defer b.stop()
		var all []*series
		for _, m := range b.measures() {
			all = append(all, &series{measure: m})
		}
		for range s.runs {
			for _, one := range all {
				one.values = append(one.values, one.run())
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
	fmt.Print("| goal | what | system | median | range |\n|---|---|---|---|---|\n")
	for _, s := range all {
		slices.Sort(s.values)
		fmt.Printf("| %s | %s | %s | %.3g %s | %.3g to %.3g |\n", s.goal, s.what, s.system,
			s.values[len(s.values)/2], s.unit, s.values[0], s.values[len(s.values)-1])
	}
	fmt.Println()
	for _, v := range b.versions {
		fmt.Println("- " + v)
	}
	for _, m := range b.missing {
		fmt.Println("- not measured: " + m)
	}
}

// millis is how long a line of the shell takes.
func (b *benches) millis(g *grid, line string, args ...any) float64 {
	begin := time.Now()
	b.must(g, line, args...)
	return float64(time.Since(begin).Microseconds()) / 1000
}

// percentile repeats something, and returns the value below which so many of a hundred lie.
func percentile(times, percent int, f func() float64) float64 {
	var all []float64
	for range times {
		all = append(all, f())
	}
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*percent/100)]
}

// processorMillis is the processor time of the daemons of a grid and of what they have waited for.
func (b *benches) processorMillis() (millis float64) {
	const ticksPerSecond = 100
	for _, id := range processes("agent --data " + b.grid.folder) {
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
