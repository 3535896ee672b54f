package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/check"
	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/cmd/canvass/jobs"
	"github.com/canvass-grid/canvass/cmd/canvass/lab"
	"github.com/canvass-grid/canvass/cmd/canvass/node"
	"github.com/canvass-grid/canvass/cmd/canvass/replay"
	"github.com/canvass-grid/canvass/cmd/canvass/simulate"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// tool is the shared state of all commands.
type tool struct {
	verdict.Env
	args  []string
	build cli.Build
}

// run is the whole program but for the process: it returns the exit code.
func run(
	models func() []model.Checkable,
	scenarios func() []*sim.Scenario,
	args []string,
	stdin io.Reader,
	stdout, stderr io.Writer,
) (code int) {
	t := &tool{
		Env: verdict.Env{
			Models: models, Scenarios: scenarios,
			Stdin: stdin, Stdout: cli.NewOutput(stdout), Stderr: cli.NewMessages(stderr),
		},
		args: args, build: cli.ThisBuild(),
	}
	defer func() {
		if r := recover(); r != nil {
			if os.Getenv("CANVASS_PANIC") != "" {
				panic(r)
			}
			t.Stderr.Printf("canvass: internal error: %s; set CANVASS_PANIC=1 to see where\n",
				cli.OneLine(fmt.Sprint(r)))
			code = cli.CodeError
		}
	}()
	args, note := current(t.args)
	if t.args = args; note != "" {
		t.Stderr.Printf("canvass: %s\n", note)
	}
	root := t.root()
	root.SetArgs(t.args)
	return cli.Exit(root.Execute(), t.Stdout, t.Stderr)
}

func (t *tool) root() *cobra.Command {
	cobra.EnableCommandSorting = false // the order of help is that in which commands are used
	version := false
	root := &cobra.Command{
		Use:   "canvass",
		Short: "Check distributed protocols by running their own Go code",
		Long: "Canvass checks distributed protocols by running their own Go code through every interleaving of\n" +
			"messages, timeouts and crashes, within stated bounds. The same code runs jobs on a grid of\n" +
			"daemons, and experiments with schedulers.",
		Example:       "canvass check published/can/row4/leave-leave   # find a published bug",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case version:
				return t.Stdout.Printf("%s\n", t.build)
			case len(args) == 0:
				return cmd.Help()
			}
			return t.unknownCommand(cmd, args[0])
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetIn(t.Stdin)
	root.SetOut(t.Stdout)
	root.SetErr(t.Stderr)
	root.SetFlagErrorFunc(cli.FlagMistake)
	root.SetUsageFunc(cli.Usage)
	root.SetHelpFunc(cli.Help)
	// cobra's own flag would fill a template: a program that contains text/template keeps every
	// exported method of its types, and is a tenth larger.
	root.Flags().BoolVarP(&version, "version", "v", false, "version for canvass")
	add(root, "check", "Check protocols",
		append(check.Commands(t.Env), simulate.Command(t.Env), replay.Command(t.Env), t.mergeCommand(),
			t.newCommand())...)
	named := slices.Contains(t.args, "lab")
	program := client.Env{Stdout: t.Stdout, Stderr: t.Stderr, Build: t.build.Commit}
	add(root, "jobs", "Run jobs on a grid of daemons", jobs.Commands(program)...)
	add(root, "grids", "Run a grid, or study schedulers", append(node.Commands(program), t.labCommand(named))...)
	root.AddCommand(t.versionCommand())
	root.AddCommand(topics()...)
	root.SetHelpCommand(t.helpCommand(root))
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Long = "Writes a script that completes commands, flags and names for a shell. The help of each\n" +
			"command says how the shell loads it."
		completion.Example = "  source <(canvass completion bash)"
		cli.Parent(completion)
		for _, shell := range completion.Commands() {
			shell.Args = cli.NoArguments
		}
	}
	return root
}

// labCommand leaves out the commands below it unless it is named: they take a twelfth of the time
// that any other command takes to start.
func (t *tool) labCommand(isNamed bool) *cobra.Command {
	return lab.Command(lab.Env{
		Named: isNamed,
		Stdin: t.Stdin, Stdout: t.Stdout, Stderr: t.Stderr, Build: t.build,
	})
}

// add adds the commands of a group of help.
func add(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}

// synonyms are commands by the names that other tools have for the like.
var synonyms = map[string]string{
	"jobs": "status", "list": "status", "ps": "status", "queue": "status", "show": "status",
	"hosts": "node status", "members": "node status", "experiment": "lab", "explain": "why", "kill": "cancel",
	"stop":       "cancel",
	"simulation": "simulate", "sim": "simulate", "verify": "check",
}

func (t *tool) unknownCommand(root *cobra.Command, name string) error {
	if here := synonyms[name]; here != "" {
		return cli.Usagef("unknown command %q; %s", name, usage.Question([]string{here}, nil))
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	// A user may leave out the group of a command. A name at the top comes before one in a group.
	within := map[string]string{}
	for _, c := range slices.Concat(root.Commands(), []*cobra.Command{t.labCommand(true)}) {
		for _, below := range c.Commands() {
			if !slices.Contains(names, below.Name()) {
				within[below.Name()] = c.Name() + " " + below.Name()
			}
		}
	}
	if near := usage.Nearest(name, slices.Concat(names, slices.Sorted(maps.Keys(within)))); len(near) > 0 {
		return cli.Usagef("unknown command %q; %s", name,
			usage.Question([]string{cmp.Or(within[near[0]], near[0])}, nil))
	}
	return cli.Usagef("unknown command %q; %s", name, "see \"canvass --help\"")
}

// helpCommand is like cobra's, but refuses an unknown command or topic.
func (t *tool) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND or TOPIC]",
		Short: "Explain a command or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return cli.Usagef("%v", err)
			}
			if len(rest) > 0 {
				return t.unknownCommand(root, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
