package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Exactly demands a number of arguments, of which the text is a description.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return Usagef("%s takes %s; see %q", cmd.Name(), what, cmd.CommandPath()+" --help")
		}
		return nil
	}
}

// NoArguments demands that there is no argument.
func NoArguments(cmd *cobra.Command, args []string) error {
	return Exactly(0, "no arguments")(cmd, args)
}

// Parent gives a command its subcommands; without one of them it prints its help. Cobra would also
// print help for an unknown name, and end with 0.
func Parent(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(children...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
		return Usagef("unknown command %q; %s", path+" "+args[0],
			usage.Question(usage.Nearest(args[0], names), names))
	}
	return cmd
}

// FlagMistake is the usage error for a mistake that cobra has found in the flags of a command. The
// errors of unreadable files and of settings are returned unchanged: they are complete, and an
// unreadable file is no usage error.
func FlagMistake(cmd *cobra.Command, err error) error {
	invalid, file := (*pflag.InvalidValueError)(nil), (*fs.PathError)(nil)
	mistake := (*usage.Error)(nil)
	if errors.As(err, &invalid) && (errors.As(err, &file) || errors.As(err, &mistake)) {
		return invalid.Unwrap()
	}
	return Usagef("%s; see %q", flagMistake(cmd, err), cmd.CommandPath()+" --help")
}

// instead says, for each command, what to do instead of giving it a flag that it does not have.
var instead = map[string]map[string]string{
	"simulate": {"budget": "--budget is called --timeout now"},
	"dev":      {"data": "unknown flag: --data; the folder of a grid is --dir"},
	"check":    {"list": `unknown flag: --list; "canvass models" lists the models`},
}

// flagMistake describes the mistake in a flag, and suggests another.
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
