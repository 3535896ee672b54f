package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/canvass-grid/canvass/internal/english"
)

// table writes a line for each model as it is done, and lines under it for what was found. The
// widths are known beforehand from the names and bounds, so that the lines need not wait for each
// other.
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
		{"VERDICT", len("violated as declared"), false}, {"MODEL", 0, false}, {"BOUNDS", 0, false}, {"FAULTS", 0, false},
		{"STATES", 11, true}, {"TRANSITIONS", 13, true}, {"DEPTH", 5, true}, {"SECONDS", 8, true}, {"STATES/S", 10, true},
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
			fmt.Sprintf("%.2f", p.Elapsed.Seconds()), english.Grouped(uint64(rate(p.States, p.Elapsed))))
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

// summary sums a run up in one line.
func summary(all []*result) string {
	var declared, violated, not, open, unrun int
	var states, transitions uint64
	var seconds float64
	for _, r := range all {
		switch code := r.code(); {
		case code == exitOK:
			declared++
			if r.verdict() == "violated" {
				violated++
			}
		case r.report == nil && r.err == nil:
			unrun++
		case code == exitInconclusive:
			open++
		default:
			not++
		}
		if r.report != nil {
			states, transitions = states+r.report.States, transitions+r.report.Transitions
			seconds += r.report.Elapsed.Seconds()
		}
	}
	text := fmt.Sprintf("%s: %d as declared", english.Count(len(all), "model"), declared)
	if violated > 0 {
		text += fmt.Sprintf(" (%d hold, %d violated, as they should be)", declared-violated, violated)
	}
	for _, part := range []struct {
		n    int
		what string
	}{{not, "not"}, {open, "inconclusive"}, {unrun, "not run"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return fmt.Sprintf(
		"%s; %s states, %s transitions, %.2f s",
		text,
		english.Grouped(states),
		english.Grouped(transitions),
		seconds,
	)
}
