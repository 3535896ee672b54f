package lab

import (
	"io"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// jobsWriter returns the function that writes the jobs of a run to a file, in the format that its
// ending asks for.
func jobsWriter(files *cli.Guard, path string) (func(*lab.Outcome) error, error) {
	write, ok := report.JobsWriter(path)
	if !ok {
		return nil, cli.Usagef("--jobs-out %s: the name must end in .swf, .csv, .swf.gz or .csv.gz", path)
	}
	if err := cli.ReadyFile(files, "jobs-out", path); err != nil {
		return nil, err
	}
	return func(o *lab.Outcome) error {
		return fileio.Write(path, func(f io.Writer) error { return write(f, o) })
	}, nil
}
