package daemon

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/internal/cli"
)

// outputsOf are the outputs of the last attempt of a job. With several tasks each rank has a
// folder. The error names an output that is lost and that the pattern may mean.
func (e Env) outputsOf(r *jobs.Record, pattern string) (all []jobs.File, err error) {
	last := r.Last()
	if last == nil {
		return nil, nil
	}
	e.remark(r)
	for rank := range last.Ranks {
		told := &last.Ranks[rank]
		place := func(name string) string {
			if r.Spec.Tasks == 1 {
				return name
			}
			return path.Join(fmt.Sprintf("rank-%d", rank), name)
		}
		if told.Lacks(pattern, place) {
			err = errors.Join(err, fmt.Errorf("%w: rank %d: %s", blobs.ErrLost, rank, told.Problem))
		}
		for _, f := range told.Outputs {
			f.Path = verbatim.Text(place(string(f.Path)))
			all = append(all, f)
		}
	}
	return all, err
}

// remark says what a user may miss among the outputs of a job.
func (e Env) remark(r *jobs.Record) {
	if last := r.Last(); last != nil {
		for rank := range last.Ranks {
			for _, text := range last.Ranks[rank].Remarks {
				e.Stderr.Printf("canvass: %s, outputs of rank %d: %s\n", r.ID, rank, text)
			}
		}
	}
}

func (e Env) lsCommand() *cobra.Command {
	var c client
	cmd := &cobra.Command{
		Use:   "ls ID",
		Short: "List the output files of a job",
		Long: "Lists the files that the last attempt of a job has left and that its patterns of outputs name.\n" +
			"Folders without files are no outputs. What was not kept is said.\n\n" +
			"Exit codes: 7 no such job, 8 outputs are lost.",
		Example: "  canvass ls b4k2",
		Args:    oneJob,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
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
	e.flags(&c, cmd)
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

func (e Env) getCommand() *cobra.Command {
	var c client
	var folder string
	cmd := &cobra.Command{
		Use:   "get ID [PATTERN] -o DIR",
		Short: "Fetch the output files of a job",
		Long: "Writes the outputs of the last attempt of a job into a folder, and compares their digests. Symbolic\n" +
			"links are made as they were, and never followed: nothing is written outside of the folder. With\n" +
			"several tasks the files of each rank are below rank-N, and patterns name them so. A file of that\n" +
			"name in the folder is replaced as a whole.\n\n" +
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
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				return e.get(ctx, g, args[0], pattern, folder)
			})
		},
	}
	cmd.Flags().StringVarP(&folder, "output", "o", "", "folder, which is made if need be")
	e.flags(&c, cmd)
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
