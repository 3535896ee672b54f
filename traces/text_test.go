package traces_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/traces"
)

// TestLegend holds that a text explains the marks that it uses, and only those.
func TestLegend(t *testing.T) {
	show := func(run *traces.Trace) string {
		var b bytes.Buffer
		if err := traces.WriteText(&b, run); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	run := disordered()
	if text := show(run); strings.Contains(text, "unchanged") {
		t.Errorf("there is nothing to explain in\n%s", text)
	}
	const long = "one two three four five six seven eight nine ten "
	for i := range run.Steps {
		run.Steps[i].State[0].Value = long + fmt.Sprint(i)
	}
	const legend = "\n# after \"=>\": changes, messages and events of the step; \"…\": unchanged\n00 init"
	if text := show(run); !strings.Contains(text, legend) {
		t.Errorf("the marks are not explained in\n%s", text)
	}
}
