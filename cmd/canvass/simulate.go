package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/english"
	"github.com/canvass-grid/canvass/sim"
)

// simulateFlags is the command line of a simulation.
type simulateFlags struct {
	seeds         uint64
	seed          string
	budget        time.Duration
	workers       int
	shard         string
	json, quiet   bool
	junit         string
	traces, found string
	plan          string
	latency       string
	list          bool
}

func (t *tool) simulateCommand() *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate [WORLD...]",
		Short: "Run worlds on many seeds, with faults drawn from each, and shrink what breaks a property",
		Long: "Runs the worlds whose name fits a pattern (\"can/*\"; --list lists them), or all, on as many seeds as asked for. A seed decides everything:\n" +
			"who joins, leaves and fails when, latencies, which messages are lost, repeated and late, what is cut off. Some\n" +
			"rates are zero. Then faults stop, and the world must converge. Every 20th seed runs twice, the second time\n" +
			"with every step made twice, and must come out the same. What is found is on disk before it is told, with a page\n" +
			"of the history where one was judged; of each violated property the shortest runs are then shrunk, and the one of which the\n" +
			"least is left is kept as a trace for \"canvass replay\". That no seed violates a property says nothing about other seeds; of a\n" +
			"world that is declared to violate one, at least 100 must have been run before that it does not is an answer (10).\n\n" +
			"--latency \"measured FILE\" takes latencies from a file: a matrix or pairs of round trips, or coordinates, perhaps packed\n" +
			"with gzip (docs/simulation.md). Each seed puts the nodes at sites of its own. A plan names the file and its digest; with\n" +
			"--plan, --latency says where that file lies now. Otherwise it is \"constant N\", \"uniform MIN MAX\", \"exponential MEAN\" or\n" +
			"\"plane SIDE QUEUEING SALT\", in microseconds, each perhaps with \"asymmetric PERMILLE\" behind it.\n" +
			"In the worlds named …/walks there is no clock, and it changes nothing.\n\n" +
			"Models can be walked through at random, too: \"canvass check --order random-walk\" and \"--order pct\".\n\n" + exitHelp,
		Example: "  canvass simulate\n" +
			"  canvass simulate can/churn --seeds 10000 --budget 10m\n" +
			"  canvass simulate can/faults --seed 4711 --seeds 1\n" +
			"  canvass simulate can/steady --latency 'measured king.tsv'\n" +
			"  canvass simulate --seed $(git rev-parse HEAD) --shard 2/8 --json --junit out/sim.xml",
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return t.simulate(cmd.Context(), cmd.Flags(), &f, patterns)
		},
		ValidArgsFunction: t.completeWorlds,
	}
	f.define(cmd.Flags())
	return cmd
}

func (f *simulateFlags) define(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.Uint64Var(&f.seeds, "seeds", 100, "run `N` seeds of each world; 0 is no limit, for use with --budget")
	flags.StringVar(&f.seed, "seed", "1", "the first `SEED`: a number, or the 40 digits of a commit")
	flags.DurationVar(
		&f.budget,
		"budget",
		0,
		"start no seed after `TIME` (10m); shrinking what was found comes on top; 0 is never",
	)
	flags.IntVar(&f.workers, "workers", 0, "`N` goroutines; 0 is one for each core")
	flags.StringVar(
		&f.latency,
		"latency",
		"",
		"messages take as long as `TEXT` says, not as drawn: \"measured FILE\", \"exponential 50000\" (microseconds)",
	)
	flags.StringVar(&f.shard, "shard", "", "of the seeds only the share `I/N`")
	flags.BoolVar(&f.json, "json", false, "one object a line instead of the table")
	flags.StringVar(&f.junit, "junit", "", "also write a JUnit report to `FILE`")
	flags.StringVar(&f.traces, "trace-dir", "out/traces", "where traces go, a `DIR` made when needed; \"\" keeps none")
	flags.StringVar(
		&f.found,
		"finding-dir",
		"out/findings",
		"where plans go that violate something, a `DIR` made when needed; \"\" keeps none",
	)
	flags.BoolVar(&f.list, "list", false, "list the worlds, and run none")
	flags.StringVar(
		&f.plan,
		"plan",
		"",
		"run the plan in `FILE`, as it was found, or that of the trace in it, and shrink it",
	)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress on standard error")
}

// mostWorkers bounds the goroutines: more than there are cores help nobody.
const mostWorkers = 1024

var (
	decimal = regexp.MustCompile(`^\d+$`)
	digits  = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// seedOf reads the seed: a commit stands for its first 13 digits.
func seedOf(text string) (uint64, error) {
	switch {
	case digits.MatchString(text):
		return strconv.ParseUint(text[:13], 16, 64)
	case decimal.MatchString(text):
		if n, err := strconv.ParseUint(text, 10, 53); err == nil {
			return n, nil
		}
	}
	return 0, usagef("--seed %q is neither a number below 2^53 nor the 40 hexadecimal digits of a commit", text)
}

func (f *simulateFlags) campaign(flags *pflag.FlagSet) (*sim.Campaign, error) {
	first, err := seedOf(f.seed)
	if err != nil {
		return nil, err
	}
	c := &sim.Campaign{First: first, Seeds: f.seeds, Workers: f.workers, AgainEvery: 20}
	switch {
	case f.workers < 0 || f.workers > mostWorkers:
		return nil, usagef("--workers %d is not from 0 to %d; 0 is one for each core", f.workers, mostWorkers)
	case f.budget < 0:
		return nil, usagef("--budget %v is negative; 0 is never", f.budget)
	case f.seeds == 0 && f.budget == 0:
		return nil, usagef("--seeds 0 has no end; set --budget TIME")
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if f.budget > 0 && !flags.Changed("seeds") {
		c.Seeds = 0
	}
	if f.shard == "" {
		return c, nil
	}
	var i, n uint64
	if _, err := fmt.Sscanf(f.shard, "%d/%d", &i, &n); err != nil || i < 1 || i > n ||
		f.shard != fmt.Sprintf("%d/%d", i, n) {
		return nil, usagef("--shard %q is not I/N with I from 1 to N", f.shard)
	}
	if c.Seeds > 0 && i > c.Seeds {
		return nil, usagef(
			"--shard %s of %s has none; ask for as many seeds as there are shards, or more",
			f.shard,
			english.Count(int(c.Seeds), "seed"),
		)
	}
	c.ShardIndex, c.ShardCount = i-1, n
	return c, nil
}

func (t *tool) simulate(ctx context.Context, flags *pflag.FlagSet, f *simulateFlags, patterns []string) error {
	campaign, err := f.campaign(flags)
	if err != nil {
		return err
	}
	if err := f.alone(flags, patterns); err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, restore := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer restore()
	context.AfterFunc(ctx, restore)
	if f.budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.budget)
		defer cancel()
	}
	if campaign.Scenarios, err = chooseWorlds(t.worlds(), patterns); err != nil {
		return err
	}
	if f.list {
		return listWorlds(t.stdout, campaign.Scenarios)
	}
	if f.junit != "" {
		if err := os.WriteFile(f.junit, nil, 0o666); err != nil {
			return fmt.Errorf("--junit: %w", err)
		}
	}
	s := &simulation{
		tool:     t,
		flags:    f,
		campaign: campaign,
		progress: newProgress(t.stderr, f.quiet),
		build:    thisBuild(),
		counts:   map[string]int{},
		kept:     map[string]bool{},
	}
	if f.latency != "" {
		if s.delays, err = readDelays(f.latency); err != nil {
			return err
		}
		campaign.Scenarios = s.delays.worlds(campaign.Scenarios)
	}
	if f.plan != "" {
		return s.onePlan(ctx)
	}
	return s.run(ctx)
}

// alone refuses what would be ignored beside --list or --plan.
func (f *simulateFlags) alone(flags *pflag.FlagSet, patterns []string) error {
	given := func(names ...string) error {
		for _, name := range names {
			if flags.Changed(name) {
				return usagef("--%s does nothing beside --list or --plan; leave it out", name)
			}
		}
		return nil
	}
	switch {
	case f.plan != "" && (f.list || len(patterns) > 0):
		return usagef("--plan runs the world that the plan names: leave out --list and patterns")
	case f.plan != "":
		return given("seeds", "seed", "shard")
	case f.list:
		return given("seeds", "seed", "shard", "json", "junit", "latency", "budget")
	}
	return nil
}

// listWorlds writes a line for each world.
func listWorlds(w io.Writer, worlds []*sim.Scenario) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WORLD\tEXPECTED\tDOC")
	for _, world := range worlds {
		expected := "holds"
		if len(world.Expected) > 0 {
			expected = "violated"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", world.Name, expected, world.Doc)
	}
	return table.Flush()
}

// chooseWorlds returns the worlds whose name fits any of the patterns; no pattern fits all.
func chooseWorlds(all []*sim.Scenario, patterns []string) ([]*sim.Scenario, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	if slices.Contains(patterns, "") {
		return nil, errEmptyPattern
	}
	chosen := map[string]bool{}
	for _, p := range patterns {
		found := false
		for _, w := range all {
			if name := w.Name; name == p || fitsWorld(p, name) && worldNamed(all, p) == nil {
				found, chosen[name] = true, true
			}
		}
		if !found {
			return nil, usagef("%s", noWorld(all, p))
		}
	}
	var worlds []*sim.Scenario
	for _, w := range all {
		if chosen[w.Name] {
			worlds = append(worlds, w)
		}
	}
	return worlds, nil
}

func fitsWorld(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(name, pattern)
	}
	quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^" + quoted + "$").MatchString(name)
}

// noWorld says that no world has a name, and what may be meant.
func noWorld(all []*sim.Scenario, name string) string {
	return fmt.Sprintf(
		"there is no world %q; %s",
		name,
		meant(name, worldNames(all), "\"canvass simulate --list\" lists them"),
	)
}

func worldNamed(all []*sim.Scenario, name string) *sim.Scenario {
	for _, w := range all {
		if w.Name == name {
			return w
		}
	}
	return nil
}

func worldNames(all []*sim.Scenario) []string {
	var names []string
	for _, w := range all {
		names = append(names, w.Name)
	}
	return names
}

func (t *tool) completeWorlds(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return worldNames(t.worlds()), cobra.ShellCompDirectiveNoFileComp
}
