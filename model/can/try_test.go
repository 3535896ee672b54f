package can

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

func TestTry(t *testing.T) {
	only := os.Getenv("ONLY")
	for _, m := range Models() {
		if only != "" && !strings.Contains(m.Info().Name, only) {
			continue
		}
		try(t, m)
	}
}

func try(t *testing.T, m model.Checkable) {
	r, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: os.Getenv("ALL") != "", MaxStates: 6000000})
	if err != nil {
		if pe, ok := err.(*checker.PanicError); ok {
			fmt.Println(string(pe.Stack))
		}
		t.Fatal(err)
	}
	fmt.Printf("%-28s %-30s %9d states %10d tr depth %3d %6.1fs %8.0f/s model %dMB %v %v\n", m.Info().Name, m.Info().Budget, r.States, r.Transitions, r.Depth, r.Elapsed.Seconds(), float64(r.States)/r.Elapsed.Seconds(), r.ModelBytes>>20, r.Verdict(), r.Stopped)
	declared := map[string]bool{}
	for _, e := range m.Info().Expected {
		declared[e.Property] = e.Violated
	}
	for _, o := range r.Outcomes {
		if declared[o.Property.Name] != (o.Verdict == checker.Violated) {
			fmt.Println("   UNDECLARED", o.Property.Name, o.Verdict)
		}
		if o.Verdict == checker.Violated {
			fmt.Println("   VIOLATED", o.Property.Name)
			if o.Path != nil && os.Getenv("TRACE") != "" {
				mc := m.Machine()
				for i, s := range o.Path.Steps {
					if i > 0 {
						a := mc.Enabled()[s.Action]
						fmt.Printf("%3d %s %s<-%s %s\n", i, a.Kind, a.Node, a.Peer, a.Text)
						for _, e := range mc.Take(s.Action) {
							fmt.Println("          ", e)
						}
					}
				}
				for _, v := range mc.State() {
					fmt.Println("   ", v.Name, v.Value)
				}
			}
		}
	}
}

func TestPrinted(t *testing.T) {
	for _, m := range Printed() {
		try(t, m)
	}
}
