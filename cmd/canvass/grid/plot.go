package grid

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/wholefile"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

func (env Env) plotCommand() *cobra.Command {
	var metrics []string
	var out string
	var logarithmic bool
	cmd := &cobra.Command{
		Use:   "plot FOLDER... --out PAGE.html",
		Short: "Draw the rows of a sweep or an experiment as a page",
		Long: "Draws one figure for each --metric: a bar for each cell, with the 95 % interval over its seeds. Beside the\n" +
			"page it writes each figure as SVG, and its data as CSV. The page needs no other file and no network.",
		Example: "  canvass grid sweep --workload lublin:N=2000,nodes=64 --estimate exact --over policy=fcfs,easy,sjf \\\n" +
			"    --seeds 10 --out out/sweep\n" +
			"  canvass grid plot out/sweep --metric mean_wait_seconds,mean_bsld --out out/sweep.html",
		RunE: func(cmd *cobra.Command, folders []string) error {
			if len(folders) == 0 || !strings.HasSuffix(out, ".html") {
				return usagef("plot takes folders of rows, and --out with a name that ends in .html; see %q",
					cmd.CommandPath()+" --help")
			}
			var rows []*experiment.Row
			for _, folder := range folders {
				some, err := experiment.ReadRows(folder)
				if err != nil {
					return err
				}
				rows = append(rows, some...)
			}
			return env.plot(rows, folders, metrics, out, logarithmic)
		},
	}
	cmd.Flags().StringSliceVar(&metrics, "metric", []string{"mean_wait_seconds", "mean_bsld", "utilisation"},
		"draw these `NUMBERS` of rows, by their names in JSON")
	cmd.Flags().StringVar(&out, "out", "", "the `PAGE` to write, with figures beside it")
	cmd.Flags().BoolVar(&logarithmic, "log", false, "logarithmic axes")
	return cmd
}

// plot draws rows and writes the page and its figures.
func (env Env) plot(rows []*experiment.Row, folders, metrics []string, out string, logarithmic bool) error {
	if len(rows) == 0 {
		return usagef("there are no rows to draw")
	}
	cells, order := byCell(rows)
	common := shared(rows)
	var figures []*plot.Figure
	var commands []string
	for _, name := range metrics {
		bars := plot.BarsSpec{
			Title: name, YLabel: name, LogY: logarithmic,
			Caption: fmt.Sprintf("%s. Means over seeds with 95 %% intervals. Commit %s.",
				strings.Join(common, " "), rows[0].Commit),
		}
		for _, key := range order {
			bar, err := barOf(cells[key], name, common)
			if err != nil {
				return err
			}
			bars.Groups = append(bars.Groups, bar)
		}
		figure, err := plot.Bars(bars)
		if err != nil {
			return usagef("%v", err)
		}
		figures = append(figures, figure)
		commands = append(commands,
			fmt.Sprintf("canvass grid plot %s --metric %s --out %s", strings.Join(folders, " "), name, out))
	}
	page, err := plot.Page("Scheduling experiments", "Each bar is a cell of the experiment.", figures, commands)
	if err != nil {
		return err
	}
	return env.writeFigures(out, page, metrics, figures)
}

func barOf(rows []*experiment.Row, name string, common []string) (plot.Bar, error) {
	var values []float64
	for _, r := range rows {
		v, err := r.Value(name)
		if err != nil {
			return plot.Bar{}, err
		}
		values = append(values, v)
	}
	mean, low, high := metric.Interval(values)
	if len(values) == 1 {
		low, high = math.NaN(), math.NaN()
	}
	return plot.Bar{
		Label: apart(rows[0], common), Mean: mean, Low: low, High: high, N: len(values), Published: math.NaN(),
	}, nil
}

// writeFigures writes the page, and each figure beside it as PAGE-NAME.svg and .csv.
func (env Env) writeFigures(out string, page []byte, names []string, figures []*plot.Figure) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return fmt.Errorf("make the folder of the page: %w", err)
	}
	base := strings.TrimSuffix(out, ".html")
	files := map[string][]byte{out: page}
	for i, f := range figures {
		files[base+"-"+names[i]+".svg"], files[base+"-"+names[i]+".csv"] = f.SVG, f.CSV
	}
	for path, text := range files {
		if err := wholefile.Write(path, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(env.Stdout, "%s: %d figures\n", out, len(figures))
	return err
}
