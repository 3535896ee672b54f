package cli

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups in which help lists the flags of a command, in this order. Flags without a group come
// last.
const (
	GroupSelect = "Select"
	GroupFaults = "Faults"
	GroupSearch = "Search"
	GroupLimits = "Limits"
	GroupOutput = "Output"
)

const groupKey = "group"

// Group puts flags into a group of help.
func Group(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, groupKey, []string{title}); err != nil {
			panic(err)
		}
	}
}

// helpColumns is how wide help is, and how wide a list is where no terminal says otherwise.
const helpColumns = 80

// ColumnsOf is the width of the terminal that an output is, or that of help.
func ColumnsOf(out *Output) int {
	if columns := out.Columns(); columns > 0 {
		return columns
	}
	return helpColumns
}

// Help writes what a command does, and how it is used.
func Help(cmd *cobra.Command, _ []string) {
	text := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short))
	fmt.Fprint(cmd.OutOrStdout(), Reflow(text, helpColumns))
	if cmd.Runnable() || cmd.HasSubCommands() {
		fmt.Fprintln(cmd.OutOrStdout())
		_ = cmd.Usage() // the output keeps the error
	}
}

// Usage writes how a command is used: the line, examples, commands, topics, and flags by group.
func Usage(cmd *cobra.Command) error {
	var b strings.Builder
	if cmd.HasParent() {
		b.WriteString("Usage:\n" + useLines(cmd))
		if cmd.HasExample() {
			b.WriteString("\nExamples:\n" + Examples(cmd.Example, helpColumns))
		}
	} else { // it fits on a screen
		fmt.Fprintf(&b, "Usage:   %s COMMAND [ARGUMENT]...\nExample: %s\n", cmd.Name(), cmd.Example)
	}
	if groups := cmd.Groups(); len(groups) > 0 {
		for _, g := range groups {
			commands(&b, g.Title, cmd,
				func(c *cobra.Command) bool { return c.GroupID == g.ID && c.IsAvailableCommand() })
		}
		others(&b, cmd)
	} else {
		commands(&b, "Commands", cmd, (*cobra.Command).IsAvailableCommand)
	}
	if cmd.HasAvailableFlags() && cmd.HasParent() {
		flagGroups(&b, cmd.Flags(), helpColumns)
	}
	switch {
	case !cmd.HasParent():
		fmt.Fprintf(&b, "Details: \"%[1]s COMMAND --help\" and \"%[1]s help TOPIC\".\n", cmd.Name())
	case cmd.HasAvailableSubCommands():
		fmt.Fprintf(&b, "\nDetails: \"%s COMMAND --help\".\n", cmd.CommandPath())
	case cmd.Runnable():
		fmt.Fprintf(&b, "\nExit codes: \"%s help exit-codes\".\n", cmd.Root().Name())
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}

// useLines are the forms in which a command is written.
func useLines(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return "  " + cmd.CommandPath() + " COMMAND [ARGUMENT]...\n"
	}
	return "  " + cmd.UseLine() + "\n"
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
		b.WriteString(Reflow(fmt.Sprintf("  %-*s  %s", max(c.NamePadding(), 10), c.Name(), c.Short), helpColumns))
	}
}

// flagGroups lists the flags, each under the title of its group.
func flagGroups(b *strings.Builder, flags *pflag.FlagSet, columns int) {
	for _, title := range []string{GroupSelect, GroupFaults, GroupSearch, GroupLimits, GroupOutput, ""} {
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
			if b.Len() > 0 && strings.Contains(b.String(), "\n"+GroupOutput+":\n") {
				title = "Other"
			}
		}
		b.WriteString("\n" + title + ":\n" + shifted(set.FlagUsagesWrapped(columns), columns))
	}
}

// shifted moves lines to the left that begin so far to the right that a word does not fit.
func shifted(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		more := utf8.RuneCountInString(line) - columns
		if indent := len(line) - len(strings.TrimLeft(line, " ")); more > 0 && more < indent {
			lines[i] = line[more:]
		}
	}
	return strings.Join(lines, "\n")
}

// others names the commands without a group, and the topics.
func others(b *strings.Builder, cmd *cobra.Command) {
	var names, topics []string
	for _, c := range cmd.Commands() {
		switch {
		case c.IsAdditionalHelpTopicCommand():
			topics = append(topics, c.Name())
		case c.GroupID == "":
			names = append(names, c.Name())
		}
	}
	fmt.Fprintf(b, "\nOther commands: %s.\nTopics: %s.\n", strings.Join(names, ", "), strings.Join(topics, ", "))
}
