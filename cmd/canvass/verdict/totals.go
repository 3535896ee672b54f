package verdict

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
)

// Totals counts results by their outcome.
type Totals struct {
	Models                     int
	Hold, Fail                 int // as expected
	Pending                    int // scenarios whose expected violation has not occurred, on few seeds
	Wrong, Errors, Open, Unrun int
	States, Transitions        uint64
	Elapsed                    float64 // seconds
	Collisions                 float64 // the odds that any state was missed, at most
	Storage                    checker.Storage
}

// Verdicts says how many results there are of each kind: "93 hold, 5 fail as expected".
func (t *Totals) Verdicts() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{t.Hold, "holds", "hold"}, {t.Fail, "fails as expected", "fail as expected"},
		{t.Pending, "not violated yet", "not violated yet"},
		{t.Wrong, "NOT AS EXPECTED", "NOT AS EXPECTED"}, {t.Open, "inconclusive", "inconclusive"},
		{t.Errors, "ERROR", "ERRORS"}, {t.Unrun, "not run", "not run"},
	} {
		switch part.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+part.one)
		default:
			parts = append(parts, english.Grouped(uint64(part.n))+" "+part.many)
		}
	}
	return strings.Join(parts, ", ")
}

// Seconds writes a time for people, to three digits or to the second.
func Seconds(s float64) string {
	switch {
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	case s < 100:
		return fmt.Sprintf("%.1f s", s)
	}
	return english.Grouped(uint64(s+0.5)) + " s"
}

// Rows lines up the lines of families: name, count and verdicts on the left, figures on the right.
type Rows struct{ name, count, verdicts int }

// Fit makes room for a line.
func (r *Rows) Fit(name, count, verdicts string) {
	r.name = max(r.name, utf8.RuneCountInString(name))
	r.count = max(r.count, utf8.RuneCountInString(count))
	r.verdicts = max(r.verdicts, utf8.RuneCountInString(verdicts))
}

// Write writes a line.
func (r *Rows) Write(b *strings.Builder, name, count, verdicts string, figures ...string) {
	fmt.Fprintf(b, "%-*s  %*s  %-*s", r.name, name, r.count, count, r.verdicts, verdicts)
	for i, figure := range figures {
		width := 18
		if i == len(figures)-1 {
			width = 8
		}
		fmt.Fprintf(b, "  %*s", width, figure)
	}
	b.WriteByte('\n')
}

// Few is how many models or scenarios are few enough to be described one by one.
const Few = 4

// FamilyOf is the first word of the name of a model or a scenario.
func FamilyOf(name string) string {
	family, _, _ := strings.Cut(name, "/")
	return family
}
