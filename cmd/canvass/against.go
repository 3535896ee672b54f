package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/canvass-grid/canvass/internal/english"
	"github.com/canvass-grid/canvass/traces"
)

// course is a trace of one model on another one.
type course struct {
	traces.Course
	of, on   string
	trace    *traces.Trace // what happened there, up to a violation if the property is one of single states
	actions  int           // of the trace that was followed
	violated bool          // the other model shows the violation too
	knows    bool          // it has the property at all
}

// against takes the actions of the trace on the model of this name.
func (r *replay) against(name string) error {
	t, err := r.read()
	if err != nil {
		return err
	}
	system, err := r.system(name, t)
	if err != nil {
		return err // the name is from the command line: if it is unknown, that is a mistake there
	}
	machine := system.Machine()
	c := &course{of: t.Header.Model, on: name, actions: len(t.Steps) - 1,
		trace: &traces.Trace{Header: t.Header, Loop: t.Loop}}
	c.trace.Header.Model = name
	seen := -1 // the first state that violates the property
	c.Course, err = traces.Follow(machine, t, func(i int, s traces.Step) {
		c.trace.Steps = append(c.trace.Steps, s)
		holds, err := machine.Check(t.Header.Property)
		c.knows = err == nil
		if seen < 0 && err == nil && !holds {
			seen = i
		}
	})
	if err != nil {
		return err
	}
	if c.knows {
		c.judge(machine, seen)
	}
	if err := r.showCourse(c); err != nil {
		return err
	}
	switch {
	case c.violated:
		return exitCode(shapeCode(t.Header.Shape))
	case !c.knows || c.Taken < c.actions:
		return exitCode(exitInconclusive)
	}
	return nil
}

// judge finds out whether the course shows the violation, by replaying it as if it were a trace of
// the other model.
func (c *course) judge(machine traces.Machine, seen int) {
	claim := *c.trace
	switch claim.Header.Shape {
	case traces.Always, traces.Quiescent:
		if seen < 0 {
			return
		}
		claim.Steps, claim.Loop = claim.Steps[:seen+1], -1
	default:
		if c.Blocked != nil && c.Blocked.Enabled > 0 {
			return
		}
		if c.Blocked != nil {
			claim.Loop = -1 // the run ends there, which may be a violation of its own
		}
	}
	c.violated = claim.Header.Verdict == traces.Violated && traces.Replay(machine, &claim, nil) == nil
}

func shapeCode(shape string) int {
	switch shape {
	case traces.DeadlockFree:
		return exitDeadlock
	case traces.LeadsTo, traces.Reaches, traces.AlmostSurely:
		return exitLiveness
	}
	return exitSafety
}

// againstObject says in JSON how the other model took it.
type againstObject struct {
	Model    string `json:"model"`
	Taken    int    `json:"taken"` // actions, of so many
	Actions  int    `json:"actions"`
	Alike    int    `json:"alike"`   // of those taken, in other words
	Differs  string `json:"differs"` // where the states part; "" if they do not
	Blocked  string `json:"blocked"` // why it went no further; "" if it went all the way
	Violated bool   `json:"violated"`
	Knows    bool   `json:"knows_property"`
}

func (r *replay) showCourse(c *course) error {
	if r.json {
		o := &againstObject{
			Model:    c.on,
			Taken:    c.Taken,
			Actions:  c.actions,
			Alike:    c.Alike,
			Violated: c.violated,
			Knows:    c.knows,
		}
		if c.Differs != nil {
			o.Differs = c.Differs.Error()
		}
		if c.Blocked != nil {
			o.Blocked = c.Blocked.Error()
		}
		return r.object(c.trace, func(all *replayObject) {
			all.Model, all.Against, all.Reproduced = c.of, o, c.violated
		})
	}
	h := &c.trace.Header
	var b strings.Builder
	fmt.Fprintf(&b, "# the run of %s that shows %s (%s) %s, taken on %s\n", c.of, h.Property, h.Shape, h.Verdict, c.on)
	if err := traces.WriteSteps(&b, c.trace.Steps); err != nil {
		return err
	}
	switch {
	case c.Differs != nil:
		fmt.Fprintf(&b, "-- departs at %v\n", c.Differs)
	case c.Compared == 0:
		b.WriteString("-- the two models describe their states in different words; only actions were compared\n")
	}
	if c.Blocked != nil {
		fmt.Fprintf(&b, "-- ends at %v\n", c.Blocked)
	}
	alike := ""
	if c.Alike > 0 {
		alike = fmt.Sprintf(" (%d in other words)", c.Alike)
	}
	fmt.Fprintf(&b, "# %d of %s taken%s; %s\n", c.Taken, english.Count(c.actions, "action"), alike, c.outcome())
	_, err := io.WriteString(r.tool.stdout, b.String())
	return err
}

func (c *course) outcome() string {
	h := &c.trace.Header
	switch {
	case c.violated:
		return "VIOLATED here too: " + h.Property
	case !c.knows:
		return fmt.Sprintf("%s has no property %s", c.on, h.Property)
	case c.Taken < c.actions:
		return fmt.Sprintf("the next is not possible here; up to there %s is not violated", h.Property)
	}
	return fmt.Sprintf("%s is not violated by this course", h.Property)
}
