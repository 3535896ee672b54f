package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/cmd/canvass/daemon"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/nearest"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// tool is what all commands share.
type tool struct {
	models    func() []model.Checkable
	scenarios func() []*sim.Scenario
	args      []string
	stdin     io.Reader
	stdout    *cli.Output
	stderr    *cli.Messages
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
		models: models, scenarios: scenarios, args: args,
		stdin: stdin, stdout: cli.NewOutput(stdout), stderr: cli.NewMessages(stderr),
	}
	defer func() {
		if r := recover(); r != nil {
			if os.Getenv("CANVASS_PANIC") != "" {
				panic(r)
			}
			t.stderr.Printf("canvass: internal error: %s; set CANVASS_PANIC=1 to see where\n", oneLine(fmt.Sprint(r)))
			code = cli.CodeError
		}
	}()
	root := t.root()
	root.SetArgs(t.args)
	return cli.Exit(root.Execute(), t.stdout, t.stderr)
}

func (t *tool) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "canvass",
		Short: "Check distributed protocols by running their own Go code",
		Long: "Canvass checks distributed protocols by running their own Go code through every interleaving of\n" +
			"messages, timeouts and crashes, within stated bounds. It shows each bug as a run that can be replayed.\n" +
			"The same code runs jobs: on a grid of daemons, and in experiments with schedulers.",
		Example: "  canvass check published/can/row4/leave-leave             # find a bug in a published algorithm\n" +
			"  canvass replay traces/corpus/published-can-row4-leave-leave.Routable.itf.json\n" +
			"  canvass check                                            # check everything\n" +
			"  canvass simulate --seeds 1000                            # random runs with faults\n" +
			"  canvass models 'can/*'                                   # list what can be checked\n" +
			"  canvass dev --nodes 4                                    # a grid of daemons on this machine",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetIn(t.stdin)
	root.SetOut(t.stdout)
	root.SetErr(t.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s; see %q", flagMistake(cmd, err), cmd.CommandPath()+" --help")
	})
	root.SetUsageFunc(usage)
	root.SetHelpFunc(help)
	root.Version = thisBuild().String()
	root.SetVersionTemplate("{{.Version}}\n")
	add(root, "check", "Check protocols",
		t.modelsCommand(), t.checkCommand(), t.simulateCommand(), t.replayCommand(), t.mergeCommand(), t.newCommand())
	add(root, "jobs", "Run jobs on a grid of daemons",
		daemon.Commands(daemon.Env{
			Stdout: t.stdout, Stderr: t.stderr, Build: thisBuild().Commit,
			Line: func(quiet bool) cli.Line { return gridLine{newProgress(t.stderr, quiet)} },
		})...)
	add(root, "study", "Study schedulers", t.gridCommand())
	root.AddCommand(t.versionCommand())
	root.AddCommand(topics()...)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Long = "Writes a script that completes commands, flags and names for a shell. The help of each\n" +
			"command says how the shell loads it."
		completion.Example = "  source <(canvass completion bash)"
		completion.Args, completion.RunE = cobra.ArbitraryArgs, oneOfItsCommands
		for _, shell := range completion.Commands() {
			shell.Args = exactly(0, "no arguments")
		}
	}
	return root
}

// add adds the commands of a group of help.
func add(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}

// instead says, for each command, what to do instead of giving it a flag that it does not have.
var instead = map[string]map[string]string{
	"simulate": {"budget": "--budget is called --timeout now"},
	"dev":      {"data": "unknown flag: --data; the folder of a grid is --dir"},
	"check":    {"list": `unknown flag: --list; "canvass models" lists what can be checked`},
}

// flagMistake names what is wrong with a flag, and what it could be.
func flagMistake(cmd *cobra.Command, err error) string {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		if remedy := instead[cmd.Name()][unknown.GetSpecifiedName()]; remedy != "" {
			return remedy
		}
	}
	invalid := (*pflag.InvalidValueError)(nil)
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	f := invalid.GetFlag()
	kind, ok := kinds[f.Value.Type()]
	switch {
	case !ok:
		return err.Error()
	case tooLarge.MatchString(invalid.GetValue()) && kind.largest != "":
		return fmt.Sprintf("--%s %s is too large; the largest is %s", f.Name, invalid.GetValue(), kind.largest)
	}
	return fmt.Sprintf("--%s %q is not %s", f.Name, invalid.GetValue(), kind.name)
}

// kinds are the kinds of values of flags, by their types.
var kinds = map[string]struct{ name, largest string }{
	"int":           {"a whole number", "9,223,372,036,854,775,807"},
	"int64":         {"a whole number", "9,223,372,036,854,775,807"},
	"uint64":        {"a whole number from 0", "18,446,744,073,709,551,615"},
	"intSlice":      {"a list of whole numbers; write 1,75", ""},
	"duration":      {"a time; write 90s, 10m or 1h30m", "2562047h"},
	"durationSlice": {"a list of times; write 10s,5m", ""},
	"bool":          {"true or false", ""},
}

// tooLarge is a number, or a time, that is well written and was not taken.
var tooLarge = regexp.MustCompile(`^\+?[0-9]{7,}[a-zµ]*$`)

// synonyms are commands by the names that other tools have for the like.
var synonyms = map[string]string{
	"jobs": "status", "list": "status", "ps": "status", "queue": "status", "show": "status",
	"hosts": "nodes", "members": "nodes", "explain": "why", "kill": "cancel", "stop": "cancel",
	"simulation": "simulate", "sim": "simulate", "verify": "check",
}

func unknownCommand(root *cobra.Command, name string) error {
	if here := synonyms[name]; here != "" {
		return usagef("unknown command %q; %s", name, nearest.Question([]string{here}, nil))
	}
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return usagef("unknown command %q; %s", name, nearest.Meant(name, names, "see \"canvass --help\""))
}

// oneOfItsCommands runs a group of commands as such.
func oneOfItsCommands(group *cobra.Command, args []string) error {
	if len(args) == 0 {
		return group.Help()
	}
	var names []string
	for _, c := range group.Commands() {
		names = append(names, c.Name())
	}
	return usagef("unknown command %q; %s", group.Name()+" "+args[0],
		nearest.Question(nearest.Names(args[0], names), names))
}

// helpCommand is like cobra's, but refuses an unknown command or topic.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND or TOPIC]",
		Short: "Explain a command or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return usagef("%v", err)
			}
			if len(rest) > 0 {
				return unknownCommand(root, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// exactly demands a number of arguments; what names them.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s takes %s; see %q", cmd.Name(), what, cmd.CommandPath()+" --help")
		}
		return nil
	}
}
