package jobs

import (
	"context"
	"errors"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) getCommand() *cobra.Command {
	var c client.Daemon
	var folder string
	cmd := &cobra.Command{
		Use:   "get ID [PATTERN] -o DIR",
		Short: "Fetch the output files of a job",
		Long: "Writes the output files of a job's last attempt into a folder, and verifies their digests. Symbolic links\n" +
			"are recreated and never followed: nothing is written outside of the folder. With several tasks the files of\n" +
			"each rank are below rank-N, and patterns include that name. Existing files are replaced atomically.\n\n" +
			"Exit codes: 7 no such job or file, 8 outputs are lost or damaged.",
		Example: "  canvass get b4k2 -o results\n  canvass get b4k2 'out/*.png' -o pictures\n" +
			"  canvass get x7aa 'rank-*/out/*.png' -o pictures",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usagef("get takes the id of a job, and a pattern of files")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if folder == "" {
				return cli.Usagef("get needs a folder to write to: -o DIR")
			}
			pattern := "**"
			if len(args) == 2 {
				pattern = args[1]
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				return e.get(ctx, g, args[0], pattern, folder)
			})
		},
	}
	cmd.Flags().StringVarP(&folder, "output", "o", "", "folder; created if missing")
	e.Flags(&c, cmd)
	return cmd
}

func (e Env) get(ctx context.Context, g *api.Client, id, pattern, folder string) error {
	r, err := g.Job(ctx, id)
	if err != nil {
		return err
	}
	if err := jobs.CheckPattern(pattern); err != nil {
		return err
	}
	all, lost := e.outputsOf(r, pattern)
	written := cli.NewGuard(e.Stdout, e.Stderr)
	var wanted []blobs.Entry
	for _, f := range all {
		if name := string(f.Path); jobs.Matches(pattern, name) {
			if err := written.Writes("output", filepath.Join(folder, name)); err != nil {
				return err
			}
			wanted = append(wanted, blobs.Entry{
				Path: name, Digest: f.Digest, Size: f.Size, Mode: f.Mode, Link: string(f.Link),
			})
		}
	}
	if len(wanted) == 0 && lost == nil {
		return api.Errorf(jobs.ErrUnknown, "%s has no output that matches %q; canvass ls %s lists them", r.ID,
			pattern, r.ID)
	}
	return errors.Join(blobs.Lay(folder, wanted, reader(ctx, g), func(f blobs.Entry) error {
		content := api.Content{Version: api.Version, Digest: f.Digest, Size: f.Size}
		return e.Stdout.Print(content, func() error { return e.Stdout.Printf("%s\n", path.Join(folder, f.Path)) })
	}), lost)
}
