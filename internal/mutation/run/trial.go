package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/internal/mutation/active"
	"github.com/canvass-grid/canvass/model"
	models "github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/sim"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// longest bounds a request line.
const longest = 1 << 20

// trial tries mutants in this program, which has been built with them. It reads a request a line
// and answers each, until the input ends.
//
// The models and scenarios are made again for each request, once its mutant is on, so that the
// mutant takes part in making them, too.
func trial(from io.Reader, to io.Writer) error {
	in := bufio.NewScanner(from)
	in.Buffer(nil, longest)
	out := json.NewEncoder(to)
	for in.Scan() {
		var r mutation.Request
		err := json.Unmarshal(in.Bytes(), &r)
		if err == nil {
			err = try(r, out)
		}
		if err == nil {
			err = out.Encode(mutation.Answer{})
		}
		if err != nil {
			return err
		}
	}
	return in.Err()
}

// try runs what a request asks for until something kills the mutant.
func try(r mutation.Request, out *json.Encoder) error {
	active.Switch(r.Mutant)
	all, problem := makeAll()
	active.Switch(active.None)
	if problem != "" {
		return out.Encode(mutation.Answer{Name: "catalogue", Killed: problem, Violated: []string{problem}})
	}
	if r.Measure != nil {
		active.Switch(r.Mutant)
		defer active.Switch(active.None)
		return measured(*r.Measure, all, out)
	}
	how := check
	if r.Refines {
		how = refines
	}
	for _, b := range r.Models {
		run := func(b mutation.Bounded) mutation.Answer { return all.check(b, how) }
		if killed, err := answer(r, out, b, run); killed || err != nil {
			return err
		}
	}
	for _, b := range r.Scenarios {
		if killed, err := answer(r, out, b, all.simulate); killed || err != nil {
			return err
		}
	}
	return nil
}

// measured tries every method.
func measured(asked mutation.Measure, all *catalogue, out *json.Encoder) error {
	p, err := newProbe(asked, all.models, all.scenarios)
	if err != nil {
		return err
	}
	found, err := p.tryAll()
	if err != nil {
		return err
	}
	return out.Encode(mutation.Answer{Name: "effort", Effort: &found})
}

// answer runs one model or scenario.
func answer(r mutation.Request, out *json.Encoder, b mutation.Bounded, run func(mutation.Bounded) mutation.Answer) (
	killed bool, err error) {
	active.Switch(r.Mutant)
	if r.Record {
		active.Record()
	}
	began := time.Now()
	a := guarded(func() mutation.Answer { return run(b) })
	a.Name, a.Millis = b.Name, time.Since(began).Milliseconds()
	if r.Record {
		a.Infected = active.Recorded()
	}
	active.Switch(active.None)
	return a.Killed != "", out.Encode(a)
}

// guarded runs a model or scenario. A panic kills the mutant.
func guarded(run func() mutation.Answer) (a mutation.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = panicked(fmt.Sprint(p))
		}
	}()
	return run()
}

func panicked(text string) mutation.Answer {
	return mutation.Answer{Killed: mutation.Panic, Violated: []string{mutation.Panic}, Panic: text}
}

// catalogue is all models and scenarios.
type catalogue struct {
	models    []model.Checkable
	scenarios []*sim.Scenario
}

// makeAll makes all models and scenarios. The problem is a panic while they are made.
func makeAll() (all *catalogue, problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = mutation.Panic
		}
	}()
	return &catalogue{models.All(), scenarios.All()}, ""
}

func (c *catalogue) check(
	b mutation.Bounded, how func(context.Context, model.Checkable, uint64) mutation.Answer,
) mutation.Answer {
	for _, m := range c.models {
		if m.Info().Name == b.Name {
			return how(context.Background(), m, b.Most)
		}
	}
	return mutation.Answer{Error: "no such model"}
}

func (c *catalogue) simulate(b mutation.Bounded) mutation.Answer {
	for _, s := range c.scenarios {
		if s.Name == b.Name {
			return simulate(s, b.Most)
		}
	}
	return mutation.Answer{Error: "no such scenario"}
}

// check checks a model as the command does: every verdict must be the expected one.
func check(ctx context.Context, m model.Checkable, most uint64) mutation.Answer {
	info, compiled := m.Info(), m.Model()
	options := checker.Options{MaxStates: most, Workers: 1, ContinueAfterViolation: len(info.Expected) > 0}
	report, err := checker.Check(ctx, compiled, options)
	if p := (*checker.PanicError)(nil); errors.As(err, &p) {
		return panicked(p.Problem())
	}
	if err != nil {
		return mutation.Answer{Error: err.Error()}
	}
	return mutation.Answer{
		States: report.States, Killed: unexpected(info, compiled, report), Violated: undeclared(info, report),
	}
}

// undeclared returns the properties that are violated and that the model does not declare to be.
func undeclared(info model.Info, report *checker.Report) (all []string) {
	expected := declared(info)
	for _, o := range report.Outcomes {
		if o.Verdict == checker.Violated && !expected[o.Property.Name] {
			all = append(all, o.Property.Name)
		}
	}
	return all
}

// declared says which properties a model declares to be violated.
func declared(info model.Info) map[string]bool {
	expected := map[string]bool{}
	for _, e := range info.Expected {
		expected[e.Property] = e.Violated
	}
	return expected
}

// unexpected returns the first thing about a report that is not as expected.
func unexpected(info model.Info, compiled checker.Model, report *checker.Report) string {
	expected := declared(info)
	for _, o := range report.Outcomes {
		switch name := o.Property.Name; {
		case o.Verdict == checker.Violated && !expected[name]:
			return name
		case o.Verdict == checker.Holds && expected[name]:
			return name + " holds"
		}
	}
	if !report.Complete {
		return "more states"
	}
	if c, ok := compiled.(model.Coverer); ok && report.Complete {
		if never := c.Coverage(report.ClassCounts).Never; len(never) > 0 {
			return "coverage"
		}
	}
	return ""
}

// simulate runs the first seeds of a scenario.
func simulate(s *sim.Scenario, seeds uint64) mutation.Answer {
	for seed := uint64(1); seed <= seeds; seed++ {
		r, err := s.Run(s.Draw(seed), sim.RunOptions{})
		if err != nil {
			return mutation.Answer{Error: err.Error()}
		}
		if r.Verdict == sim.Violated && s.Expected[r.Property] == "" {
			return mutation.Answer{Killed: r.Property, States: seed}
		}
		if r.Verdict == sim.Inconclusive {
			return mutation.Answer{Killed: "inconclusive", States: seed}
		}
	}
	return mutation.Answer{States: seeds}
}
