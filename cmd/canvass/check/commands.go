package check

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
)

// tool is the program as the commands of this package see it.
type tool struct{ verdict.Env }

// Commands returns the commands check and models.
func Commands(program verdict.Env) []*cobra.Command {
	t := &tool{program}
	return []*cobra.Command{t.checkCommand(), t.modelsCommand()}
}
