package lab

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
)

// Main is a program with the laboratory alone, for policies in Go: the caller registers them first
// (package scheduler/central). The arguments are those of canvass, without its name: they begin
// with "lab". Main returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	env := Env{
		Named: true, Stdin: stdin, Stdout: cli.NewOutput(stdout), Stderr: cli.NewMessages(stderr), Build: cli.ThisBuild(),
	}
	cobra.EnableCommandSorting = false // as in canvass
	root := &cobra.Command{
		Use: "canvass", Short: "Study schedulers, with policies of your own",
		Example:       "canvass lab list   # with the policies of this program",
		SilenceErrors: true, SilenceUsage: true,
	}
	cli.Parent(root, Command(env))
	root.AddCommand(&cobra.Command{Use: "selections", Short: "The steps of canvass lab --select", Long: Selections()})
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetFlagErrorFunc(cli.FlagMistake)
	root.SetUsageFunc(cli.Usage)
	root.SetHelpFunc(cli.Help)
	root.SetArgs(args)
	return cli.Exit(root.Execute(), env.Stdout, env.Stderr)
}
