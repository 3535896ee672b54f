package lab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

func (env Env) verifyCommand() *cobra.Command {
	var c common
	var expect, markdown bool
	var html string
	cmd := &cobra.Command{
		Use:     "verify FOLDER...",
		Short:   "Judge the claims of experiments again, from their rows alone",
		Example: "  canvass lab run theory/queues --seeds 10 --out out/queues\n  canvass lab verify out/queues",
		RunE: func(cmd *cobra.Command, folders []string) error {
			if len(folders) == 0 {
				return cli.Usagef("verify takes folders of rows; see %q", cmd.CommandPath()+" --help")
			}
			if err := cmp.Or(c.readMetrics(), cli.ReadyFile(c.files, "html", html, ".html")); err != nil {
				return err
			}
			for _, folder := range folders {
				if err := c.files.Reads("", lab.RowsIn(folder)); err != nil {
					return err
				}
			}
			merged := lab.NoRows() // a run found in several folders counts once
			if _, err := lab.Merge(merged, folders); err != nil {
				return err
			}
			if builds := merged.Mixed(); builds != "" {
				fmt.Fprintf(env.Stderr, "canvass: the rows may be of several builds: %s\n", builds)
			}
			rows := merged.All()
			if err := c.lab(env).Evaluate(context.Background(), rows, c.formulas); err != nil {
				return err
			}
			var chosen []*experiment.Experiment
			for _, e := range experiment.All() {
				if e.Has(rows) {
					chosen = append(chosen, e)
				}
			}
			if len(chosen) == 0 {
				return cli.Usagef("none of the %d rows belongs to a named experiment; canvass lab list names experiments",
					len(rows))
			}
			if html != "" {
				words := slices.Concat([]string{"canvass", "lab", "verify"}, folders, dataFlagOf(c.data))
				command := cli.Shell(append(words, "--html", html)...)
				made := report.Page{Lab: c.lab(env), Chosen: chosen, Rows: rows, Command: command}
				if err := writePage(html, &made); err != nil {
					return err
				}
			}
			if markdown {
				return report.Markdown(env.Stdout, chosen, rows)
			}
			return env.judge(&c, chosen, rows, expect)
		},
	}
	c.dataFlag(env, cmd.Flags())
	c.metricFlag(cmd.Flags())
	env.Stdout.JSONFlag(cmd.Flags())
	cmd.Flags().StringVar(&html, "html", "", "write the `PAGE` of the experiments: verdicts, and figures")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "write a page of what is published and what was found, in "+
		"Markdown")
	cmd.Flags().BoolVar(&expect, "expect", false, "exit with code 10 unless every claim is reproduced")
	return cmd
}

// verdictOf counts the verdicts of an experiment.
func verdictOf(e *experiment.Experiment, all []experiment.Judgement) string {
	counts := map[experiment.Verdict]int{}
	for _, j := range all {
		if !j.Missing {
			counts[j.Verdict]++
		}
	}
	var parts []string
	for _, v := range experiment.Verdicts() {
		if n := counts[v.Verdict]; n > 0 && v.Verdict != experiment.None {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.Verdict))
		}
	}
	switch n := counts[experiment.None]; {
	case n > 0:
		parts = append(parts, fmt.Sprintf("%d with nothing published to compare", n))
	case len(parts) == 0:
		parts = []string{"no claim was judged"}
	}
	return e.Name + ": " + strings.Join(parts, ", ")
}

// judge writes the verdicts. With expect, a claim that deviates ends the command with code 10, and
// an undetermined one with code 20, and so do rows about which there is no claim.
func (env Env) judge(c *common, chosen []*experiment.Experiment, rows []*lab.Row, expect bool) error {
	t := [][]string{{"experiment", "claim", "published", "found", "over", "verdict", "our band"}}
	deviates, undetermined := false, false
	judged, notRun := 0, 0
	var verdicts []string
	for _, e := range chosen {
		all := e.Judge(rows)
		verdicts = append(verdicts, verdictOf(e, all))
		for _, j := range all {
			judged++
			deviates = deviates || j.Verdict.IsFailure()
			undetermined = undetermined || j.Verdict.IsOpen()
			if j.Missing {
				notRun++
			} else {
				t = append(t, []string{
					j.Experiment, j.Claim, j.Published, j.Found, j.OverSeeds(), string(j.Verdict), j.OurBand(),
				})
			}
			if env.Stdout.WantsJSON() {
				if err := env.Stdout.JSON(j); err != nil {
					return err
				}
			}
		}
	}
	if !env.Stdout.WantsJSON() {
		if err := env.Stdout.Table(&cli.Table{Rows: t}); err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout, strings.Join(verdicts, "\n"))
		if notRun > 0 {
			fmt.Fprintf(env.Stdout, "%s without runs, such as claims about another --size\n",
				english.Count(notRun, "more claim"))
		}
	}
	if len(c.names) > 0 {
		if err := metricTable(env.Stdout, rows, c.names); err != nil {
			return err
		}
	}
	switch {
	case expect && deviates:
		return cli.Code(cli.CodeExpectation)
	case expect && (undetermined || judged == 0):
		return cli.Code(cli.CodeInconclusive)
	}
	return nil
}
