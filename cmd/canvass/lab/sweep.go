package lab

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

func (env Env) sweepCommand() *cobra.Command {
	var c common
	var over, against []string
	var size string
	cmd := &cobra.Command{
		Use:   "sweep [NAME] --over NAME=VALUE,VALUE...",
		Short: "Run all combinations of some settings",
		Long: "Runs the cell that the flags describe, or the cells of a named experiment, with every combination of\n" +
			"the values of --over, once for each seed. Several machines can share the work: --shard 1/4 to\n" +
			"--shard 4/4, then \"canvass lab merge\". With --against, each cell is compared with itself under another\n" +
			"setting, seed by seed: the mean difference, the geometric mean of the ratios, and on how many seeds it is\n" +
			"lower. With --json, comparisons are printed in place of rows.",
		Example: "  canvass lab sweep --workload lublin:N=2000,nodes=64 --estimate exact \\\n" +
			"    --over policy=fcfs,easy,sjf --seeds 10\n" +
			"  canvass lab sweep --workload swf:KTH-SP2-1996-2.1-cln.swf.gz --over policy=easy,easy-sjbf \\\n" +
			"    --over select=head:5000;load:to=0.9 --out out/kth\n" +
			"  canvass lab sweep --workload lublin:N=2000,nodes=64 --estimate exact --over policy=fcfs,sjf \\\n" +
			"    --against policy=easy --seeds 10",
		RunE: func(_ *cobra.Command, names []string) error {
			if err := c.settle(); err != nil {
				return err
			}
			if err := noValues(names, "experiment"); err != nil {
				return err
			}
			if len(over) == 0 {
				return cli.Usagef("sweep needs a setting to vary: --over policy=fcfs,easy")
			}
			var all []lab.Values
			for _, text := range over {
				v, err := lab.ParseValues(text)
				if err != nil {
					return err
				}
				all = append(all, v)
			}
			seeds, err := lab.Seeds(c.seeds)
			if err != nil {
				return err
			}
			bases, err := c.bases(names, size)
			if err != nil {
				return err
			}
			runs, err := lab.Product(bases, all, seeds)
			if err != nil {
				return err
			}
			if runs, err = report.Baseline(against).Runs(runs); err != nil {
				return err
			}
			rows, err := env.campaign(&c, runs)
			if len(against) > 0 {
				return compared(env, &c, rows, against, err)
			}
			return env.finish(&c, rows, err)
		},
	}
	c.cellFlags(env, cmd.Flags())
	c.runFlags(env, cmd.Flags())
	cmd.Flags().StringArrayVar(&over, "over", nil,
		"vary a setting: `NAME=VALUE,VALUE`; semicolons where a value has commas")
	cmd.Flags().StringArrayVar(&against, "against", nil, "compare each cell with itself under this setting: "+
		"`NAME=VALUE`, such as policy=easy, which is run, too")
	cmd.Flags().StringVar(&size, "size", "ci", "how large a named experiment is: `SIZE` is ci, desk or paper")
	cli.Group(cmd.Flags(), cli.GroupSearch, "over", "against", "size")
	return cmd
}

// compared writes the rows as finish does, and compares their cells with a baseline. In JSON, it
// writes the comparisons alone.
func compared(env Env, c *common, rows []*lab.Row, against report.Baseline, err error) error {
	names := c.names
	if len(names) == 0 {
		names = usualMetrics
	}
	all, comparing := against.Against(rows, names)
	if comparing != nil {
		return comparing
	}
	if env.Stdout.WantsJSON() {
		if writing := c.writeRows(rows); writing != nil {
			return writing
		}
		if writing := cli.PrintAll(env.Stdout, all, nil); writing != nil {
			return writing
		}
		return err
	}
	finished := env.finish(c, rows, err)
	if len(all) == 0 {
		return finished
	}
	fmt.Fprintf(env.Stdout, "\ncompared with %s, seed by seed:\n", strings.Join(against, " "))
	if writing := env.Stdout.Table(&cli.Table{Rows: report.VersusTable(all, rows)}); writing != nil {
		return writing
	}
	return finished
}

// bases are the cells that a sweep varies: that of the flags, or those of named experiments with
// the settings of the flags.
func (c *common) bases(names []string, size string) ([]lab.Cell, error) {
	if len(names) == 0 {
		return []lab.Cell{c.cell}, nil
	}
	chosen, err := experiment.Choose(names)
	if err != nil {
		return nil, err
	}
	var cells []lab.Cell
	for _, e := range chosen {
		runs, err := e.Runs(size, []uint64{1})
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			if err := override(&r.Cell, c); err != nil {
				return nil, err
			}
			cells = append(cells, r.Cell)
		}
	}
	return cells, nil
}
