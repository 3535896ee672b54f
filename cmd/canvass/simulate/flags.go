package simulate

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
)

// simulateFlags is the command line of a simulation.
type simulateFlags struct {
	seeds         uint64
	seed          string
	timeout       time.Duration
	workers       int
	shard         string
	quiet         bool
	verbose       bool
	junit         string
	traces, found string
	plan          string
	latency       string
	list          bool
}

func (f *simulateFlags) define(out *cli.Output, flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.BoolVar(&f.list, "list", false, "list the scenarios and run none")
	flags.Uint64Var(&f.seeds, "seeds", 100, "run `N` seeds of each scenario; 0 is no limit, for use with --timeout")
	flags.StringVar(&f.seed, "seed", "1", "the first `SEED`: a number, or the 40 digits of a commit")
	flags.StringVar(&f.shard, "shard", "", "run only the share `I/N` of the seeds")
	flags.StringVar(&f.plan, "plan", "",
		"run the plan in `FILE`, or that of the trace in it, and shrink it if it violates a property")
	cli.Group(flags, cli.GroupSelect, "list", "seeds", "seed", "shard", "plan")
	flags.StringVar(&f.latency, "latency", "",
		"latencies as `TEXT` says, instead of random ones: \"measured FILE\", \"exponential 50000\" (microseconds)")
	cli.Group(flags, cli.GroupFaults, "latency")
	flags.IntVar(&f.workers, "workers", 0, "`N` parallel workers; 0 is one for each core")
	cli.Group(flags, cli.GroupSearch, "workers")
	flags.DurationVar(&f.timeout, "timeout", 0,
		"start no seed after `TIME` (90s, 10m); without --seeds, run as many as fit; shrinking comes on top")
	cli.Group(flags, cli.GroupLimits, "timeout")
	flags.BoolVarP(&f.verbose, "verbose", "v", false,
		"a line for each scenario, with its figures and findings; a line about the run on standard error")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress on standard error")
	out.JSONFlag(flags)
	flags.StringVar(&f.junit, "junit", "", "also write a JUnit report to `FILE`")
	flags.StringVar(&f.traces, "trace-dir", "out/traces",
		"write traces to the folder `DIR`, which is created if needed; \"\" writes none")
	flags.StringVar(&f.found, "finding-dir", "out/findings",
		"write the plans of runs that violate a property to the folder `DIR`; \"\" writes none")
	cli.Group(flags, cli.GroupOutput, "verbose", "quiet", "json", "junit", "trace-dir", "finding-dir")
}

var (
	decimal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+$`) })
	digits  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}$`) })
)

// seedOf reads a seed: a number, or a commit, of which the first 13 digits count.
func seedOf(text string) (uint64, error) {
	switch {
	case digits().MatchString(text):
		return strconv.ParseUint(text[:13], 16, 64)
	case decimal().MatchString(text):
		if n, err := strconv.ParseUint(text, 10, 53); err == nil {
			return n, nil
		}
	}
	return 0, cli.Usagef("--seed %q is neither a number below 2^53 nor the 40 hexadecimal digits of a commit", text)
}

func (f *simulateFlags) campaign(flags *pflag.FlagSet) (*sim.Campaign, error) {
	first, err := seedOf(f.seed)
	if err != nil {
		return nil, err
	}
	c := &sim.Campaign{First: first, Seeds: f.seeds, Workers: f.workers, AgainEvery: 20}
	switch {
	case f.workers < 0 || f.workers > verdict.MostWorkers:
		return nil, cli.Usagef("--workers %d is not from 0 to %d; 0 is one for each core", f.workers,
			verdict.MostWorkers)
	case f.timeout < 0:
		return nil, cli.Usagef("--timeout %v is negative; 0 is never", f.timeout)
	case f.seeds == 0 && f.timeout == 0:
		return nil, cli.Usagef("--seeds 0 has no end; add --timeout TIME")
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if f.timeout > 0 && !flags.Changed("seeds") {
		c.Seeds = 0
	}
	if f.shard == "" {
		return c, nil
	}
	var i, n uint64
	if _, err := fmt.Sscanf(f.shard, "%d/%d", &i, &n); err != nil || i < 1 || i > n || n > verdict.MostShards ||
		f.shard != fmt.Sprintf("%d/%d", i, n) {
		return nil, cli.Usagef("--shard %q is no share; write I/N with I from 1 to N, and N up to %d: 2/8", f.shard,
			verdict.MostShards)
	}
	if c.Seeds > 0 && i > c.Seeds {
		return nil, cli.Usagef("--shard %s of %s is empty; ask for as many seeds as there are shards, or more",
			f.shard, english.Count(int(c.Seeds), "seed"))
	}
	c.ShardIndex, c.ShardCount = i-1, n
	return c, nil
}

// alone refuses flags that would be ignored beside --list or --plan.
func (f *simulateFlags) alone(flags *pflag.FlagSet, patterns []string) error {
	given := func(names ...string) error {
		for _, name := range names {
			if flags.Changed(name) {
				return cli.Usagef("--%s does nothing beside --list or --plan; leave it out", name)
			}
		}
		return nil
	}
	switch {
	case f.plan != "" && (f.list || len(patterns) > 0):
		return cli.Usagef("--plan runs the scenario that the plan names: leave out --list and patterns")
	case f.plan != "":
		return given("seeds", "seed", "shard")
	case f.list:
		return given("seeds", "seed", "shard", "junit", "latency", "timeout")
	}
	return nil
}
