package jobs

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
)

// Env is the program as the commands of this package see it.
type Env struct{ client.Env }

// Commands returns the commands.
func Commands(program client.Env) []*cobra.Command {
	e := Env{program}
	all := []*cobra.Command{
		e.runCommand(), e.submitCommand(), e.waitCommand(), e.statusCommand(), e.whyCommand(), e.logsCommand(),
		e.lsCommand(), e.getCommand(), e.cancelCommand(), hold(e), release(e), rm(e),
		e.eventsCommand(),
	}
	e.completions(all)
	return all
}
