package lab

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler/plot"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// plotting has the sources of figures, and the files for them.
type plotting struct {
	report.Figures
	inputs []string // the arguments
	out    string
	parts  string // the folder of each figure and its data as files of their own; "" for none
	guard  *cli.Guard
}

func (env Env) plotCommand() *cobra.Command {
	var c common
	var kind string
	p := plotting{}
	long := "Draws the rows of folders, of files, or of standard input (-). The kinds are:\n\n"
	for _, k := range report.Kinds() {
		long += fmt.Sprintf("  %-11s %s\n", k.Name, k.Doc)
	}
	long += "\nThe last five draw individual jobs. Rows do not contain these, so the cells are run again; a job that\n" +
		"starts at a different time than before is an error. Files of canvass lab run --jobs-out work as well.\n" +
		"A page (.html) needs no other file and no network. --parts also writes the drawn numbers as CSV."
	cmd := &cobra.Command{
		Use:   "plot FOLDER|FILE|-... --out PAGE.html|PICTURE.svg",
		Short: "Draw the rows of a sweep or an experiment, or the jobs of a run",
		Long:  long,
		Example: "  canvass lab sweep --workload lublin:N=2000,nodes=64 --estimate exact --over policy=fcfs,easy,sjf \\\n" +
			"    --seeds 10 --out out/sweep\n" +
			"  canvass lab plot out/sweep --metric mean_wait_seconds,mean_bsld --out out/sweep.html\n" +
			"  canvass lab plot out/sweep --kind cdf --log --out out/slowdowns.svg\n" +
			"  canvass lab run --workload lublin:N=200,nodes=32 --policy fcfs --json | \\\n" +
			"    canvass lab plot - --kind gantt --out out/fcfs.svg",
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if len(inputs) == 0 || !strings.HasSuffix(p.out, ".html") && !strings.HasSuffix(p.out, ".svg") {
				return cli.Usagef("plot takes folders of rows or files of jobs, and --out with a name that ends in .html or "+
					".svg; see %q", cmd.CommandPath()+" --help")
			}
			p.Lab, p.inputs, p.guard = c.lab(env), inputs, c.files
			return env.plot(&p, kind)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "bars", "the `KIND` of figure: "+strings.Join(report.KindNames(), ", "))
	cli.CompleteWords(cmd, "kind", report.KindNames())
	flags.Var((*metrics)(&p.Metrics), "metric", "draw these `METRICS`: numbers of rows by their names in JSON, by "+
		"default "+strings.Join(report.Kinds()[0].Metrics, ", ")+", or formulas (canvass help formulas); with --kind cdf "+
		"measures of jobs, by default bsld")
	flags.StringVar(&p.out, "out", "", "the `FILE` to write: a page, or a picture")
	flags.StringVar(&p.parts, "parts", "",
		"also write each figure as NAME.svg and its data as NAME.csv to the `FOLDER`")
	flags.BoolVar(&p.Log, "log", false, "logarithmic axis of the values")
	flags.Float64Var(&p.XTo, "x-to", 0, "with --kind cdf, end the x axis at this `VALUE`; 0 shows all")
	flags.Float64Var(&p.YFrom, "y-from", 0, "with --kind cdf, begin the y axis at this `SHARE`, from 0 to below 1")
	c.dataFlag(env, flags)
	return cmd
}

// plot reads the input, draws the figures and writes them.
func (env Env) plot(p *plotting, kind string) error {
	k, err := report.KindNamed(kind)
	if err != nil {
		return err
	}
	if err := p.ready(k); err != nil {
		return err
	}
	if err := env.read(p); err != nil {
		return err
	}
	figures, err := p.Draw(k)
	if err != nil {
		return err
	}
	return env.writeFigures(p, k, figures)
}

// again is the command that draws the figures, but for their metrics.
func (p *plotting) again(kind string) string {
	words := slices.Concat([]string{"canvass", "lab", "plot"}, p.inputs, []string{"--kind", kind, "--out", p.out})
	if p.parts != "" {
		words = append(words, "--parts", p.parts)
	}
	if p.Log {
		words = append(words, "--log")
	}
	if p.XTo != 0 {
		words = append(words, "--x-to", fmt.Sprint(p.XTo))
	}
	if p.YFrom != 0 {
		words = append(words, "--y-from", fmt.Sprint(p.YFrom))
	}
	return cli.Shell(append(words, dataFlagOf(p.Lab.Data)...)...)
}

// noName matches the characters of formulas that file names leave out.
var noName = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// part is the path of a figure as a separate file, without its ending.
func (p *plotting) part(name string) string {
	return filepath.Join(p.parts, strings.Trim(noName.ReplaceAllString(name, "-"), "-"))
}

// ready makes sure that all files can be written.
func (p *plotting) ready(k report.Kind) error {
	if err := cli.ReadyFile(p.guard, "out", p.out); err != nil || p.parts == "" {
		return err
	}
	for _, name := range p.Names(k) {
		for _, ending := range []string{".svg", ".csv"} {
			if err := cli.ReadyFile(p.guard, "parts", p.part(name)+ending); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads rows, each run once. Files of jobs are only noted.
func (env Env) read(p *plotting) error {
	var ofRows []string
	for _, input := range p.inputs {
		if !report.IsSchedule(input) {
			ofRows = append(ofRows, input)
			continue
		}
		if err := p.guard.Reads("", input); err != nil {
			return err
		}
		p.Files = append(p.Files, input)
	}
	var err error
	if p.Rows, err = readRows(env.Stdin, p.guard, ofRows); err != nil {
		return err
	}
	if len(p.Rows)+len(p.Files) == 0 {
		return cli.Usagef("there are no rows to draw")
	}
	return nil
}

// writeFigures writes a page or a picture, and with --parts each figure and its data.
func (env Env) writeFigures(p *plotting, k report.Kind, figures []*plot.Figure) error {
	files := map[string][]byte{}
	if p.parts != "" {
		for i, name := range p.Names(k) {
			files[p.part(name)+".svg"], files[p.part(name)+".csv"] = figures[i].SVG, figures[i].CSV
		}
	}
	if strings.HasSuffix(p.out, ".svg") {
		if len(figures) != 1 {
			return cli.Usagef("there are %d figures, and a picture holds one; choose one --metric, or write a page "+
				"(.html)",
				len(figures))
		}
		text, err := figures[0].Picture()
		if err != nil {
			return err
		}
		files[p.out] = text
		return env.writeAll(p.out, 1, files)
	}
	command := p.again(k.Name)
	commands := make([]string, len(figures))
	for i := range figures {
		commands[i] = command
		if len(p.Metrics) > 0 {
			commands[i] += " " + cli.Shell("--metric", p.Metrics[i])
		}
	}
	page, err := plot.Page("Scheduling experiments", "", figures, commands)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	files[p.out] = page
	return env.writeAll(p.out, len(figures), files)
}

func (env Env) writeAll(out string, figures int, files map[string][]byte) error {
	for path, text := range files {
		if err := fileio.WriteText(path, text); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(env.Stdout, "%s: %s\n", out, english.Count(figures, "figure"))
	return err
}
