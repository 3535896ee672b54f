package client

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
)

// OneJob demands the id of one job.
func OneJob(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return cli.Usagef("%s takes the id of one job; canvass status lists them", cmd.Name())
	}
	return nil
}

// Dash is a cell of a table, which is never empty.
func Dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// ClockOf is a time to the millisecond, with its date if that is not today.
func ClockOf(at time.Time) string {
	at = at.Local()
	if now := time.Now(); at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04:05.000")
	}
	return at.Format("2006-01-02 15:04:05.000")
}

// Short is a command on one line of a table.
func Short(command []string) string {
	text := []rune(cli.Escape(strings.ReplaceAll(strings.Join(command, " "), "\n", " ")))
	if len(text) > 60 {
		return string(text[:57]) + "..."
	}
	return string(text)
}
