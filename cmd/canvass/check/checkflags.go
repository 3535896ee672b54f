package check

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// checkFlags is the command line of a check.
type checkFlags struct {
	deep, quiet           bool
	verbose               bool
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

func (f *checkFlags) define(out *cli.Output, flags *pflag.FlagSet) {
	flags.SortFlags = false
	f.selection(flags)
	f.search(flags)
	f.bounds(flags)
	f.output(out, flags)
}

// selection defines the flags that say which models are checked, and under which faults.
func (f *checkFlags) selection(flags *pflag.FlagSet) {
	flags.BoolVar(&f.deep, "deep", false, "also check models that are too large for the default run")
	flags.Int("nodes", 0, "enlarge the map until `N` nodes take part (models of a row of zones only)")
	flags.BoolVar(&f.safety, "safety", false,
		"leave out liveness properties (leads to, reaches, almost surely), which need the graph of all states")
	cli.Group(flags, cli.GroupSelect, "deep", "nodes", "safety")
	for _, fault := range faultFlags(&f.budget) {
		flags.IntVar(fault.count, fault.name, 0, fault.what)
		cli.Group(flags, cli.GroupFaults, fault.name)
	}
	flags.BoolVar(&f.budget.Repeat, "repeat", false,
		"unbounded duplication: a message that has arrived may arrive again at any time (instead of --duplicate)")
	flags.BoolVar(&f.budget.Adversarial, "adversarial", false,
		"unbounded adversarial delivery: any message ever sent may arrive at any time, at any incarnation (instead "+
			"of --late)")
	cli.Group(flags, cli.GroupFaults, "repeat", "adversarial")
}

// search defines the flags that say how states are searched.
func (f *checkFlags) search(flags *pflag.FlagSet) {
	flags.StringVar(&f.order, "order", "breadth-first",
		"search `ORDER`: breadth-first, depth-first, iterative-bound, random-walk or pct")
	flags.StringVar(&f.storage, "storage", "exact",
		"state `STORAGE`: exact, fingerprint64 or fingerprint128 (hash compaction), or bitstate")
	flags.BoolVar(&f.reduce, "reduce", false, "partial-order and symmetry reduction, where a model supports it")
	flags.IntVar(&f.workers, "workers", 0, "`N` parallel workers; 0 means one for each core")
	flags.Uint64Var(&f.walks, "walks", 0,
		"make `N` walks (orders random-walk and pct); 0 means enough to visit a million states")
	flags.IntVar(&f.bugDepth, "bug-depth", 0,
		"look for bugs of depth `D` (order pct): a walk changes priorities D-1 times; 0 means 3")
	flags.IntVar(&f.swarm, "swarm", 0,
		"look only for violations, with `N` small searches and random walks that cover different states")
	flags.StringVar(&f.shard, "shard", "", "run only the share `I/N` of a swarm; canvass merge joins the reports")
	flags.Uint64Var(&f.seed, "seed", 0,
		"`SEED` of random walks, of a swarm, and of the hash functions of a storage that is not exact")
	cli.Group(flags, cli.GroupSearch, "order", "storage", "reduce", "workers", "walks", "bug-depth", "swarm", "shard",
		"seed")
}

// completeSearch makes a command complete the orders and the storages.
func completeSearch(cmd *cobra.Command) {
	var orders, storages []string
	for o := checker.BreadthFirst; o <= checker.PCT; o++ {
		orders = append(orders, o.String())
	}
	for s := checker.Exact; s <= checker.Bitstate; s++ {
		storages = append(storages, s.String())
	}
	cli.CompleteWords(cmd, "order", orders)
	cli.CompleteWords(cmd, "storage", storages)
}

// bounds defines the flags that end a check early or resume it.
func (f *checkFlags) bounds(flags *pflag.FlagSet) {
	flags.DurationVar(&f.timeout, "timeout", 0, "end the whole run after `TIME` (90s, 10m); 0 means no limit")
	flags.StringVar(&f.memory, "memory-limit", "",
		"end a check before its tables exceed `SIZE` (8GiB, none); the default is three quarters of the free memory")
	flags.Uint64Var(&f.maxStates, "max-states", 0,
		"end a check that has found `N` states, once the current round is complete; 0 means no limit")
	flags.IntVar(&f.maxDepth, "max-depth", 0, "explore executions of at most `N` steps; 0 means no limit")
	flags.StringVar(&f.checkpoints, "checkpoint", "",
		"save the search of each model to the folder `DIR` every minute, and when it ends early")
	flags.BoolVar(&f.resume, "resume", false, "resume the searches that --checkpoint saved; start the others from "+
		"the beginning")
	flags.StringVar(&f.temp, "temp-dir", "",
		"folder `DIR` for states that do not fit in memory; the default is the system's")
	cli.Group(flags, cli.GroupLimits, "timeout", "memory-limit", "max-states", "max-depth", "checkpoint", "resume",
		"temp-dir")
}

func (f *checkFlags) output(out *cli.Output, flags *pflag.FlagSet) {
	flags.BoolVarP(&f.verbose, "verbose", "v", false,
		"print a line for each model, with its figures and findings, and a line about the run on standard error")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress on standard error")
	out.JSONFlag(flags)
	flags.StringVar(&f.junit, "junit", "", "also write a JUnit report to `FILE`")
	flags.BoolVar(&f.coverage, "coverage", false,
		"at the end, list the actions and events that occurred, and those without an occurrence")
	flags.StringVar(&f.traces, "trace-dir", "out/traces",
		"write counterexamples to the folder `DIR` (created if missing); \"\" writes none")
	cli.Group(flags, cli.GroupOutput, "verbose", "quiet", "json", "junit", "coverage", "trace-dir")
}

// seedStride separates the walks of neighbouring seeds: walk i is drawn with the checker's seed
// plus i.
const seedStride = 0x9e3779b97f4a7c15

func (f *checkFlags) options() (checker.Options, error) {
	o := checker.Options{
		Workers: f.workers, MaxDepth: f.maxDepth, MaxStates: f.maxStates, TempDir: f.temp, ContinueAfterViolation: true,
		Reduce: f.reduce, WalkSeed: f.seed * seedStride, HashSeed: f.seed,
		MaxWalks: f.walks, BugDepth: f.bugDepth,
	}
	switch {
	case f.workers < 0 || f.workers > verdict.MostWorkers:
		return o, cli.Usagef("--workers %d is not from 0 to %d; 0 means one for each core", f.workers, verdict.MostWorkers)
	case f.maxDepth < 0:
		return o, cli.Usagef("--max-depth %d is negative; 0 means no limit", f.maxDepth)
	case f.resume && f.checkpoints == "":
		return o, cli.Usagef("--resume needs --checkpoint DIR, the folder to resume from")
	case f.bugDepth < 0:
		return o, cli.Usagef("--bug-depth %d is negative; 0 means the default", f.bugDepth)
	case f.timeout < 0:
		return o, cli.Usagef("--timeout %v is negative; 0 means no limit", f.timeout)
	}
	var err error
	if o.Storage, err = checker.ParseStorage(f.storage); err != nil {
		return o, cli.Usagef("--storage: %v", err)
	}
	if o.Order, err = checker.ParseOrder(f.order); err != nil {
		return o, cli.Usagef("--order: %v", err)
	}
	if err := f.fit(o); err != nil {
		return o, err
	}
	o.MemoryLimitBytes, err = f.memoryLimit()
	if o.Storage == checker.Bitstate && f.memory == "" {
		o.BitstateBytes = checker.DefaultBitstateBytes // and not half of the free memory
	}
	return o, err
}

// fit refuses flags that do not go together.
func (f *checkFlags) fit(o checker.Options) error {
	switch {
	case f.walks > 0 && !o.Order.Samples():
		return cli.Usagef("--walks is for random walks: add --order random-walk or --order pct")
	case f.bugDepth > 0 && o.Order != checker.PCT:
		return cli.Usagef("--bug-depth is for one order: add --order pct")
	case f.seed > 0 && !o.Order.Samples() && f.swarm == 0 && o.Storage == checker.Exact:
		return cli.Usagef("--seed is for random searches: add --order random-walk, --order pct, --swarm N " +
			"or a --storage that is not exact")
	case o.Order != checker.BreadthFirst && f.checkpoints != "":
		return cli.Usagef("--order %v cannot be checkpointed: leave out --checkpoint", o.Order)
	case o.Order != checker.BreadthFirst && f.swarm > 0:
		return cli.Usagef("--order %v with --swarm: the searches of a swarm choose their orders themselves", o.Order)
	case o.Order.Samples() && o.Storage != checker.Exact:
		return cli.Usagef("--order %v stores no states: leave out --storage", o.Order)
	}
	return nil
}

// memoryLimit is the limit of --memory-limit. There is always one unless it is "none": otherwise a
// model with too many states would take the whole machine down.
func (f *checkFlags) memoryLimit() (bytes uint64, err error) {
	switch f.memory {
	case "":
		return checker.FreeMemoryBytes() / 4 * 3, nil
	case "none":
		return 0, nil
	}
	if bytes, err = parseBytes(f.memory); err == nil && bytes < leastMemory {
		err = cli.Usagef("--memory-limit %s is too small for any search; give 1MiB or more", f.memory)
	}
	return bytes, err
}

// leastMemory is how much a search needs before it has a state.
const leastMemory = 1 << 20
