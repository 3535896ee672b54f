package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/grid"
	"github.com/canvass-grid/canvass/internal/cli"
)

// gridCommand leaves out the commands below it if no argument names it: they take a twelfth of
// the time that any other command takes to start. It has no other name.
func (t *tool) gridCommand() *cobra.Command {
	return grid.Command(grid.Env{
		Named: slices.Contains(t.args, "grid"),
		Stdin: t.stdin, Stdout: t.stdout, Stderr: t.stderr, Commit: thisBuild().Commit, Group: group,
		Line: func(quiet bool) cli.Line { return gridLine{newProgress(t.stderr, quiet)} },
	})
}

// gridLine is a line of progress for the commands of the laboratory and of the grid of daemons.
type gridLine struct{ *progress }

// Show shows a line, unless the user wants none.
func (l gridLine) Show(text string) {
	if !l.quiet {
		l.line(text)
	}
}

// Clear removes the line.
func (l gridLine) Clear() { l.clear() }

// Every is how often a line is shown.
func (l gridLine) Every() time.Duration { return l.every() }
