package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// item is something that users may count on.
type item struct {
	number int
	title  string
	try    func(*trial) string // what was seen; nil: not there
	lacks  string              // why it is not there
	more   time.Duration       // that it may take beyond itemLimit
}

// settings are what a user of this program decides.
type settings struct {
	binary  string
	runs    int // of items that are repeated
	size    int // of the array
	minutes int // of faults, of all three seeds together
}

func main() {
	only := flag.Int("item", 0, "number of the one item to try; 0: all")
	s := settings{}
	flag.StringVar(&s.binary, "canvass", "bin/canvass", "the program")
	flag.IntVar(&s.runs, "runs", 5, "how often items are repeated that a crash at another moment may break")
	flag.IntVar(&s.size, "size", 200, "elements of the array")
	flag.IntVar(&s.minutes, "minutes", 1, "minutes of faults of item 14, of its three seeds together")
	measures := flag.Bool("bench", false, "measure beside other systems instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	binary, err := filepath.Abs(s.binary)
	if err != nil {
		panic(err)
	}
	s.binary = binary
	switch {
	case *measures:
		if err := bench(ctx, s); err != nil {
			fmt.Fprintln(os.Stderr, "accept:", err)
			os.Exit(1)
		}
	case !all(ctx, s, *only):
		os.Exit(1)
	}
}

// all tries the items, and reports whether none has failed.
func all(ctx context.Context, s settings, only int) bool {
	ok := true
	for _, i := range items {
		if only != 0 && i.number != only || ctx.Err() != nil {
			continue
		}
		begin := time.Now()
		seen, err := i.run(ctx, s)
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

// run tries an item in a folder of its own.
func (i *item) run(ctx context.Context, s settings) (seen string, err error) {
	if i.try == nil {
		return i.lacks, nil
	}
	folder, err := os.MkdirTemp("", "ca")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	limit := itemLimit + i.more + time.Duration(s.minutes)*time.Minute + time.Duration(s.runs)*runLimit
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	t := &trial{settings: s, ctx: ctx, folder: folder}
	defer t.end()
	err = t.guarded(func() { seen = i.try(t) })
	return seen, err
}

const (
	itemLimit = 10 * time.Minute // without repeats, and the minutes of faults that were asked for
	runLimit  = time.Minute      // of one repeat
)
