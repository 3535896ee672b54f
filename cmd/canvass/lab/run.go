package lab

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/program"
	"github.com/canvass-grid/canvass/scheduler/report"
)

func (env Env) runCommand() *cobra.Command {
	var c common
	var size, jobsOut, html string
	var expect, readings bool
	var job int64
	cmd := &cobra.Command{
		Use:   "run [NAME...]",
		Short: "Run named experiments to a verdict, or one cell of your own",
		Long: "Runs experiments by name (\"canvass lab list\" lists them) and judges their claims, or runs the cell\n" +
			"that the flags describe, once for each seed. Rows go to the folder --out as soon as they are there.",
		Example: "  canvass lab run theory/queues --seeds 10\n" +
			"  canvass lab run --workload swf:KTH-SP2-1996-2.1-cln.swf.gz --policy easy --data ~/logs\n" +
			"  canvass lab run --workload lublin:N=1000,nodes=64 --policy sjf --estimate exact --seeds 10 --json\n" +
			"  canvass lab run --workload small.swf --policy exec:./mine.py   # docs/own-policy.md says how\n" +
			"  canvass lab run --workload small.swf --policy easy --jobs-out schedule.swf\n" +
			"  canvass lab run --workload small.swf --policy easy --explain 53",
		RunE: func(cmd *cobra.Command, names []string) error {
			if readings {
				return listReadings(env.Stdout)
			}
			if err := c.settle(); err != nil {
				return err
			}
			if err := errors.Join(noValues(names, "experiment"), cli.ReadyFile(c.files, "html", html,
				".html")); err != nil {
				return err
			}
			if len(names) > 0 && (jobsOut != "" || cmd.Flags().Changed("explain")) {
				return cli.Usagef("--explain and --jobs-out are about one cell; name its settings in place of %s",
					names[0])
			}
			if len(names) > 0 {
				return env.experiments(&c, names, size, html, expect)
			}
			if html != "" {
				return cli.Usagef("--html is for named experiments; draw rows of your own with canvass lab plot")
			}
			explain := cmd.Flags().Changed("explain")
			if err := ignored(cmd.Flags(), explain, jobsOut); err != nil {
				return err
			}
			if explain {
				return env.explain(&c, job)
			}
			return env.cell(&c, jobsOut)
		},
	}
	c.cellFlags(env, cmd.Flags())
	c.runFlags(env, cmd.Flags())
	cmd.Flags().StringVar(&size, "size", "ci", "how large the named experiments are: `SIZE` is ci, desk or paper")
	cmd.Flags().BoolVar(&expect, "expect", false, "exit with code 10 if a verdict is not the expected one")
	cmd.Flags().BoolVar(&readings, "readings", false, "list the settings, with defaults, "+
		"and for those of the dissertation the published value, section and reason, and end")
	cmd.Flags().StringVar(&jobsOut, "jobs-out", "", "write what became of each job to `FILE`: .swf or .csv, and .gz")
	cli.Group(cmd.Flags(), cli.GroupSearch, "size")
	cmd.Flags().Int64Var(&job, "explain", 0, "print the history of the job with this `NUMBER` in words")
	cmd.Flags().StringVar(&html, "html", "", "write the `PAGE` of named experiments: verdicts, and figures")
	cli.Group(cmd.Flags(), cli.GroupOutput, "expect", "readings", "jobs-out", "explain", "html")
	return cmd
}

// ignored refuses outputs that are not written beside --explain or --jobs-out.
func ignored(flags *pflag.FlagSet, explain bool, jobsOut string) error {
	var by string
	var names []string
	switch {
	case explain:
		by, names = "explain", []string{"jobs-out", "out", "rows-out", "json", "shard"}
	case jobsOut != "":
		by, names = "jobs-out", []string{"out", "shard"}
	}
	for _, name := range names {
		if flags.Changed(name) {
			return cli.Usagef("--%s does nothing beside --%s; leave it out", name, by)
		}
	}
	return nil
}

// cell runs one cell for each seed.
func (env Env) cell(c *common, jobsOut string) error {
	seeds, err := lab.Seeds(c.seeds)
	if err != nil {
		return err
	}
	if jobsOut != "" {
		if len(seeds) > 1 {
			return cli.Usagef("--jobs-out takes the jobs of one run, not of %d seeds; keep rows with --out, and write the "+
				"jobs of all with canvass lab export", len(seeds))
		}
		return env.oneRun(c, seeds[0], jobsOut)
	}
	runs, err := lab.Product([]lab.Cell{c.cell}, nil, seeds)
	if err != nil {
		return err
	}
	rows, err := env.campaign(c, runs)
	return env.finish(c, rows, err)
}

// campaign does the runs, with progress, until it ends, a signal comes or the time is over.
func (env Env) campaign(c *common, runs []lab.Run) ([]*lab.Row, error) {
	runs, err := lab.Shard(runs, c.shard)
	if err != nil {
		return nil, err
	}
	rows, err := env.rows(c)
	if err != nil {
		return nil, err
	}
	ctx, end := cli.Interruptible(context.Background(), c.timeout)
	defer end()
	line := cli.NewProgress(env.Stderr, c.quiet)
	last := time.Now()
	campaign := lab.Campaign{
		Lab: c.lab(env), Rows: rows, Workers: c.workers,
		Progress: func(p lab.Progress) {
			if time.Since(last) < line.Every() {
				return
			}
			last = time.Now()
			left := time.Duration(float64(p.Elapsed) / float64(p.Done) * float64(p.Of-p.Done)).Round(time.Second)
			line.Show(fmt.Sprintf("%d of %d runs, %v left: %s", p.Done, p.Of, left, p.Current))
		},
	}
	all, err := campaign.Do(ctx, runs)
	line.Clear()
	if stopped(err) {
		fmt.Fprintf(env.Stderr, "canvass: %s after %d of %d runs%s\n", why(err), len(all), len(runs), c.goOn())
		err = cli.Code(cli.CodeInconclusive)
	}
	if closing := rows.Close(); err == nil {
		err = closing
	}
	return all, err
}

func stopped(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func why(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "the time was over"
	}
	return "interrupted"
}

func (c *common) goOn() string {
	if c.out == "" {
		return "; with --out FOLDER finished rows are kept"
	}
	return "; the same command goes on"
}

func (c *common) lab(env Env) *lab.Lab {
	reads := func(path string) error { return c.files.Reads("", path) }
	return &lab.Lab{
		Data: c.data, Commit: env.Build.Program(), Strict: c.strict, Cores: cores, Formulas: c.formulas, Reads: reads,
		Programs: program.System{Within: c.within, Stderr: env.Stderr},
	}
}

// once runs the cell once, until it ends, a signal comes or the time is over.
func (c *common) once(env Env, seed uint64) (*lab.Outcome, error) {
	ctx, end := cli.Interruptible(context.Background(), c.timeout)
	defer end()
	o, err := c.lab(env).Run(ctx, "", c.cell, seed)
	if stopped(err) {
		fmt.Fprintf(env.Stderr, "canvass: %s before the run has ended\n", why(err))
		return nil, cli.Code(cli.CodeInconclusive)
	}
	return o, err
}

// rows opens the rows of --out, or keeps them in memory.
func (env Env) rows(c *common) (*lab.Rows, error) {
	if c.out == "" {
		return lab.NoRows(), nil
	}
	if err := c.files.Writes("--out", filepath.Join(c.out, lab.RowsFile)); err != nil {
		return nil, err
	}
	rows, err := lab.OpenRows(c.out)
	if err != nil {
		return nil, err
	}
	if other := rows.OfAnother(env.Build.Program()); other != "" && !c.mixed {
		refusal := cli.Usagef("%s has rows of another build, %s, and this one is %s; use another folder, or keep them "+
			"with --allow-mixed", c.out, other, env.Build.Program())
		return nil, errors.Join(refusal, rows.Close())
	}
	if n := len(rows.All()); n > 0 && !c.quiet {
		fmt.Fprintf(env.Stderr, "canvass: %s has %s; runs that have one are not run again\n", c.out, english.Count(n,
			"row"))
	}
	return rows, nil
}

// finish writes the rows, as JSON or as a table, and to the file of --rows-out.
func (env Env) finish(c *common, rows []*lab.Row, err error) error {
	if code := cli.Code(0); err != nil && !errors.As(err, &code) && len(rows) == 0 {
		return err
	}
	if writing := c.writeRows(rows); writing != nil {
		return writing
	}
	if writing := cli.PrintAll(env.Stdout, rows, func() error { return env.summary(rows, c.names) }); writing != nil {
		return writing
	}
	return err
}

// oneRun runs a cell once and writes what became of its jobs.
func (env Env) oneRun(c *common, seed uint64, path string) error {
	write, err := jobsWriter(c.files, path)
	if err != nil {
		return err
	}
	o, err := c.once(env, seed)
	if err != nil {
		return err
	}
	if o.Workload == nil {
		return lab.ErrNoJobs
	}
	if err := write(o); err != nil {
		return fmt.Errorf("write the jobs to %s: %w", path, err)
	}
	return env.finish(c, []*lab.Row{o.Row}, nil)
}

// explain runs a cell once and prints the history of a job.
func (env Env) explain(c *common, job int64) error {
	seeds, err := lab.Seeds(c.seeds)
	if err != nil {
		return err
	}
	if len(seeds) > 1 {
		return cli.Usagef("--explain is about a job of one run, not of %d seeds; use --seeds 3..3 for seed 3",
			len(seeds))
	}
	o, err := c.once(env, seeds[0])
	if err != nil {
		return err
	}
	text, err := lab.Explain(o, job)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(env.Stdout, text)
	return err
}

// experiments runs named experiments and judges them.
func (env Env) experiments(c *common, patterns []string, size, html string, expect bool) error {
	chosen, err := experiment.Choose(patterns)
	if err != nil {
		return err
	}
	seeds, err := lab.Seeds(c.seeds)
	if err != nil {
		return err
	}
	var runs []lab.Run
	for _, e := range chosen {
		some, err := e.Runs(size, seeds)
		if err != nil {
			return err
		}
		if err := c.comparedBy(e.Name, some); err != nil {
			return err
		}
		for i := range some {
			if err := override(&some[i].Cell, c); err != nil {
				return err
			}
		}
		runs = append(runs, some...)
	}
	rows, err := env.campaign(c, runs)
	if code := cli.Code(0); err != nil && !errors.As(err, &code) {
		return err
	}
	if writing := c.writeRows(rows); writing != nil {
		return writing
	}
	if html != "" {
		made := report.Page{
			Lab: c.lab(env), Chosen: chosen, Rows: rows, Command: c.commandOf(patterns, size, html),
			Partial: c.partial(len(rows), len(runs)),
		}
		if writing := writePage(html, &made); writing != nil {
			return writing
		}
	}
	judged := env.judge(c, chosen, rows, expect)
	if err != nil {
		return err
	}
	return judged
}

// writePage writes a page to a file.
func writePage(path string, p *report.Page) error {
	text, err := p.HTML()
	if err != nil {
		return err
	}
	return fileio.WriteText(path, text)
}

// partial says why a page has fewer runs than the experiments; nothing if it has all.
func (c *common) partial(rows, runs int) string {
	switch {
	case rows >= runs:
		return ""
	case c.shard != "":
		return fmt.Sprintf("it has %d of %d runs, at most the share of --shard %s", rows, runs, c.shard)
	}
	return fmt.Sprintf("the command was stopped after %d of %d runs", rows, runs)
}

// commandOf is the command line that makes the page again.
func (c *common) commandOf(patterns []string, size, html string) string {
	words := slices.Concat([]string{"canvass", "lab", "run"}, patterns, []string{"--size", size, "--seeds", c.seeds})
	for _, s := range lab.Settings() {
		if v := c.cell.Given(s.Name); v != "" {
			words = append(words, "--set", s.Name+"="+v)
		}
	}
	if c.shard != "" {
		words = append(words, "--shard", c.shard)
	}
	if c.strict {
		words = append(words, "--strict")
	}
	words = append(words, dataFlagOf(c.data)...)
	return cli.Shell(append(words, "--html", html)...)
}

// dataFlagOf is the flag of the folder of data, whether a flag or the environment gave it.
func dataFlagOf(folder string) []string {
	if folder == "" {
		return nil
	}
	return []string{"--data", folder}
}

// noValues refuses yes and no where names are due: they belong to a flag that takes no separate
// value.
func noValues(args []string, what string) error {
	if at := slices.IndexFunc(args, func(a string) bool { return a == "yes" || a == "no" }); at >= 0 {
		return cli.Usagef("%q is no %s; a setting of yes or no is written in one word, as in --pool or --pool=no",
			args[at], what)
	}
	return nil
}

// comparedBy refuses a setting whose values an experiment compares.
func (c *common) comparedBy(experimentName string, runs []lab.Run) error {
	for _, s := range lab.Settings() {
		given := c.cell.Given(s.Name)
		if given == "" {
			continue
		}
		var values []string
		for i := range runs {
			if v := runs[i].Cell.Get(s.Name); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > 1 {
			return cli.Usagef("--%s %s: %s compares values of %s itself: %s; leave the flag out, or run a cell of your own: "+
				"--workload and --platform in place of %s", s.Name, given, experimentName, s.Name,
				strings.Join(values, ", "),
				experimentName)
		}
	}
	return nil
}

// override gives a cell of an experiment the settings of the command line.
func override(cell *lab.Cell, c *common) error {
	for _, s := range lab.Settings() {
		if v := c.cell.Given(s.Name); v != "" {
			if err := cell.Set(s.Name, v); err != nil {
				return err
			}
		}
	}
	return nil
}
