package lab

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/report"
	"github.com/canvass-grid/canvass/scheduler/swf"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// shaping are the settings that make a workload.
var shaping = []string{
	"workload", "select", "zero-run", "no-processors", "overrun", "processors", "status", "unit", "round",
	"skip-bad",
}

func (env Env) workloadCommand() *cobra.Command {
	return cli.Parent(&cobra.Command{
		Use:   "workload",
		Short: "Describe, cut and generate workloads",
		Example: "  canvass lab workload describe swf:KTH-SP2-1996-2.1-cln.swf.gz\n" +
			"  canvass lab workload slice swf:KTH-SP2-1996-2.1-cln.swf.gz --select window:densest:1000 --out small.swf\n" +
			"  canvass lab workload slice sacct:january.sacct --out january.swf.gz\n" +
			"  canvass lab workload generate lublin:N=1000,nodes=64 --seed 7 --out made.swf.gz",
	},
		env.describeCommand(), env.writeCommand("slice", "Write the jobs that selections leave"),
		env.writeCommand("generate", "Write a generated workload"),
	)
}

// described is the output of describe with --json.
type described struct {
	workload.Description
	Comparison *workload.Comparison `json:"comparison,omitempty"` // with the workload of --compare
}

func (env Env) describeCommand() *cobra.Command {
	var c common
	var seed uint64
	var nodes int
	var other string
	cmd := &cobra.Command{
		Use:   "describe WORKLOAD",
		Short: "Describe a workload: jobs, sizes, run times, load, and dropped jobs",
		Long:  "Describes a workload: its jobs and all that reading and selecting dropped or changed.\n\n" + formats(),
		Example: "  canvass lab workload describe swf:KTH-SP2-1996-2.1-cln.swf.gz --select window:densest:1000\n" +
			"  canvass lab workload describe lublin:N=10000,nodes=256 --compare lublin_256.swf.gz",
		Args: one,
		RunE: func(_ *cobra.Command, args []string) error {
			w, err := env.made(&c, args[0], seed)
			if err != nil {
				return err
			}
			d := described{Description: workload.Describe(w, nodes)}
			if other != "" {
				second, err := env.made(&c, other, seed)
				if err != nil {
					return err
				}
				compared := workload.Compare(w, second)
				d.Comparison = &compared
			}
			return env.Stdout.Print(d, func() error {
				if fmt.Fprint(env.Stdout, d.Description); d.Comparison != nil {
					fmt.Fprintf(env.Stdout, "\nbeside %s\n%s", other, d.Comparison)
				}
				return nil
			})
		},
	}
	c.cellFlags(env, cmd.Flags(), shaping[1:]...)
	cmd.Flags().Uint64Var(&seed, "seed", 1, "`SEED` of random choices")
	cmd.Flags().StringVar(&other, "compare", "", "say how far this other `WORKLOAD` differs, with the same selections")
	cmd.Flags().IntVar(&nodes, "nodes", 0, "state the load for `N` nodes; 0 is as many as the log's machine had")
	env.Stdout.JSONFlag(cmd.Flags())
	return cmd
}

// formats lists the formats of logs, for help.
func formats() string {
	t := [][]string{}
	for _, f := range swf.Formats() {
		t = append(t, []string{"  " + f.Name + ":FILE", f.Sentence})
	}
	var b strings.Builder
	b.WriteString("The format of a log stands before its name, unless the name ends in .swf, .gwf or .sacct:\n\n")
	if err := cli.NewOutput(&b).Table(&cli.Table{Rows: t}); err != nil {
		panic(err) // a builder takes all that is written
	}
	return strings.TrimRight(b.String(), "\n")
}

// one demands one workload.
func one(cmd *cobra.Command, args []string) error {
	if err := noValues(args, "workload"); err != nil {
		return err
	}
	return cli.Exactly(1, "one workload")(cmd, args)
}

func (env Env) writeCommand(name, short string) *cobra.Command {
	var c common
	var seed uint64
	var other string
	cmd := &cobra.Command{
		Use:     name + " WORKLOAD --out FILE",
		Short:   short,
		Example: "  canvass lab workload " + name + " lublin:N=1000,nodes=64 --seed 7 --out made.swf.gz",
		Args:    one,
		RunE: func(_ *cobra.Command, args []string) error {
			kind, zipped := report.Ending(c.out)
			if kind != "swf" {
				return cli.Usagef("--out %q: name a file that ends in .swf or .swf.gz", c.out)
			}
			if err := cli.ReadyFile(c.files, "out", c.out); err != nil {
				return err
			}
			w, err := env.made(&c, args[0], seed)
			if err != nil {
				return err
			}
			if other != "" {
				second, err := env.made(&c, other, seed)
				if err != nil {
					return err
				}
				fmt.Fprintf(env.Stdout, "beside %s\n%s", other, workload.Compare(w, second))
			}
			return fileio.Write(c.out, func(f io.Writer) error {
				return report.Compressed(f, zipped, func(out io.Writer) error { return swf.Write(out, w) })
			})
		},
	}
	c.cellFlags(env, cmd.Flags(), shaping[1:]...)
	cmd.Flags().Uint64Var(&seed, "seed", 1, "`SEED` of random choices")
	cmd.Flags().StringVar(&c.out, "out", "", "the `FILE` to write")
	cmd.Flags().StringVar(&other, "compare", "", "say how far this other `WORKLOAD` differs, with the same selections")
	return cmd
}

// made reads or makes a workload and applies the selections.
func (env Env) made(c *common, name string, seed uint64) (*scheduler.Workload, error) {
	if err := c.cell.Set("workload", name); err != nil {
		return nil, err
	}
	return c.lab(env).Workload(c.cell, seed)
}
