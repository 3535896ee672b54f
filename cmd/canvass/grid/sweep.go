package grid

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/scheduler/experiment"
)

func (env Env) sweepCommand() *cobra.Command {
	var c common
	var over []string
	cmd := &cobra.Command{
		Use:   "sweep --over NAME=VALUE,VALUE...",
		Short: "Run all combinations of some settings",
		Long: "Runs the cell that the flags describe with every combination of the values of --over, once for each\n" +
			"seed. Several machines can share the work: --shard 1/4 to --shard 4/4, then \"canvass grid merge\".",
		Example: "  canvass grid sweep --workload lublin:N=2000,nodes=64 --estimate exact \\\n" +
			"    --over policy=fcfs,easy,sjf --seeds 10\n" +
			"  canvass grid sweep --workload swf:KTH-SP2-1996-2.1-cln.swf.gz --over policy=easy,easy-sjbf \\\n" +
			"    --over select=head:5000;load:to=0.9 --out out/kth --resume",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := c.settle(); err != nil {
				return err
			}
			if len(over) == 0 {
				return usagef("sweep needs a setting to vary: --over policy=fcfs,easy")
			}
			var all []experiment.Values
			for _, text := range over {
				v, err := experiment.ParseValues(text)
				if err != nil {
					return err
				}
				all = append(all, v)
			}
			seeds, err := experiment.Seeds(c.seeds)
			if err != nil {
				return err
			}
			runs, err := experiment.Product(c.cell, all, seeds)
			if err != nil {
				return err
			}
			rows, err := env.campaign(&c, runs)
			return env.finish(&c, rows, err)
		},
	}
	c.cellFlags(env, cmd.Flags())
	c.runFlags(env, cmd.Flags())
	cmd.Flags().StringArrayVar(&over, "over", nil,
		"vary a setting: `NAME=VALUE,VALUE`; semicolons where a value has commas")
	env.Group(cmd.Flags(), "Search", "over")
	return cmd
}
