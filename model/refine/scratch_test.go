package refine

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/traces"
)

func TestScratch(t *testing.T) {
	want := os.Getenv("M")
	if want == "" {
		t.Skip()
	}
	for _, m := range Models() {
		match := false
		for _, p := range strings.Split(want, ",") {
			match = match || m.Info().Name == "refine/"+p || p == "all" && !m.Info().Deep
		}
		if !match {
			continue
		}
		start := time.Now()
		limit := uint64(12_000_000)
		r, err := checker.Check(context.Background(), m.Model(), checker.Options{MaxStates: limit, ContinueAfterViolation: os.Getenv("ALL") != "" || len(m.Info().Expected) > 0})
		if err != nil {
			t.Error(m.Info().Name, err)
			continue
		}
		fmt.Println(m.Info().Name, r.Verdict(), r.States, r.Transitions, r.Stopped, time.Since(start).Round(time.Millisecond))
		for _, o := range r.Outcomes {
			if o.Verdict != checker.Violated {
				continue
			}
			fmt.Println("  violated", o.Property.Name)
			if o.Path != nil && os.Getenv("TRACE") != "" {
				mc := m.Machine()
				show(mc, o.Path)
			}
		}
	}
}

func show(mc traces.Machine, p *checker.Path) {
	mc.Reset()
	for _, s := range p.Steps[1:] {
		a := mc.Enabled()[s.Action]
		eff := mc.Take(s.Action)
		fmt.Println("   ", a.Kind, a.Node, a.Peer, a.Text, "=>", eff)
	}
	for _, v := range mc.State() {
		fmt.Println("     ", v.Name, v.Value)
	}
}
