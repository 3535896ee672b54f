package lab

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/program"
)

// Env has the commands' access to the program.
type Env struct {
	Named  bool // by an argument; otherwise the commands below it are left out
	Stdin  io.Reader
	Stdout *cli.Output
	Stderr *cli.Messages
	Build  cli.Build
}

// Command returns "canvass lab".
func Command(env Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "lab",
		Short: "Run scheduling experiments",
		Long: "Runs scheduling policies on logs (in the Standard Workload Format, the Grid Workloads Format, or of\n" +
			"Slurm's sacct) or on generated workloads, and compares them: waiting times, bounded slowdown,\n" +
			"utilisation, fairness. Every run is a row of JSON; equal settings and seeds give equal rows.",
		Example: "  canvass lab list\n" +
			"  canvass lab run --workload lublin:N=5000,nodes=128 --policy easy --estimate exact\n" +
			"  canvass lab sweep --workload swf:KTH-SP2-1996-2.1-cln.swf.gz --over policy=fcfs,easy,conservative\n" +
			"  canvass lab run theory/queues --seeds 10",
	}
	if !env.Named {
		return cli.Parent(c)
	}
	cli.Parent(c,
		env.listCommand(), env.runCommand(), env.sweepCommand(), env.verifyCommand(), env.mergeCommand(),
		env.exportCommand(), env.plotCommand(), env.workloadCommand(), env.compareCommand(), env.predictCommand(),
		env.clusterCommand(),
	)
	completions(c)
	return c
}

// completions makes commands complete the names of policies and experiments.
func completions(all *cobra.Command) {
	var policies, experiments []string
	for _, p := range lab.Policies() {
		policies = append(policies, p.Name)
	}
	for _, e := range experiment.All() {
		experiments = append(experiments, e.Name)
	}
	for _, c := range all.Commands() {
		completions(c)
		if c.Flags().Lookup("policy") != nil {
			cli.CompleteWords(c, "policy", policies)
		}
		if c.Name() == "run" || c.Name() == "list" {
			c.ValidArgsFunction = cobra.FixedCompletions(experiments, cobra.ShellCompDirectiveNoFileComp)
		}
	}
}

// common are the flags of the commands that run cells.
type common struct {
	files    *cli.Guard // files that the command reads and writes
	cell     lab.Cell
	set      []string
	data     string
	seeds    string
	out      string
	rowsOut  string
	asked    metrics           // of --metric
	names    []string          // of these metrics in rows
	formulas []*metric.Formula // among them
	shard    string
	workers  int
	timeout  time.Duration
	within   time.Duration // for an answer of a policy that is a program
	mixed    bool
	strict   bool
	quiet    bool
}

// cellFlags adds a flag for each setting of a cell.
func (c *common) cellFlags(env Env, flags *pflag.FlagSet, names ...string) {
	flags.SortFlags = false
	for _, s := range lab.Settings() {
		if len(names) > 0 && !slices.Contains(names, s.Name) {
			continue
		}
		usage := s.Doc
		if s.Default != "" {
			usage += fmt.Sprintf(" (default %q)", s.Default)
		}
		flags.Var(&setting{&c.cell, s.Name}, s.Name, usage)
		if s.Default == "no" {
			flags.Lookup(s.Name).NoOptDefVal = "yes" // --pool alone says yes
		}
		cli.Group(flags, cli.GroupSelect, s.Name)
	}
	c.dataFlag(env, flags)
}

// dataFlag adds the flag of the folder of data.
func (c *common) dataFlag(env Env, flags *pflag.FlagSet) {
	c.files = cli.NewGuard(env.Stdout, env.Stderr)
	flags.StringVar(&c.data, "data", os.Getenv("CANVASS_DATA"),
		"`FOLDER` of logs that are not found where their name says, by default $CANVASS_DATA")
	flags.Lookup("data").DefValue = ""
	cli.Group(flags, cli.GroupSelect, "data")
}

func (c *common) runFlags(env Env, flags *pflag.FlagSet) {
	flags.StringVar(&c.seeds, "seeds", "1", "how many `SEEDS`, counted from 1 (20), or which (3..7)")
	flags.StringArrayVar(&c.set, "set", nil, "another way to give a setting: `NAME=VALUE`")
	flags.StringVar(&c.shard, "shard", "", "run only the share `I/N` of the runs; canvass lab merge joins them")
	flags.IntVar(&c.workers, "workers", runtime.GOMAXPROCS(0), "`N` runs at once")
	flags.DurationVar(&c.timeout, "timeout", 0, "end after `TIME` (90s, 10m); 0 is never")
	flags.DurationVar(&c.within, "answer-within", program.DefaultWithin,
		"how long a policy exec:PROGRAM may take for an answer, a `TIME`")
	flags.StringVar(&c.out, "out", "", "write rows to the `FOLDER`; runs whose rows are there are not run again")
	flags.StringVar(&c.rowsOut, "rows-out", "", "also write the rows as a table to `FILE`: .csv, or .csv.gz")
	flags.BoolVar(&c.mixed, "allow-mixed", false, "keep rows of --out that another build has written")
	flags.BoolVar(&c.strict, "strict", false, "a job that can never run is an error, not excluded")
	c.metricFlag(flags)
	env.Stdout.JSONFlag(flags)
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "no progress on standard error")
	cli.Group(flags, cli.GroupSearch, "seeds", "set", "shard", "workers")
	cli.Group(flags, cli.GroupLimits, "timeout", "answer-within", "allow-mixed", "strict")
	cli.Group(flags, cli.GroupOutput, "out", "rows-out", "metric", "json", "quiet")
}

// settle reads --metric, checks --rows-out and --answer-within, and applies --set.
func (c *common) settle() error {
	if err := c.readMetrics(); err != nil {
		return err
	}
	if err := cli.ReadyFile(c.files, "rows-out", c.rowsOut, tableEndings...); err != nil {
		return err
	}
	if c.within <= 0 {
		return cli.Usagef("--answer-within is %v; use a time above 0, such as 10s", c.within)
	}
	for _, text := range c.set {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return cli.Usagef("--set %q: write NAME=VALUE: --set policy=easy", text)
		}
		if err := c.cell.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// setting is a flag that sets a setting of a cell.
type setting struct {
	cell *lab.Cell
	name string
}

// String is the value, without a default.
func (s *setting) String() string {
	if s.cell == nil {
		return ""
	}
	return s.cell.Given(s.name)
}

// Set sets the setting.
func (s *setting) Set(value string) error { return s.cell.Set(s.name, value) }

// Type is the name of the value in help.
func (s *setting) Type() string { return strings.ToUpper(strings.ReplaceAll(s.name, "-", "_")) }
