package verdict

import (
	"testing"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

// TestShapes holds that the names of shapes and verdicts in traces are the checker's.
func TestShapes(t *testing.T) {
	for shape, name := range map[checker.Shape]string{
		checker.Always: traces.Always, checker.Sometimes: traces.Sometimes, checker.Quiescent: traces.Quiescent,
		checker.LeadsTo: traces.LeadsTo, checker.Reaches: traces.Reaches, checker.AlmostSurely: traces.AlmostSurely,
		checker.DeadlockFree: traces.DeadlockFree,
	} {
		if shape.String() != name {
			t.Errorf("the checker says %q, traces %q", shape, name)
		}
		if ShapeNamed(name) != shape {
			t.Errorf("%s is taken for %s", name, ShapeNamed(name))
		}
	}
	if checker.Violated.String() != traces.Violated || checker.Holds.String() != traces.Holds {
		t.Error("the verdicts have other names")
	}
}
