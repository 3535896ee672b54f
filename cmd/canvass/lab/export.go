package lab

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// tableEndings are the endings of files that hold a table.
var tableEndings = []string{".csv", ".csv.gz"}

func (env Env) exportCommand() *cobra.Command {
	var c common
	var jobsOut string
	cmd := &cobra.Command{
		Use:   "export FOLDER|FILE|-... --rows-out FILE --jobs-out FILE",
		Short: "Write rows and their jobs as tables, for other programs",
		Long: "Writes the rows of folders, of files, or of standard input (-) as tables of CSV. --rows-out has a line\n" +
			"for each run, and a column for each setting and number: settings.policy, summary.mean_wait_seconds.\n" +
			"--jobs-out has a line for each job of each run: its times, its requests, and the nodes that it had. Rows\n" +
			"hold no jobs, so the cells are run again, and it is an error if a job starts at another time than before.\n" +
			"The column \"run\" of both tables numbers the runs.",
		Example: "  canvass lab sweep --workload lublin:N=2000,nodes=64 --estimate exact --over policy=fcfs,easy \\\n" +
			"    --seeds 10 --out out/sweep\n" +
			"  canvass lab export out/sweep --rows-out out/rows.csv --jobs-out out/jobs.csv.gz",
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if len(inputs) == 0 || c.rowsOut == "" && jobsOut == "" {
				return cli.Usagef("export takes folders of rows, and --rows-out, --jobs-out or both; see %q",
					cmd.CommandPath()+" --help")
			}
			return env.export(&c, inputs, jobsOut)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.rowsOut, "rows-out", "", "write a line for each run to `FILE`: .csv, or .csv.gz")
	flags.StringVar(&jobsOut, "jobs-out", "", "write a line for each job of each run to `FILE`: .csv, or .csv.gz")
	flags.IntVar(&c.workers, "workers", runtime.GOMAXPROCS(0), "`N` runs at once")
	c.dataFlag(env, flags)
	return cmd
}

// export reads rows and writes the tables.
func (env Env) export(c *common, inputs []string, jobsOut string) error {
	if err := cmp.Or(
		cli.ReadyFile(c.files, "rows-out", c.rowsOut, tableEndings...),
		cli.ReadyFile(c.files, "jobs-out", jobsOut, tableEndings...),
	); err != nil {
		return err
	}
	rows, err := readRows(env.Stdin, c.files, inputs)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return cli.Usagef("there are no rows to export")
	}
	if err := c.writeRows(rows); err != nil {
		return err
	}
	if jobsOut != "" {
		ctx, end := cli.Interruptible(context.Background(), 0)
		defer end()
		err := writeTable(jobsOut, func(w io.Writer) error {
			return report.ExportJobs(ctx, c.lab(env), rows, c.workers, w)
		})
		if stopped(err) {
			fmt.Fprintf(env.Stderr, "canvass: interrupted; %s was not written\n", jobsOut)
			return cli.Code(cli.CodeInconclusive)
		}
		if err != nil {
			return err
		}
	}
	return env.Stdout.Printf("%s exported\n", english.Count(len(rows), "run"))
}

// writeRows writes rows to the file of --rows-out, if there is one.
func (c *common) writeRows(rows []*lab.Row) error {
	if c.rowsOut == "" {
		return nil
	}
	return writeTable(c.rowsOut, func(w io.Writer) error { return report.RowTable(w, rows) })
}

// writeTable writes a file, compressed if its name says so.
func writeTable(path string, write func(io.Writer) error) error {
	_, zipped := report.Ending(path)
	return fileio.Write(path, func(f io.Writer) error { return report.Compressed(f, zipped, write) })
}

// readRows reads the rows of folders, of files, or of standard input, each run once.
func readRows(stdin io.Reader, files *cli.Guard, inputs []string) ([]*lab.Row, error) {
	merged := lab.NoRows()
	for _, input := range inputs {
		if input != "-" {
			if err := files.Reads("", lab.RowsIn(input)); err != nil {
				return nil, err
			}
			if _, err := lab.Merge(merged, []string{input}); err != nil {
				return nil, err
			}
			continue
		}
		if err := files.Stdin(stdin); err != nil {
			return nil, err
		}
		rows, err := lab.DecodeRows("standard input", stdin)
		if err != nil {
			return nil, err
		}
		if _, err := merged.Join(input, rows); err != nil {
			return nil, err
		}
	}
	return merged.All(), nil
}
