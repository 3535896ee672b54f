package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// item is a promise to users.
type item struct {
	number int
	title  string
	try    func(*trial) string // returns the observation; nil: not there
	lacks  string              // why it is not there
	more   time.Duration       // that it may take beyond itemLimit
	named  amounts             // the amounts in the promise; 0: it names none
}

// amounts are the extent of a trial.
type amounts struct {
	runs    int // of items that are repeated
	size    int // of the array
	minutes int // of faults, of all three seeds together
}

// settings are those of the command line.
type settings struct {
	binary string
	amounts
	full bool // the amounts that the items name
}

// runsFlag is the flag -runs: a number, or full.
func (s *settings) runsFlag(text string) error {
	if s.full = text == "full"; s.full {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q; want a number from 1, or full", text)
	}
	s.runs = n
	return nil
}

// of returns the settings for an item.
func (s settings) of(i *item) settings {
	if !s.full {
		return s
	}
	if i.named.runs > 0 {
		s.runs = i.named.runs
	}
	if i.named.size > 0 {
		s.size = i.named.size
	}
	if i.named.minutes > 0 {
		s.minutes = i.named.minutes
	}
	return s
}

// share describes the part of the named amounts that is tried, such as "5 of 100 runs".
func (s settings) share(named amounts) string {
	var parts []string
	for _, p := range []struct {
		tried, named int
		unit         string
	}{{s.runs, named.runs, "runs"}, {s.size, named.size, "elements"}, {s.minutes, named.minutes, "minutes"}} {
		if p.named > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d %s; ", p.tried, p.named, p.unit))
		}
	}
	return strings.Join(parts, "")
}

func main() {
	if trials.IsTask(os.Args) {
		os.Exit(trials.Task{}.Run(os.Args[2:]))
	}
	only := flag.Int("item", 0, "try only the item with this `number`; 0: all")
	s := settings{amounts: amounts{runs: 5}}
	flag.StringVar(&s.binary, "canvass", "bin/canvass", "the `program` under test")
	flag.Func("runs", "`repeats` of the items whose result depends on the moment of a crash (5);\n"+
		"full: the repeats, elements and minutes that each item names", s.runsFlag)
	flag.IntVar(&s.size, "size", 200, "elements of the array of item 21")
	flag.IntVar(&s.minutes, "minutes", 1, "minutes of faults in item 14, for all its three seeds together")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	binary, err := filepath.Abs(s.binary)
	if err != nil {
		panic(err)
	}
	s.binary = binary
	if !all(ctx, s, *only) {
		os.Exit(1)
	}
}

// all tries the items, and reports whether they have all passed.
func all(ctx context.Context, s settings, only int) bool {
	ok := true
	for _, i := range items {
		if only != 0 && i.number != only || ctx.Err() != nil {
			continue
		}
		begin := time.Now()
		seen, err := i.run(ctx, s.of(&i))
		word := "ok"
		switch {
		case i.try == nil:
			word = "not there"
		case err != nil:
			word, seen, ok = "FAILED", err.Error(), false
		}
		fmt.Printf("%2d  %-9s  %s: %s (%.1f s)\n", i.number, word, i.title, seen, time.Since(begin).Seconds())
	}
	return ok && ctx.Err() == nil
}

// run tries an item in a new folder.
func (i *item) run(ctx context.Context, s settings) (seen string, err error) {
	if i.try == nil {
		return i.lacks, nil
	}
	limit := itemLimit + i.more + time.Duration(s.minutes)*time.Minute + time.Duration(s.runs)*runLimit +
		time.Duration(s.size)*elementLimit
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	err = trials.Try(ctx, s.binary, func(t *trials.Trial) { seen = i.try(&trial{t, s}) })
	return s.share(i.named) + seen, err
}

const (
	itemLimit = 10 * time.Minute // without repeats, and the minutes of faults that were asked for
	runLimit  = time.Minute      // of one repeat

	elementLimit = time.Second / 5 // of one element of the array
)
