package replay

import (
	"fmt"
	"io"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/traces"
)

// transfer is a trace of one model, followed on another one.
type transfer struct {
	traces.FollowResult
	of, on   string
	trace    *traces.Trace // the run there, up to a violation if the property is about single states
	actions  int           // of the trace that was followed
	violated bool          // the other model shows the violation too
	knows    bool          // the other model has the property
}

// against takes the actions of the trace on the model of this name.
func (r *replay) against(name string) error {
	t, err := r.read()
	if err != nil {
		return err
	}
	system, err := r.system(name, t)
	if err != nil {
		return err // an unknown name is a mistake on the command line
	}
	machine := system.Machine()
	c := &transfer{of: t.Header.Model, on: name, actions: len(t.Steps) - 1,
		trace: &traces.Trace{Header: t.Header, Loop: t.Loop}}
	c.trace.Header.Model = name
	seen := -1 // the first state that violates the property
	c.FollowResult, err = traces.Follow(machine, t, func(i int, s traces.Step) {
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
		c.check(machine, seen)
	}
	if err := r.showTransfer(c); err != nil {
		return err
	}
	switch {
	case c.violated:
		return cli.Code(verdict.ViolationCode(verdict.ShapeNamed(t.Header.Shape)))
	case !c.knows || c.Taken < c.actions:
		return cli.Code(cli.CodeInconclusive)
	}
	return nil
}

// check finds out whether the run on the other model shows the violation, by replaying it as a
// trace of that model.
func (c *transfer) check(machine traces.Machine, seen int) {
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
			claim.Loop = -1 // the run ends there, which may be another violation
		}
	}
	c.violated = claim.Header.Verdict == traces.Violated && traces.Replay(machine, &claim, nil) == nil
}

// AgainstObject is the run on the other model in JSON. The help topic json describes the fields.
type AgainstObject struct {
	Model    string `json:"model"`
	Taken    int    `json:"taken"`
	Actions  int    `json:"actions"`
	Alike    int    `json:"similar"`
	Former   int    `json:"alike"` // former name of similar
	Differs  string `json:"differs"`
	Blocked  string `json:"blocked"`
	Violated bool   `json:"violated"`
	Has      bool   `json:"has_property"`
	Knows    bool   `json:"knows_property"` // former name of has_property
}

func (r *replay) showTransfer(c *transfer) error {
	if r.tool.Stdout.WantsJSON() {
		o := &AgainstObject{
			Model:    c.on,
			Taken:    c.Taken,
			Actions:  c.actions,
			Alike:    c.Alike,
			Former:   c.Alike,
			Violated: c.violated,
			Has:      c.knows,
			Knows:    c.knows,
		}
		if c.Differs != nil {
			o.Differs = c.Differs.Error()
		}
		if c.Blocked != nil {
			o.Blocked = c.Blocked.Error()
		}
		return r.object(c.trace, func(all *Object) {
			all.Model, all.Against, all.Reproduced = c.of, o, c.violated
		})
	}
	h := &c.trace.Header
	var b strings.Builder
	fmt.Fprintf(&b, "# the run of %s in which %s (%s) is %s, on %s\n", c.of, h.Property, h.Shape, h.Verdict, c.on)
	if err := traces.WriteSteps(&b, c.trace.Steps); err != nil {
		return err
	}
	switch {
	case c.Differs != nil:
		fmt.Fprintf(&b, "-- differs at %v\n", c.Differs)
	case c.Compared == 0:
		b.WriteString("-- the states of the two models cannot be compared; only actions were\n")
	}
	if c.Blocked != nil {
		fmt.Fprintf(&b, "-- stops at %v\n", c.Blocked)
	}
	alike := ""
	if c.Alike > 0 {
		alike = fmt.Sprintf(" (%d with other details)", c.Alike)
	}
	fmt.Fprintf(&b, "# %d of %s taken%s; %s\n", c.Taken, english.Count(c.actions, "action"), alike, c.outcome())
	_, err := io.WriteString(r.tool.Stdout, b.String())
	return err
}

func (c *transfer) outcome() string {
	h := &c.trace.Header
	switch {
	case c.violated:
		return "VIOLATED here too: " + h.Property
	case !c.knows:
		return fmt.Sprintf("%s has no property %s", c.on, h.Property)
	case c.Taken < c.actions:
		return fmt.Sprintf("the next one is not possible here; until then %s is not violated", h.Property)
	}
	return fmt.Sprintf("%s is not violated here", h.Property)
}
