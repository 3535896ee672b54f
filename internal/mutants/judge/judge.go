package judge

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/model"
)

// Main checks the models that the command line names, and prints a verdict on each.
func Main(models []model.Checkable) {
	most := flag.Uint64("states", 0, "stop a check when it has found more `states`; 0 means never")
	flag.Parse()
	byName := map[string]model.Checkable{}
	for _, m := range models {
		byName[m.Info().Name] = m
	}
	out := json.NewEncoder(os.Stdout)
	for _, name := range flag.Args() {
		m, ok := byName[name]
		if !ok {
			fmt.Fprintf(os.Stderr, "check: no model is named %q\n", name)
			os.Exit(2)
		}
		v, err := Check(context.Background(), m, *most)
		if err == nil {
			err = out.Encode(v)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "check: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// Check decides one model. A core may panic in the prelude already, before there is a model to
// check.
func Check(ctx context.Context, m model.Checkable, most uint64) (v mutants.Verdict, err error) {
	v.Model = m.Info().Name
	defer func() {
		if r := recover(); r != nil {
			v.Verdict, v.Panic, err = mutants.Panic, fmt.Sprint(r), nil
		}
	}()
	report, err := checker.Check(
		ctx,
		m.Model(),
		checker.Options{MaxStates: most, ContinueAfterViolation: len(m.Info().Expected) > 0},
	)
	if p := (*checker.PanicError)(nil); errors.As(err, &p) {
		v.Verdict, v.Panic = mutants.Panic, p.Problem()
		return v, nil
	}
	if err != nil {
		return v, err
	}
	v.Verdict, v.States = report.Verdict().String(), report.States
	declared := map[string]bool{}
	for _, e := range m.Info().Expected {
		declared[e.Property] = e.Violated
	}
	for _, o := range report.Outcomes {
		if o.Verdict == checker.Violated && !declared[o.Property.Name] {
			v.Property = append(v.Property, o.Property.Name)
		}
	}
	return v, nil
}
