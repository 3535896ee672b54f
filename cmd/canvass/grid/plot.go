package grid

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/wholefile"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// plotting is what a figure is drawn from, and how.
type plotting struct {
	lab     *experiment.Lab
	rows    []*experiment.Row // in the order of the arguments
	files   []string          // of jobs
	inputs  []string          // the arguments
	metrics []string
	log     bool
	xTo     float64
	yFrom   float64
	command string // that draws it again
	title   string // of the distributions; by default the name of the measure
}

// kinds are the kinds of figures: the first is the default.
var kinds = []struct {
	name, doc string
	metrics   []string // by default
	draw      func(*plotting) ([]*plot.Figure, error)
}{
	{"bars", "a mean for each cell, with its 95 % interval over seeds",
		[]string{"mean_wait_seconds", "mean_bsld", "utilisation"}, (*plotting).bars},
	{"heat", "a mean for each pair of values of the two settings that vary",
		[]string{"mean_bsld"}, (*plotting).heat},
	{"cdf", "the distribution of a measure over jobs, a line for each cell or file of jobs",
		[]string{"bsld"}, (*plotting).cdf},
	{"shapes", "how many jobs there are of each size and run time, in bins that double", nil, (*plotting).shapes},
	{"queue", "waiting jobs over time, a line for each run", nil, (*plotting).queue},
	{"gantt", "which nodes run which job and when, for one run", nil, (*plotting).gantt},
}

func kindNames() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

func (env Env) plotCommand() *cobra.Command {
	var c common
	var kind, out string
	p := plotting{}
	long := "Draws the rows of folders, of files, or of standard input (-). The kinds are:\n\n"
	for _, k := range kinds {
		long += fmt.Sprintf("  %-7s %s\n", k.name, k.doc)
	}
	long += "\nThe last four are about jobs, which rows do not hold: the cells of rows are run again, and it is an\n" +
		"error if a job starts at another time than before. Files of grid run --jobs-out will do, too. A page\n" +
		"(.html) needs no other file and no network. Beside it, or beside a picture (.svg), are the data as CSV."
	cmd := &cobra.Command{
		Use:   "plot FOLDER|FILE|-... --out PAGE.html|PICTURE.svg",
		Short: "Draw the rows of a sweep or an experiment, or the jobs of a run",
		Long:  long,
		Example: "  canvass grid sweep --workload lublin:N=2000,nodes=64 --estimate exact --over policy=fcfs,easy,sjf \\\n" +
			"    --seeds 10 --out out/sweep\n" +
			"  canvass grid plot out/sweep --metric mean_wait_seconds,mean_bsld --out out/sweep.html\n" +
			"  canvass grid plot out/sweep --kind cdf --log --out out/slowdowns.svg\n" +
			"  canvass grid run --workload lublin:N=200,nodes=32 --policy fcfs --json | \\\n" +
			"    canvass grid plot - --kind gantt --out out/fcfs.svg",
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if len(inputs) == 0 || !strings.HasSuffix(out, ".html") && !strings.HasSuffix(out, ".svg") {
				return usagef("plot takes folders of rows or files of jobs, and --out with a name that ends in .html or .svg; "+
					"see %q", cmd.CommandPath()+" --help")
			}
			if err := ready("out", out); err != nil {
				return err
			}
			p.lab, p.inputs = c.lab(env), inputs
			return env.plot(&p, kind, out)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "bars", "the `KIND` of figure: "+strings.Join(kindNames(), ", "))
	flags.StringSliceVar(&p.metrics, "metric", nil, "draw these `NUMBERS`: of rows by their names in JSON, by default "+
		strings.Join(kinds[0].metrics, ", ")+"; with --kind cdf of jobs, by default bsld")
	flags.StringVar(&out, "out", "", "the `FILE` to write: a page, or a picture")
	flags.BoolVar(&p.log, "log", false, "logarithmic axis of the values")
	flags.Float64Var(&p.xTo, "x-to", 0, "with --kind cdf, end the x axis at this `VALUE`; 0 shows all")
	flags.Float64Var(&p.yFrom, "y-from", 0, "with --kind cdf, begin the y axis at this `SHARE`, from 0 to below 1")
	c.dataFlag(env, flags)
	return cmd
}

// plot reads the input, draws the figures and writes them.
func (env Env) plot(p *plotting, kind, out string) error {
	at := slices.Index(kindNames(), kind)
	if at < 0 {
		return usagef("no kind of figure is called %q; %s", kind, experiment.Meant(kind, kindNames()))
	}
	if len(p.metrics) == 0 {
		p.metrics = kinds[at].metrics
	}
	if err := env.read(p); err != nil {
		return err
	}
	p.command = fmt.Sprintf("canvass grid plot %s --kind %s --out %s", strings.Join(p.inputs, " "), kind, out)
	figures, err := kinds[at].draw(p)
	if err != nil {
		return err
	}
	return env.writeFigures(p, out, kind, figures)
}

// read reads rows, each run once. Files of jobs are only noted.
func (env Env) read(p *plotting) error {
	merged := experiment.NoRows()
	for _, input := range p.inputs {
		switch {
		case isSchedule(input):
			p.files = append(p.files, input)
			continue
		case input == "-":
			rows, err := experiment.DecodeRows("standard input", env.Stdin)
			if err != nil {
				return err
			}
			if _, err := merged.Join(input, rows); err != nil {
				return err
			}
			continue
		}
		if _, err := experiment.Merge(merged, []string{input}); err != nil {
			return err
		}
	}
	p.rows = merged.All()
	if len(p.rows)+len(p.files) == 0 {
		return usagef("there are no rows to draw")
	}
	return nil
}

// writeFigures writes a page, and each figure beside it as PAGE-NAME.svg and .csv; or one picture
// and its data.
func (env Env) writeFigures(p *plotting, out, kind string, figures []*plot.Figure) error {
	if base, picture := strings.CutSuffix(out, ".svg"); picture {
		if len(figures) != 1 {
			return usagef("there are %d figures, and a picture holds one; choose one --metric, or write a page (.html)",
				len(figures))
		}
		text, err := figures[0].Picture()
		if err != nil {
			return err
		}
		return env.writeAll(out, 1, map[string][]byte{out: text, base + ".csv": figures[0].CSV})
	}
	commands := make([]string, len(figures))
	files, base := map[string][]byte{}, strings.TrimSuffix(out, ".html")
	for i, f := range figures {
		name := kind
		commands[i] = p.command
		if len(p.metrics) > 0 {
			name = p.metrics[i]
			commands[i] += " --metric " + name
		}
		files[base+"-"+name+".svg"], files[base+"-"+name+".csv"] = f.SVG, f.CSV
	}
	page, err := plot.Page("Scheduling experiments", "", figures, commands)
	if err != nil {
		return usagef("%v", err)
	}
	files[out] = page
	return env.writeAll(out, len(figures), files)
}

func (env Env) writeAll(out string, figures int, files map[string][]byte) error {
	for path, text := range files {
		if err := wholefile.Write(path, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(env.Stdout, "%s: %s\n", out, english.Count(figures, "figure"))
	return err
}
