package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, longest)
	out := json.NewEncoder(os.Stdout)
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
			fmt.Fprintln(os.Stderr, "trial:", err)
			os.Exit(1)
		}
	}
}

// try runs what a request asks for until something kills the mutant.
func try(r mutation.Request, out *json.Encoder) error {
	active.Switch(r.Mutant)
	check, simulate, problem := makeAll()
	active.Switch(active.None)
	if problem != "" {
		return out.Encode(mutation.Answer{Name: "catalogue", Killed: problem})
	}
	for _, b := range r.Models {
		if killed, err := answer(r, out, b, check); killed || err != nil {
			return err
		}
	}
	for _, b := range r.Scenarios {
		if killed, err := answer(r, out, b, simulate); killed || err != nil {
			return err
		}
	}
	return nil
}

// answer runs one model or scenario.
func answer(r mutation.Request, out *json.Encoder, b mutation.Bounded, run runner) (
	killed bool, err error) {
	active.Switch(r.Mutant)
	if r.Record {
		active.Record()
	}
	began := time.Now()
	a := guarded(b, run)
	a.Name, a.Millis = b.Name, time.Since(began).Milliseconds()
	if r.Record {
		a.Infected = active.Recorded()
	}
	active.Switch(active.None)
	return a.Killed != "", out.Encode(a)
}

// guarded runs a model or scenario. A panic kills the mutant.
func guarded(b mutation.Bounded, run runner) (a mutation.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Killed = "panic"
		}
	}()
	return run(b)
}

// runner runs one model or scenario.
type runner func(mutation.Bounded) mutation.Answer

// makeAll makes all models and scenarios. The problem is a panic while they are made.
func makeAll() (checks, simulates runner, problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = "panic"
		}
	}()
	catalogue := map[string]model.Checkable{}
	for _, m := range models.All() {
		catalogue[m.Info().Name] = m
	}
	kinds := map[string]*sim.Scenario{}
	for _, s := range scenarios.All() {
		kinds[s.Name] = s
	}
	checks = func(b mutation.Bounded) mutation.Answer {
		if m := catalogue[b.Name]; m != nil {
			return check(m, b.Most)
		}
		return mutation.Answer{Error: "no such model"}
	}
	simulates = func(b mutation.Bounded) mutation.Answer {
		if s := kinds[b.Name]; s != nil {
			return simulate(s, b.Most)
		}
		return mutation.Answer{Error: "no such scenario"}
	}
	return checks, simulates, ""
}

// check checks a model as the command does: every verdict must be the expected one.
func check(m model.Checkable, most uint64) mutation.Answer {
	info, compiled := m.Info(), m.Model()
	options := checker.Options{MaxStates: most, Workers: 1, ContinueAfterViolation: len(info.Expected) > 0}
	report, err := checker.Check(context.Background(), compiled, options)
	if p := (*checker.PanicError)(nil); errors.As(err, &p) {
		return mutation.Answer{Killed: "panic"}
	}
	if err != nil {
		return mutation.Answer{Error: err.Error()}
	}
	return mutation.Answer{States: report.States, Killed: unexpected(info, compiled, report)}
}

// unexpected returns the first thing about a report that is not as expected.
func unexpected(info model.Info, compiled checker.Model, report *checker.Report) string {
	expected := map[string]bool{}
	for _, e := range info.Expected {
		expected[e.Property] = e.Violated
	}
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
