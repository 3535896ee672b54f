package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
)

// The groups in which help lists the flags of a command, in this order. Flags without a group come
// last.
const (
	groupSelect = "Select"
	groupFaults = "Faults"
	groupSearch = "Search"
	groupLimits = "Limits"
	groupOutput = "Output"
)

const groupKey = "group"

// group puts flags into a group.
func group(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, groupKey, []string{title}); err != nil {
			panic(err)
		}
	}
}

// widestHelp is how wide help is where no terminal says otherwise.
const widestHelp = 100

// columnsOf is the width of the terminal that an output is, or that of help.
func columnsOf(out any) int {
	if screen, is := out.(*cli.Output); is && screen.Columns() > 0 {
		return screen.Columns()
	}
	return widestHelp
}

// usage writes how a command is used: the line, examples, commands, topics, and flags by group.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() && !cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " COMMAND\n")
	}
	if cmd.HasExample() {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	for _, g := range append(cmd.Groups(), &cobra.Group{Title: otherCommands(cmd)}) {
		commands(&b, g.Title, cmd, func(c *cobra.Command) bool {
			return c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help")
		})
	}
	commands(&b, "Topics", cmd, (*cobra.Command).IsAdditionalHelpTopicCommand)
	if cmd.HasAvailableFlags() {
		flagGroups(&b, cmd.Flags(), min(columnsOf(cmd.OutOrStdout()), widestHelp))
	}
	switch {
	case cmd.HasAvailableSubCommands():
		fmt.Fprintf(&b, "\nDetails: \"%s COMMAND --help\" and \"%s help TOPIC\".\n", cmd.CommandPath(), cmd.Root().Name())
	case cmd.Runnable():
		fmt.Fprintf(&b, "\nExit codes: \"%s help exit-codes\".\n", cmd.Root().Name())
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}

func commands(b *strings.Builder, title string, cmd *cobra.Command, listed func(*cobra.Command) bool) {
	begun := false
	for _, c := range cmd.Commands() {
		if !listed(c) {
			continue
		}
		if !begun {
			b.WriteString("\n" + title + ":\n")
			begun = true
		}
		fmt.Fprintf(b, "  %-*s %s\n", max(c.NamePadding(), 11), c.Name(), c.Short)
	}
}

// flagGroups lists the flags, each under the title of its group.
func flagGroups(b *strings.Builder, flags *pflag.FlagSet, columns int) {
	for _, title := range []string{groupSelect, groupFaults, groupSearch, groupLimits, groupOutput, ""} {
		set := pflag.NewFlagSet(title, pflag.ContinueOnError)
		set.SortFlags = false
		flags.VisitAll(func(f *pflag.Flag) {
			in := ""
			if titles := f.Annotations[groupKey]; len(titles) > 0 {
				in = titles[0]
			}
			if in == title {
				set.AddFlag(f)
			}
		})
		if !set.HasAvailableFlags() {
			continue
		}
		if title == "" {
			title = "Flags"
			if b.Len() > 0 && strings.Contains(b.String(), "\n"+groupOutput+":\n") {
				title = "Other"
			}
		}
		b.WriteString("\n" + title + ":\n" + set.FlagUsagesWrapped(columns))
	}
}

// otherCommands is the title of the commands without a group.
func otherCommands(cmd *cobra.Command) string {
	if len(cmd.Groups()) > 0 {
		return "Other commands"
	}
	return "Commands"
}
