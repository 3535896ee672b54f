package grid

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/scheduler/experiment"
)

func (env Env) mergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge --out FOLDER FOLDER...",
		Short: "Join the rows of shards",
		Long: "Writes the rows of all folders or files into one folder, each run once. Two rows of one run that differ in\n" +
			"anything but time and memory are an error: the shards were not run by the same program.",
		Example: "  canvass grid merge --out out/all out/1 out/2 out/3 out/4",
		RunE: func(_ *cobra.Command, folders []string) error {
			if len(folders) == 0 || out == "" {
				return usagef("merge takes the folders of the shards, and --out for the whole")
			}
			files := env.guard()
			if err := files.Writes("--out", filepath.Join(out, experiment.RowsFile)); err != nil {
				return err
			}
			for _, folder := range folders {
				if err := files.Reads("", experiment.RowsIn(folder)); err != nil {
					return err
				}
			}
			rows, err := experiment.OpenRows(out)
			if err != nil {
				return err
			}
			added, err := experiment.Merge(rows, folders)
			if closing := rows.Close(); err == nil {
				err = closing
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "%s: %d rows, %d of them new\n", out, len(rows.All()), added)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `FOLDER` to write to")
	return cmd
}
