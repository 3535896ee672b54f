package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// checkFlags is the command line of a check.
type checkFlags struct {
	deep, json, quiet     bool
	reduce, safety        bool
	coverage              bool
	junit, traces, memory string
	storage, order, temp  string
	checkpoints, shard    string
	swarm                 int
	resume                bool
	workers, maxDepth     int
	maxStates             uint64
	seed, walks           uint64
	bugDepth              int
	timeout               time.Duration
	budget                model.Budget
}

func (t *tool) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATTERN...]",
		Short: "Explore models exhaustively and hold the verdicts against the declared ones",
		Long: "Checks the models whose name fits a pattern (see \"canvass help models\"), or all but the deep ones.\n" +
			"Each is explored within its bounds and its fault budget, until every property is decided; what breaks\n" +
			"one is kept as a trace, a shortest one for each property unless --order says otherwise. A fault flag\n" +
			"overrides that fault alone, in all models that are checked. Results go to standard output as they come,\n" +
			"talk to standard error. An interrupt (Ctrl-C) ends the check with what is known so far; a second one\n" +
			"ends it at once.\n\n" + exitHelp,
		Example: "  canvass check\n" +
			"  canvass check 'can/row3/leave-*' --duplicate 1 --memory-limit 8GiB\n" +
			"  canvass check 'can/row6/*' --deep --reduce\n" +
			"  canvass check can/row4/join-leave --checkpoint out/checkpoints --resume\n" +
			"  canvass check can/row3/join-leave --order pct --bug-depth 4 --walks 100000 --seed 7\n" +
			"  canvass check --deep --json --junit out/junit.xml --timeout 1h",
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return t.check(cmd.Context(), cmd.Flags(), &f, patterns)
		},
		ValidArgsFunction: t.completeModels,
	}
	f.define(cmd.Flags())
	return cmd
}

func (f *checkFlags) define(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.BoolVar(&f.deep, "deep", false, "also models that are too large for the default run")
	flags.BoolVar(&f.json, "json", false, "one object a line instead of the table")
	flags.BoolVar(
		&f.coverage,
		"coverage",
		false,
		"after the table, what happened and what never did, in all models together",
	)
	flags.StringVar(&f.junit, "junit", "", "also write a JUnit report to `FILE`")
	flags.StringVar(
		&f.traces,
		"trace-dir",
		"out/traces",
		"where counterexamples go, a `DIR` made when needed; \"\" keeps none",
	)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress on standard error")
	flags.BoolVar(
		&f.safety,
		"safety",
		false,
		"leave out liveness (leads to, reaches, almost surely): cheaper, and what --storage can decide",
	)
	flags.BoolVar(
		&f.reduce,
		"reduce",
		false,
		"leave out what makes no difference to any property, where a model says what that is",
	)
	flags.IntVar(&f.workers, "workers", 0, "`N` goroutines; 0 is one for each core")
	flags.Int("nodes", 0, "make the map so large that `N` processes take part; rows only")
	flags.StringVar(
		&f.memory,
		"memory-limit",
		"",
		"end a check before its tables take more than `SIZE` (8GiB, none); if not given, three quarters of what is free",
	)
	flags.StringVar(
		&f.storage,
		"storage",
		"exact",
		"`HOW` states are remembered: exact, fingerprint64, fingerprint128 or bitstate",
	)
	flags.StringVar(
		&f.order,
		"order",
		"breadth-first",
		"`WAY` through the states: breadth-first, depth-first, iterative-bound, random-walk or pct",
	)
	flags.Uint64Var(
		&f.seed,
		"seed",
		0,
		"`N` from which random walks are drawn, and the hash functions of a --storage that is not exact; those of a swarm, too",
	)
	flags.Uint64Var(
		&f.walks,
		"walks",
		0,
		"of orders random-walk and pct, take `N` walks; 0 is as many as meet a million states",
	)
	flags.IntVar(
		&f.bugDepth,
		"bug-depth",
		0,
		"of order pct, the depth `D` of the bugs to look for: priorities change D - 1 times in a walk; 0 is 3",
	)
	flags.StringVar(&f.temp, "temp-dir", "", "`DIR` for states that go to disk; \"\" is the system's")
	flags.IntVar(
		&f.swarm,
		"swarm",
		0,
		"look for violations only, by `N` small searches and random walks, each of another part",
	)
	flags.StringVar(
		&f.shard,
		"shard",
		"",
		"of a swarm only the share `I/N`; canvass merge joins the reports of all shares",
	)
	flags.StringVar(
		&f.checkpoints,
		"checkpoint",
		"",
		"keep the search of each model in `DIR` every minute and when it ends early",
	)
	flags.BoolVar(&f.resume, "resume", false, "go on from what --checkpoint kept; models without a checkpoint begin anew")
	flags.DurationVar(&f.timeout, "timeout", 0, "end the whole run after `TIME` (10m); 0 is never")
	flags.IntVar(&f.maxDepth, "max-depth", 0, "explore runs of at most `N` steps; 0 is no limit")
	flags.Uint64Var(
		&f.maxStates,
		"max-states",
		0,
		"end a check once it has found `N` states, and those of the round it is in; 0 is no limit",
	)
	for _, fault := range faultFlags(&f.budget) {
		flags.IntVar(fault.count, fault.name, 0, "how often "+fault.what+", at most `N`; if not given, as the model says")
	}
	flags.BoolVar(
		&f.budget.Repeat,
		"repeat",
		false,
		"messages that have arrived arrive again, without end, in place of --duplicate; if not given, as the model says",
	)
}

// seedStride keeps the walks of neighbouring seeds apart: walk i is drawn with the checker's seed
// plus i.
const seedStride = 0x9e3779b97f4a7c15

func (f *checkFlags) options() (checker.Options, error) {
	o := checker.Options{
		Workers: f.workers, MaxDepth: f.maxDepth, MaxStates: f.maxStates, TempDir: f.temp, ContinueAfterViolation: true,
		Reduce: f.reduce, WalkSeed: f.seed * seedStride, HashSeed: f.seed,
		MaxWalks: f.walks, BugDepth: f.bugDepth,
	}
	switch {
	case f.workers < 0 || f.workers > mostWorkers:
		return o, usagef("--workers %d is not from 0 to %d; 0 is one for each core", f.workers, mostWorkers)
	case f.maxDepth < 0:
		return o, usagef("--max-depth %d is negative; 0 is no limit", f.maxDepth)
	case f.resume && f.checkpoints == "":
		return o, usagef("--resume needs --checkpoint DIR, the folder to resume from")
	case f.bugDepth < 0:
		return o, usagef("--bug-depth %d is negative; 0 is the default", f.bugDepth)
	case f.timeout < 0:
		return o, usagef("--timeout %v is negative; 0 is never", f.timeout)
	}
	var err error
	if o.Storage, err = checker.ParseStorage(f.storage); err != nil {
		return o, usagef("--storage: %v", err)
	}
	if o.Order, err = checker.ParseOrder(f.order); err != nil {
		return o, usagef("--order: %v", err)
	}
	switch {
	case f.walks > 0 && !o.Order.Samples():
		return o, usagef("--walks is of the orders that walk: add --order random-walk or --order pct")
	case f.bugDepth > 0 && o.Order != checker.PCT:
		return o, usagef("--bug-depth is of one order: add --order pct")
	case f.seed > 0 && !o.Order.Samples() && f.swarm == 0 && o.Storage == checker.Exact:
		return o, usagef(
			"--seed is for what is drawn: add --order random-walk, --order pct, --swarm N or a --storage that is not exact",
		)
	case o.Order != checker.BreadthFirst && f.checkpoints != "":
		return o, usagef("--order %v cannot be kept: leave out --checkpoint", o.Order)
	case o.Order != checker.BreadthFirst && f.swarm > 0:
		return o, usagef("--order %v with --swarm: the searches of a swarm choose their orders themselves", o.Order)
	case o.Order.Samples() && o.Storage != checker.Exact:
		return o, usagef("--order %v keeps no states: leave out --storage", o.Order)
	}
	o.MemoryLimitBytes, err = f.memoryLimit()
	if o.Storage == checker.Bitstate && f.memory == "" {
		o.BitstateBytes = checker.DefaultBitstateBytes // and not half of what there is
	}
	return o, err
}

// memoryLimit is what --memory-limit says. A check without one would end with the machine: of a
// model whose states have no end, or of one that is too large.
func (f *checkFlags) memoryLimit() (bytes uint64, err error) {
	switch f.memory {
	case "":
		return checker.FreeMemoryBytes() / 4 * 3, nil
	case "none":
		return 0, nil
	}
	return parseBytes(f.memory)
}

func (t *tool) check(ctx context.Context, flags *pflag.FlagSet, f *checkFlags, patterns []string) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	herd, err := swarmOf(f.swarm, f.shard)
	if err != nil {
		return err
	}
	models, err := choose(t.models(), patterns, f.deep)
	if err != nil {
		return err
	}
	systems, err := overridden(models, flags, f.budget)
	if err != nil {
		return err
	}
	if systems, err = f.decidable(systems, options.Storage); err != nil {
		return err
	}
	if f.checkpoints != "" {
		if err := os.MkdirAll(f.checkpoints, 0o777); err != nil {
			return fmt.Errorf("--checkpoint: %w", err)
		}
	}
	outputs, err := t.outputs(f, systems)
	if err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, restore := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer restore()
	context.AfterFunc(ctx, restore) // so that a second signal does what signals do
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	s := &session{
		options: options, outputs: outputs, keeper: keeper{f.checkpoints, f.resume}, swarm: herd, recorder: recorder{folder: f.traces, build: thisBuild()},
		progress: newProgress(t.stderr, f.quiet),
	}
	s.progress.say(f.resolved(systems, options))
	return s.run(ctx, systems)
}
