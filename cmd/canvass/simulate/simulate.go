package simulate

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
)

// tool is the program as the command sees it.
type tool struct{ verdict.Env }

// Command returns the command simulate.
func Command(program verdict.Env) *cobra.Command {
	t := &tool{program}
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate [PATTERN...]",
		Short: "Run scenarios on many seeds, with random faults",
		Long: "Runs each scenario whose name matches a pattern, or all scenarios, on many seeds. A seed\n" +
			"determines the whole run: when nodes join, leave and crash, the latencies, and which messages\n" +
			"are dropped, duplicated, delayed or cut off. A run may set some fault rates to zero. Then the\n" +
			"faults stop, and the network must converge.\n\n" +
			"The plan of a run that violates a property is saved at once, with a page of the history if one\n" +
			"was checked. At the end the shortest runs are shrunk, and the smallest one is saved as a trace\n" +
			"for canvass replay. Every 20th seed runs twice, and both runs must be the same.\n\n" +
			"\"holds\" covers only the seeds that were run. A scenario that is expected to fail must do so\n" +
			"within 100 seeds.\n\n" +
			"--latency takes \"constant N\", \"uniform MIN MAX\", \"exponential MEAN\" or \"plane SIDE\n" +
			"QUEUEING SALT\", in microseconds, each optionally followed by \"asymmetric PERMILLE\"; or\n" +
			"\"measured FILE\", a matrix or pairs of round-trip times, or coordinates (docs/simulation.md).\n" +
			"With --plan it gives the present path of the measured file. It has no effect on the scenarios\n" +
			"named .../walks, which have no clock.",
		Example: "  canvass simulate                                       # every scenario on 100 seeds\n" +
			"  canvass simulate 'can/*' --timeout 10m                 # as many seeds as fit in ten minutes\n" +
			"  canvass simulate can/faults --seed 4711 --seeds 1      # one run\n" +
			"  canvass simulate can/steady --latency 'measured king.tsv'\n" +
			"  canvass simulate --seed $(git rev-parse HEAD) --shard 2/8 --json --junit out/sim.xml",
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return t.simulate(cmd.Context(), cmd.Flags(), &f, patterns)
		},
		ValidArgsFunction: t.completeScenarios,
	}
	f.define(t.Stdout, cmd.Flags())
	return cmd
}

func (t *tool) simulate(ctx context.Context, flags *pflag.FlagSet, f *simulateFlags, patterns []string) error {
	campaign, err := f.campaign(flags)
	if err != nil {
		return err
	}
	if err := f.alone(flags, patterns); err != nil {
		return err
	}
	if campaign.Scenarios, err = chooseScenarios(t.Scenarios(), patterns); err != nil {
		return err
	}
	if f.list {
		return t.listScenarios(campaign.Scenarios, f.verbose)
	}
	files := cli.NewGuard(t.Stdout, t.Stderr)
	if err := f.files(files); err != nil {
		return err
	}
	ctx, end := cli.Interruptible(ctx, f.timeout)
	defer end()
	s := &simulation{
		tool:     t,
		flags:    f,
		campaign: campaign,
		progress: cli.NewProgress(t.Stderr, f.quiet),
		build:    cli.ThisBuild(),
		counts:   map[string]int{},
		saved:    map[string]bool{},
		files:    files,
		shards:   verdict.ShardOf(int(campaign.ShardIndex), int(campaign.ShardCount), flags),
	}
	if f.latency != "" {
		if s.delays, err = readDelays(files, f.latency); err != nil {
			return err
		}
		campaign.Scenarios = s.delays.scenarios(campaign.Scenarios)
	}
	if f.plan != "" {
		return s.onePlan(ctx)
	}
	return s.run(ctx)
}

// files makes sure, before the first run, that files can be written where they will be.
func (f *simulateFlags) files(files *cli.Guard) error {
	made := "*"
	if f.plan != "" {
		made = nameOfPlan(f.plan) + ".*"
	}
	if err := cmp.Or(
		files.Reads("--plan", f.plan),
		files.Fills("--trace-dir", f.traces, made+verdict.TraceEnding),
	); err != nil {
		return err
	}
	if err := cli.UsableFolder("trace-dir", f.traces); err != nil {
		return err
	}
	if f.plan == "" {
		if err := cmp.Or(
			files.Fills("--finding-dir", f.found, made+planEnding),
			files.Fills("--finding-dir", f.found, made+pageEnding),
			cli.UsableFolder("finding-dir", f.found),
		); err != nil {
			return err
		}
	}
	return cli.ReadyFile(files, "junit", f.junit)
}
