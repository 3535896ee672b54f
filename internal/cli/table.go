package cli

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Table is rows of cells. The first row is the head, if there is one. A row may end early.
type Table struct {
	Rows [][]string
	// Wrap breaks the text of the last column into lines where the terminal is too narrow. Otherwise
	// the widest cells are cut.
	Wrap bool
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.Rows = append(t.Rows, cells) }

// gap separates columns.
const gap = 2

// cut ends a cell that is not whole.
const cut = "…"

// fewestWrapped is how narrow a column that is broken into lines may become.
const fewestWrapped = 20

// Table writes rows in columns of equal width. On a terminal no line is wider than it; elsewhere
// all cells are whole.
func (o *Output) Table(t *Table) error {
	_, err := io.WriteString(o.Raw(), t.text(o.columns))
	return err
}

// Table writes rows in columns of equal width.
func (m *Messages) Table(t *Table) { _, _ = io.WriteString(m.to, t.text(m.columns)) }

// text is the table for a terminal of some width; 0 is no limit.
func (t *Table) text(columns int) string {
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		for _, cell := range row {
			rows[i] = append(rows[i], Escape(cell))
		}
	}
	widths := widthsOf(rows)
	if columns > 0 {
		shrink(widths, columns, t.Wrap)
	}
	var b strings.Builder
	for _, row := range rows {
		writeRow(&b, row, widths, t.Wrap)
	}
	return b.String()
}

// widthsOf are the widths of the columns.
func widthsOf(rows [][]string) (widths []int) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// shrink makes columns narrower until they fit: the last one if its text can be broken, and then
// always the widest one.
func shrink(widths []int, columns int, wrap bool) {
	excess := gap*(len(widths)-1) - columns
	for _, w := range widths {
		excess += w
	}
	if last := len(widths) - 1; wrap && last >= 0 && excess > 0 {
		less := min(excess, max(0, widths[last]-fewestWrapped))
		widths[last] -= less
		excess -= less
	}
	for ; excess > 0; excess-- {
		widest := 0
		for i, w := range widths {
			if w >= widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= 1 {
			return
		}
		widths[widest]--
	}
}

// writeRow writes a row, and if wrap is set the lines of its last column below each other.
func writeRow(b *strings.Builder, row []string, widths []int, wrap bool) {
	var line strings.Builder
	var rest []string
	indent := 0
	for i, cell := range row {
		if last := i == len(widths)-1; last && wrap {
			lines := Wrapped(cell, widths[i])
			cell, rest = lines[0], lines[1:]
		}
		cell = fitted(cell, widths[i])
		line.WriteString(cell)
		if i < len(row)-1 {
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+gap))
			indent += widths[i] + gap
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	for _, more := range rest {
		b.WriteString(strings.Repeat(" ", indent) + more + "\n")
	}
}

// fitted cuts a cell to a width.
func fitted(cell string, width int) string {
	runes := []rune(cell)
	if len(runes) <= width {
		return cell
	}
	return string(runes[:max(0, width-1)]) + cut
}

// Wrapped breaks a text into lines of limited length, where there are spaces. A word that is longer
// is broken, too. The limit 0 leaves one line.
func Wrapped(text string, columns int) []string {
	if columns <= 0 || utf8.RuneCountInString(text) <= columns {
		return []string{text}
	}
	var lines []string
	line := []rune{}
	for _, word := range strings.Fields(text) {
		letters := []rune(word)
		if len(line) > 0 && len(line)+1+len(letters) > columns {
			lines, line = append(lines, string(line)), nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for line = append(line, letters...); len(line) > columns; line = line[columns:] {
			lines = append(lines, string(line[:columns]))
		}
	}
	return append(lines, string(line))
}
