package check

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
)

// add counts a result.
func add(t *verdict.Totals, r *result) {
	t.Models++
	switch code := r.code(); {
	case r.err != nil:
		t.Errors++
	case r.report == nil:
		t.Unrun++
	case code == cli.CodeOK && r.verdict() == checker.Violated.String():
		t.Fail++
	case code == cli.CodeOK:
		t.Hold++
	case cli.IsOpen(code):
		t.Open++
	default:
		t.Wrong++
	}
	if r.report != nil {
		t.States, t.Transitions = t.States+r.report.States, t.Transitions+r.report.Transitions
		t.Elapsed += r.report.Elapsed.Seconds()
		t.Storage, t.Collisions = r.report.Storage, t.Collisions+r.report.CollisionBound
	}
}

// summary is the last line of a check.
func summary(all []*result) string {
	var t verdict.Totals
	for _, r := range all {
		add(&t, r)
	}
	text := fmt.Sprintf("%s: %s; %s, %s, %s", english.Count(len(all), "model"), t.Verdicts(),
		english.Count(int(t.States), "state"), english.Count(int(t.Transitions), "transition"),
		verdict.Seconds(t.Elapsed))
	if t.Storage == checker.Fingerprint64 || t.Storage == checker.Fingerprint128 {
		text += fmt.Sprintf("; %s: the odds that a state was missed are at most %.2g", t.Storage, min(t.Collisions, 1))
	}
	return text
}
