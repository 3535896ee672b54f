package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// The exit codes, as those of canvass.
const (
	exitFailed       = 1
	exitUsage        = 2
	exitViolated     = 12
	exitInconclusive = 20
)

func main() {
	if trials.IsTask(os.Args) {
		os.Exit(Job().Run(os.Args[2:]))
	}
	s, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	code := exitUsage
	if err == nil {
		code, err = s.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nemesis:", err)
	}
	os.Exit(code)
}

// settings are those of the command line.
type settings struct {
	seed     string
	minutes  float64
	nodes    int
	crashes  int
	leaves   int
	regrids  int
	losses   int
	attacks  int
	silence  time.Duration
	replaced bool
	plan     string
	canvass  string
	mutant   string
	settle   time.Duration
	keep     bool
	json     bool
	only     bool
}

func parse(args []string) (*settings, error) {
	s := &settings{}
	f := flag.NewFlagSet("nemesis", flag.ContinueOnError)
	f.StringVar(&s.seed, "seed", "1", "`seed` of the plan: a number, or the hash of a commit")
	f.Float64Var(&s.minutes, "minutes", 1, "`minutes` of faults")
	f.IntVar(&s.nodes, "nodes", 0, "daemons, 3 to 9; 0 draws from the seed")
	f.IntVar(&s.crashes, "crashes", -1, "the most crashes of daemons; -1: 4 per daemon and minute")
	f.IntVar(&s.leaves, "leaves", -1, "the most daemons that have to leave; -1: 2 per daemon and minute")
	f.IntVar(&s.regrids, "regrids", -1, "how often the witnesses are asked to close the grid; -1: once a minute")
	f.IntVar(&s.losses, "losses", -1, "the most machines to lose; -1: one per minute, among 4 daemons or more")
	f.IntVar(&s.attacks, "attacks", -1, "jobs that leave many files, floods of strangers, hostile members; "+
		"-1: two per minute")
	f.DurationVar(&s.silence, "silence", 0, "the longest pause or cut, up to 10s; 0: the limit of the present daemon")
	f.BoolVar(&s.replaced, "replaced", true, "demand that jobs end and nodes come back after crashes of daemons")
	f.StringVar(&s.plan, "plan", "", "carry out a printed plan from a `file`")
	f.StringVar(&s.canvass, "canvass", "bin/canvass", "the `program` under test")
	f.StringVar(&s.mutant, "mutant", "", "build the program with a `mistake`, which a judge must notice")
	f.DurationVar(&s.settle, "settle", 90*time.Second, "after the faults, the longest `duration` without the end of a job")
	f.BoolVar(&s.keep, "keep", false, "keep the folder of the run")
	f.BoolVar(&s.json, "json", false, "write the report as JSON")
	f.BoolVar(&s.only, "print", false, "print only the plan")
	err := f.Parse(args)
	switch {
	case err != nil:
		return nil, err
	case f.NArg() > 0:
		err = fmt.Errorf("%q: there are no arguments", f.Arg(0))
	case s.nodes != 0 && (s.nodes < 3 || s.nodes > MaxNodes):
		err = fmt.Errorf("-nodes %d: want 3 to %d", s.nodes, MaxNodes)
	case s.minutes <= 0 || s.minutes > 24*60:
		err = fmt.Errorf("-minutes %v: want more than 0, and a day at most", s.minutes)
	}
	return s, err
}

// seedOf reads a number, or the first digits of a hash.
func seedOf(text string) (uint64, error) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseUint(text[:min(len(text), 16)], 16, 64)
	if err != nil {
		return 0, fmt.Errorf("-seed %q is neither a number nor a hash", text)
	}
	return n, nil
}

// makePlan draws or reads the plan.
func (s *settings) makePlan() (Plan, error) {
	if s.plan != "" {
		f, err := os.Open(s.plan)
		if err != nil {
			return Plan{}, err
		}
		defer f.Close()
		return Parse(f)
	}
	seed, err := seedOf(s.seed)
	if err != nil {
		return Plan{}, err
	}
	nodes := s.nodes
	if nodes == 0 {
		nodes = 3 + rand.New(rand.NewPCG(seed, 1)).IntN(MaxNodes-2)
	}
	duration := time.Duration(s.minutes * float64(time.Minute))
	bounds := Today(nodes, duration)
	bounds.Replaced = s.replaced
	for _, b := range []struct {
		given int
		to    *int
	}{
		{s.crashes, &bounds.DaemonCrashes}, {s.leaves, &bounds.Leaves}, {s.regrids, &bounds.Regrids},
		{s.losses, &bounds.Losses}, {s.attacks, &bounds.Attacks},
	} {
		if b.given >= 0 {
			*b.to = b.given
		}
	}
	if s.silence > 0 {
		bounds.Silence = s.silence
	}
	return Draw(seed, nodes, duration, bounds), nil
}

func (s *settings) run() (code int, err error) {
	plan, err := s.makePlan()
	if err != nil {
		return exitUsage, err
	}
	if s.only {
		fmt.Print(plan)
		return 0, nil
	}
	fmt.Fprint(os.Stderr, plan)
	folder, err := os.MkdirTemp("", "nemesis-")
	if err != nil {
		return exitFailed, err
	}
	defer func() {
		if s.keep || code != 0 {
			fmt.Fprintln(os.Stderr, "the folder of the run is kept:", folder)
		} else {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if s.mutant != "" {
		if s.canvass, err = BuildMutant(ctx, s.mutant, folder); err != nil {
			return exitFailed, err
		}
	}
	report, err := Run(ctx, Options{
		Plan: plan, Canvass: s.canvass, Folder: filepath.Join(folder, "r"), Settle: s.settle, Log: os.Stderr,
	})
	if err != nil {
		return exitFailed, err
	}
	if err := s.print(report); err != nil {
		return exitFailed, err
	}
	switch worst := report.Worst(); {
	case s.mutant != "":
		if worst != Violated {
			return exitViolated, fmt.Errorf("no judge noticed the mutant %s", s.mutant)
		}
		fmt.Fprintf(os.Stderr, "the mutant %s was noticed\n", s.mutant)
	case worst == Violated:
		return exitViolated, nil
	case worst == Inconclusive:
		return exitInconclusive, nil
	}
	return 0, nil
}

func (s *settings) print(report *Report) error {
	if !s.json {
		_, err := fmt.Print(report)
		return err
	}
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false)
	return e.Encode(report)
}
