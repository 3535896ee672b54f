package sim

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/blame"
)

// Try makes a run. A function of the scenario that panics, makes its goroutine exit or breaks its
// contract violates [PanicProperty], and the result names it.
//
// The run has a separate goroutine, unless it is recorded: a recorder may pause it.
func Try(s *Scenario, p *Plan, o RunOptions) (r *Result, err error) {
	if o.calls == nil {
		o.calls = &blame.Log{}
	}
	p = p.Clone() // a Run that changes its plan does not change that of a finding
	run := func() {
		if r, err = s.Run(p, o); err == nil {
			s.requireCoherent(r)
		}
	}
	within := apart
	if o.Record != nil {
		within = attempt
	}
	within(o.calls, "Run of the scenario", run, func(f *failure) {
		r = &Result{Verdict: Violated, Property: PanicProperty, Where: f.Error(), Stack: string(f.stack)}
		err = nil
	})
	return r, err
}

// requireCoherent requires that a result does not contradict itself or the scenario.
func (s *Scenario) requireCoherent(r *Result) {
	switch {
	case r == nil:
		broken("Run returns neither a result nor an error; return one of them")
	case r.Verdict > Violated:
		broken("Run returns the verdict %d, which does not exist", r.Verdict)
	case r.Verdict == Violated && r.Property == "":
		broken("Run returns the verdict violated without a property; name the violated property")
	case r.Verdict != Violated && r.Property != "":
		broken("Run returns the verdict %v, and %q for a violated property; return the verdict violated with it",
			r.Verdict, r.Property)
	case r.Verdict == Violated && r.Property != PanicProperty && s.Properties != nil:
		if _, known := s.PropertyOf(r.Property); !known {
			broken("a run violates the property %q, which Properties does not list; add it there", r.Property)
		}
	}
}

// failure is a function of a scenario that did not return.
type failure struct {
	calling string
	value   any // that it panicked with; nil: it made its goroutine exit
	stack   []byte
}

// Error names the function and its mistake.
func (f *failure) Error() string {
	err, _ := f.value.(error)
	var scenario *ContractError
	var core *checker.ContractError
	switch {
	case errors.As(err, &scenario):
		return scenario.Problem
	case errors.As(err, &core):
		return core.Problem
	case f.value == nil:
		return f.calling + ": the goroutine was made to exit, as by a test that fails; return instead"
	}
	return fmt.Sprintf("%s panicked: %v", f.calling, f.value)
}

// attempt calls a function of that name, which the log notes unless it is "". If the function does
// not return, failed is called.
func attempt(log *blame.Log, name string, f func(), failed func(*failure)) {
	returned := false
	defer func() {
		if !returned {
			failed(&failure{log.Running(), recover(), debug.Stack()})
		}
	}()
	if name == "" {
		f()
	} else {
		blame.Do0(log, name, f)()
	}
	returned = true
}

// apart is attempt in a separate goroutine: if the function makes that exit, the caller goes on.
func apart(log *blame.Log, name string, f func(), failed func(*failure)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		attempt(log, name, f, failed)
	}()
	<-done
}
