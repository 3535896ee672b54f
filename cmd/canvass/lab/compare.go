package lab

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/report"
)

func (env Env) compareCommand() *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use:   "compare OURS PEER",
		Short: "Compare the starts of jobs in two schedules, job by job",
		Long: "Reads two schedules of one workload and compares when each job starts. A schedule is a file in the\n" +
			"Standard Workload Format, or a CSV file with the columns \"number\" and \"start_micros\" or\n" +
			"\"start_seconds\", which may have six decimals. Exit code 10 if any job starts at another time.",
		Example: "  canvass lab run --workload kth.swf --policy easy --jobs-out ours.csv\n" +
			"  canvass lab compare ours.csv theirs.csv",
		Args: cli.Exactly(2, "two files"),
		RunE: func(_ *cobra.Command, args []string) error {
			files := cli.NewGuard(env.Stdout, env.Stderr)
			for _, file := range args {
				if err := files.Reads("", file); err != nil {
					return err
				}
			}
			ours, err := report.ReadStarts(args[0])
			if err != nil {
				return err
			}
			theirs, err := report.ReadStarts(args[1])
			if err != nil {
				return err
			}
			return env.compare(report.CompareStarts(ours, theirs, most))
		},
	}
	env.Stdout.JSONFlag(cmd.Flags())
	cmd.Flags().IntVar(&most, "show", 10, "show at most `N` jobs that differ")
	return cmd
}

func (env Env) compare(c report.Comparison) error {
	if err := env.Stdout.Print(c, func() error {
		fmt.Fprintf(env.Stdout, "%s equal, %s different, %s only in the first, %s only in the second\n",
			english.Grouped(uint64(c.Equal)), english.Grouped(uint64(c.Different)),
			english.Grouped(uint64(c.OnlyFirst)),
			english.Grouped(uint64(c.OnlySecond)))
		t := [][]string{{"job", "first starts, s", "second starts, s", "difference, s"}}
		for _, d := range c.First {
			t = append(t, []string{
				fmt.Sprint(d.Number), seconds(d.FirstMicros), seconds(d.OtherMicros),
				seconds(d.OtherMicros - d.FirstMicros),
			})
		}
		if len(t) == 1 {
			return nil
		}
		return env.Stdout.Table(&cli.Table{Rows: t})
	}); err != nil {
		return err
	}
	if c.Different+c.OnlyFirst+c.OnlySecond > 0 {
		return cli.Code(cli.CodeExpectation)
	}
	return nil
}

// seconds writes microseconds as seconds, without trailing zeros.
func seconds(micros int64) string {
	return strconv.FormatFloat(float64(micros)/float64(scheduler.Second), 'f', -1, 64)
}
