package check

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
)

// table is the output of --verbose: a line for each model as soon as it is done, and under it a
// line for each finding. Names and bounds give the widths of the columns beforehand, so that no
// line waits for a later one.
type table struct {
	w       io.Writer
	columns []column
	begun   bool
}

type column struct {
	title string
	width int
	right bool
}

func newTable(w io.Writer, systems []chosen) *table {
	t := &table{w: w, columns: []column{
		{"VERDICT", len("fails as expected"), false}, {"MODEL", 0, false}, {"BOUNDS", 0, false}, {"FAULTS", 0, false},
		{"STATES", 11, true}, {"TRANSITIONS", 13, true}, {"DEPTH", 5, true}, {"SECONDS", 8, true}, {"STATES/S", 10,
			true},
	}}
	for _, s := range systems {
		info := s.Info()
		for i, cell := range []string{info.Name, info.Bounds, info.Budget.String()} {
			t.columns[1+i].width = max(t.columns[1+i].width, utf8.RuneCountInString(cell))
		}
	}
	for i := range t.columns {
		t.columns[i].width = max(t.columns[i].width, len(t.columns[i].title))
	}
	return t
}

func (t *table) result(r *result) error {
	var b strings.Builder
	if !t.begun {
		t.begun = true
		var titles []string
		for _, c := range t.columns {
			titles = append(titles, c.title)
		}
		t.line(&b, titles)
	}
	cells := []string{r.label(), r.info.Name, r.info.Bounds, r.info.Budget.String()}
	if r.report != nil {
		p := r.report
		cells = append(cells, english.Grouped(p.States), english.Grouped(p.Transitions), strconv.Itoa(p.Depth),
			fmt.Sprintf("%.2f", p.Elapsed.Seconds()), english.Grouped(uint64(cli.Rate(p.States, p.Elapsed))))
	}
	t.line(&b, cells)
	for _, note := range r.notes() {
		b.WriteString("    " + note + "\n")
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

func (t *table) line(b *strings.Builder, cells []string) {
	var line strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", max(t.columns[i].width-utf8.RuneCountInString(cell), 0))
		if t.columns[i].right {
			cell, pad = pad+cell, ""
		}
		line.WriteString(cell + pad + "  ")
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func (t *table) end(all []*result) error {
	_, err := fmt.Fprintln(t.w, summary(all))
	return err
}
