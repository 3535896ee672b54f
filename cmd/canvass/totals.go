package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
)

// totals counts results by what came of them.
type totals struct {
	models                     int
	hold, fail                 int // as expected
	pending                    int // scenarios whose expected violation has not occurred, on few seeds
	wrong, errors, open, unrun int
	states, transitions        uint64
	elapsed                    float64 // seconds
	collisions                 float64 // the odds that any state was missed, at most
	storage                    checker.Storage
}

func (t *totals) add(r *result) {
	t.models++
	switch code := r.code(); {
	case r.err != nil:
		t.errors++
	case r.report == nil:
		t.unrun++
	case code == cli.CodeOK && r.verdict() == checker.Violated.String():
		t.fail++
	case code == cli.CodeOK:
		t.hold++
	case cli.IsOpen(code):
		t.open++
	default:
		t.wrong++
	}
	if r.report != nil {
		t.states, t.transitions = t.states+r.report.States, t.transitions+r.report.Transitions
		t.elapsed += r.report.Elapsed.Seconds()
		t.storage, t.collisions = r.report.Storage, t.collisions+r.report.CollisionBound
	}
}

// verdicts says how many results there are of each kind: "93 hold, 5 fail as expected".
func (t *totals) verdicts() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{t.hold, "holds", "hold"}, {t.fail, "fails as expected", "fail as expected"},
		{t.pending, "not violated yet", "not violated yet"},
		{t.wrong, "NOT AS EXPECTED", "NOT AS EXPECTED"}, {t.open, "inconclusive", "inconclusive"},
		{t.errors, "ERROR", "ERRORS"}, {t.unrun, "not run", "not run"},
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

// summary is the last line of a check.
func summary(all []*result) string {
	var t totals
	for _, r := range all {
		t.add(r)
	}
	text := fmt.Sprintf("%s: %s; %s, %s, %s", english.Count(len(all), "model"), t.verdicts(),
		english.Count(int(t.states), "state"), english.Count(int(t.transitions), "transition"), seconds(t.elapsed))
	if t.storage == checker.Fingerprint64 || t.storage == checker.Fingerprint128 {
		text += fmt.Sprintf("; %s: the odds that a state was missed are at most %.2g", t.storage, min(t.collisions, 1))
	}
	return text
}

// seconds writes a time for people, to three digits or to the second.
func seconds(s float64) string {
	switch {
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	case s < 100:
		return fmt.Sprintf("%.1f s", s)
	}
	return english.Grouped(uint64(s+0.5)) + " s"
}

// rows lines up the lines of families: name, count and verdicts on the left, figures on the right.
type rows struct{ name, count, verdicts int }

// fit makes room for a line.
func (r *rows) fit(name, count, verdicts string) {
	r.name = max(r.name, utf8.RuneCountInString(name))
	r.count = max(r.count, utf8.RuneCountInString(count))
	r.verdicts = max(r.verdicts, utf8.RuneCountInString(verdicts))
}

func (r *rows) write(b *strings.Builder, name, count, verdicts string, figures ...string) {
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
