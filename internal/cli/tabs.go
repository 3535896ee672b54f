package cli

import (
	"io"
	"strings"
)

// Tabs makes a table of texts in which a tab ends a cell and an end of line a row, as package
// tabwriter does.
type Tabs struct {
	to   io.Writer
	text strings.Builder
	wrap bool
}

// NewTabs makes a table for an [Output], for [Messages] or for any other writer. On a terminal the
// widest cells are cut.
func NewTabs(to io.Writer) *Tabs { return &Tabs{to: to} }

// NewDescription makes a table whose last column is broken into lines on a terminal.
func NewDescription(to io.Writer) *Tabs { return &Tabs{to: to, wrap: true} }

// Write adds a text.
func (t *Tabs) Write(text []byte) (int, error) { return t.text.Write(text) }

// Printf adds a text. Control characters in the arguments are escaped, tabs and ends of lines among
// them.
func (t *Tabs) Printf(format string, args ...any) { t.text.WriteString(harmlessly(format, args)) }

// Flush writes the table.
func (t *Tabs) Flush() error {
	table := &Table{Wrap: t.wrap}
	for line := range strings.Lines(t.text.String()) {
		table.Row(strings.Split(strings.TrimSuffix(line, "\n"), "\t")...)
	}
	t.text.Reset()
	columns := 0
	if s, is := t.to.(interface{ Columns() int }); is {
		columns = s.Columns()
	}
	_, err := io.WriteString(t.to, table.text(columns))
	return err
}
