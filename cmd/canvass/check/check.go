package check

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (t *tool) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATTERN...]",
		Short: "Check models exhaustively against the expected verdicts",
		Long: "Checks the models whose names match a pattern (see \"canvass help models\"); without a\n" +
			"pattern, all but the deep ones. A check explores every interleaving of messages, timeouts and\n" +
			"faults, within the bounds of the model, until every property is decided. It writes a shortest\n" +
			"counterexample for each violated property, which canvass replay shows.\n\n" +
			"Some models are expected to fail: the published algorithms, some of them in one interpretation\n" +
			"only, and models that drop an assumption (limit-...). The exit code is 0 if every verdict is\n" +
			"the expected one. In an interpretation that canvass models does not list, every property is\n" +
			"expected to hold.\n\n" +
			"The output has one line for each family of models, and describes every model with an\n" +
			"unexpected verdict. If only a few models are checked, it describes each of them. Ctrl-C ends\n" +
			"the check and prints the results so far; a second Ctrl-C ends it at once.",
		Example: "  canvass check                                            # everything, about two minutes\n" +
			"  canvass check published/can/row4/leave-leave             # one model, expected to fail\n" +
			"  canvass check 'can/row3/leave-*' --drop 1 --timeout 10m  # under another fault\n" +
			"  canvass check 'can/row6/*' --deep --reduce --memory-limit 8GiB\n" +
			"  canvass check can/row4/join-leave --checkpoint out/checkpoints --resume\n" +
			"  canvass check can/row3/join-leave --order pct --bug-depth 4 --walks 100000 --seed 7\n" +
			"  canvass check --json --junit out/junit.xml",
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return t.check(cmd.Context(), cmd.Flags(), &f, patterns)
		},
		ValidArgsFunction: CompleteModels(t.Models),
	}
	f.define(t.Stdout, cmd.Flags())
	completeSearch(cmd)
	return cmd
}

func (t *tool) check(ctx context.Context, flags *pflag.FlagSet, f *checkFlags, patterns []string) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	searches, err := swarmOf(f.swarm, f.shard)
	if err != nil {
		return err
	}
	models, leftOut, err := choose(t.Models(), patterns, f.deep)
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
	files := cli.NewGuard(t.Stdout, t.Stderr)
	if err := f.folders(files); err != nil {
		return err
	}
	limits := limitsOf(f, options)
	saved := &checkpointer{f.checkpoints, f.resume, flags, f.safety, limits}
	if err := saved.check(options, systems); err != nil {
		return err
	}
	outputs, err := t.outputs(f, flags, searches, files, systems)
	if err != nil {
		return err
	}
	ctx, end := cli.Interruptible(ctx, f.timeout)
	defer end()
	s := &session{
		options: options, limits: limits, outputs: outputs, checkpointer: saved, swarm: searches,
		recorder: recorder{folder: f.traces, build: cli.ThisBuild()}, progress: cli.NewProgress(t.Stderr, f.quiet),
	}
	if f.verbose {
		s.progress.Note(f.resolved(systems, options))
	}
	if leftOut > 0 {
		s.progress.Note(english.Count(leftOut, "model") + " left out as too large for a default run; add --deep")
	}
	return s.run(ctx, systems)
}

// folders makes sure, before the first model, that files can be written where they will be.
func (f *checkFlags) folders(files *cli.Guard) error {
	if err := errors.Join(files.Fills("--trace-dir", f.traces, "*"+verdict.TraceEnding),
		files.Fills("--checkpoint", f.checkpoints, "*"+checkpointEnding+"*")); err != nil {
		return err
	}
	if err := cli.UsableFolder("trace-dir", f.traces); err != nil {
		return err
	}
	if err := cli.MakeFolder("temp-dir", f.temp); err != nil {
		return err
	}
	return cli.MakeFolder("checkpoint", f.checkpoints)
}
