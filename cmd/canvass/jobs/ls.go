package jobs

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) lsCommand() *cobra.Command {
	var c client.Daemon
	cmd := &cobra.Command{
		Use:   "ls ID",
		Short: "List the output files of a job",
		Long: "Lists the output files of a job's last attempt that match the patterns of the job. Empty\n" +
			"folders are not listed. Files that could not be kept are named on the error stream.\n\n" +
			"Exit codes: 7 no such job, 8 outputs are lost.",
		Example: "  canvass ls b4k2",
		Args:    client.OneJob,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				r, err := g.Job(ctx, args[0])
				if err != nil {
					return err
				}
				if r.Spec.Array != nil {
					return element(r)
				}
				all, lost := e.outputsOf(r, "**")
				files := make([]versioned, len(all))
				for i, f := range all {
					files[i] = versioned{api.Version, f}
				}
				err = cli.PrintAll(e.Stdout, files, func() error { return fileTable(e.Stdout, all) })
				return errors.Join(err, lost)
			})
		},
	}
	e.Flags(&c, cmd)
	return cmd
}

// fileTable writes a line for each file.
func fileTable(out *cli.Output, all []jobs.File) error {
	t := cli.NewTabs(out)
	for _, f := range all {
		if f.Link != "" {
			t.Printf("%v\t-\t%s -> %s\n", f.Mode, f.Path, f.Link)
		} else {
			t.Printf("%v\t%d\t%s\n", f.Mode, f.Size, f.Path)
		}
	}
	return t.Flush()
}

// versioned is a file in JSON.
type versioned struct {
	Version int `json:"version"`
	jobs.File
}
