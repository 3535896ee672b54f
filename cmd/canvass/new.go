package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/template"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (t *tool) newCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "new MODULE",
		Short: "Write a module to start from: a protocol with a planted bug",
		Long: "Writes a Go module into a new folder, named after the last element of MODULE. The module has a\n" +
			"core with a planted bug, a model, a test that finds the bug, and a CI file. Its README says\n" +
			"which line to fix.",
		Example: "  canvass new example.com/mutex\n  cd mutex && cat README.md",
		Args:    cli.Exactly(1, "one module path"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := template.PackageName(args[0])
			if err == nil {
				err = template.Write(dir, args[0])
			}
			if errors.Is(err, template.ErrModule) {
				return cli.Usagef("%v", err)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(t.Stdout, "wrote %[1]s; its README.md says what to run first\n", dir)
			return err
		},
	}
}
