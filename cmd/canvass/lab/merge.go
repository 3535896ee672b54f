package lab

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

func (env Env) mergeCommand() *cobra.Command {
	var out string
	var mixed bool
	cmd := &cobra.Command{
		Use:   "merge --out FOLDER FOLDER...",
		Short: "Join the rows of shards",
		Long: "Writes the rows of all folders or files into one folder, each run once. Two rows of one run that differ\n" +
			"in anything but time and memory are an error: the shards were not run by the same program. So is a shard\n" +
			"that is given twice. Runs that no shard has are named on standard error, and the exit code is 20.",
		Example: "  canvass lab merge --out out/all out/1 out/2 out/3 out/4",
		RunE: func(_ *cobra.Command, folders []string) error {
			if len(folders) == 0 || out == "" {
				return cli.Usagef("merge takes the folders of the shards, and --out for the whole")
			}
			files := cli.NewGuard(env.Stdout, env.Stderr)
			if err := files.Writes("--out", filepath.Join(out, lab.RowsFile)); err != nil {
				return err
			}
			for _, folder := range folders {
				if err := files.Reads("", lab.RowsIn(folder)); err != nil {
					return err
				}
			}
			rows, err := lab.OpenRows(out)
			if err != nil {
				return err
			}
			added, err := lab.MergeShards(rows, folders, mixed)
			if closing := rows.Close(); err == nil {
				err = closing
			}
			if err != nil {
				return err
			}
			missing := rows.Missing()
			for _, line := range missing {
				env.Stderr.Printf("canvass: %s: %s\n", out, line)
			}
			err = env.Stdout.Printf("%s: %d rows, %d of them new\n", out, len(rows.All()), added)
			if err == nil && len(missing) > 0 {
				err = cli.Code(cli.CodeInconclusive)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `FOLDER` to write to")
	cmd.Flags().BoolVar(&mixed, "allow-mixed", false, "join rows of different builds")
	return cmd
}
