package traces

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFault bounds each number of a budget, far beyond any sensible one.
const maxFault = 1 << 20

// validate checks that the format can express a trace. Write and Read share it, so that they accept
// the same traces.
func (t *Trace) validate() error {
	if err := t.Header.validate(len(t.Steps)); err != nil {
		return err
	}
	if len(t.Steps) == 0 {
		return misfit("states", "there is no state; a run has at least its initial state")
	}
	if err := validateNames(t.Steps[0].State); err != nil {
		return err
	}
	for i := range t.Steps {
		if err := t.Steps[i].validate(i, t.Steps[0].State); err != nil {
			return err
		}
	}
	if t.Loop < -1 || t.Loop >= len(t.Steps)-1 {
		return misfit("loop", fmt.Sprintf("%d is not the index of a state before the last, which is %d",
			t.Loop, len(t.Steps)-1))
	}
	return nil
}

func (h *Header) validate(steps int) error {
	for _, f := range []struct{ place, text string }{
		{"model", h.Model}, {"property", h.Property}, {"shape", h.Shape}, {"verdict", h.Verdict},
		{"bounds", h.Bounds}, {"commit", h.Commit}, {"go", h.Go}, {"description", h.Description},
	} {
		if err := oneLine("#meta.canvass."+f.place, f.text); err != nil {
			return err
		}
	}
	switch {
	case h.Model == "":
		return misfit("#meta.canvass.model", "is empty; name the model")
	case h.Property == "":
		return misfit("#meta.canvass.property", "is empty; name the property")
	case !knownShape(h.Shape):
		return misfit("#meta.canvass.shape", fmt.Sprintf("%q is not a shape of properties", h.Shape))
	case h.Shape == Sometimes && h.Verdict != Holds:
		return misfit("#meta.canvass.verdict", fmt.Sprintf("a run can only show that a property of shape "+
			"%q %s, not %q", Sometimes, Holds, h.Verdict))
	case h.Shape != Sometimes && h.Verdict != Violated:
		return misfit("#meta.canvass.verdict", fmt.Sprintf("a run can only show that a property of shape "+
			"%q is %s, not %q", h.Shape, Violated, h.Verdict))
	case !triggered(h.Shape) && h.Trigger != -1:
		return misfit("#meta.canvass.trigger", fmt.Sprintf("shape %q has no trigger", h.Shape))
	case triggered(h.Shape) && (h.Trigger < 0 || h.Trigger >= steps):
		return misfit("#meta.canvass.trigger", fmt.Sprintf("%d is not the index of a state", h.Trigger))
	}
	if h.Nodes < 0 {
		return misfit("#meta.canvass.nodes", fmt.Sprintf("%d is negative", h.Nodes))
	}
	for _, f := range append(h.Budget.faults(), h.Budget.optional()...) {
		if *f.count < 0 || *f.count > maxFault {
			return misfit("#meta.canvass.budget."+f.name, fmt.Sprintf("%d is not from 0 to %d", *f.count, maxFault))
		}
	}
	return nil
}

// validateNames demands of the variables that each can be a field of a state.
func validateNames(state []Variable) error {
	seen := map[string]bool{}
	for i, v := range state {
		place := fmt.Sprintf("vars[%d]", i)
		switch {
		case v.Name == "" || strings.HasPrefix(v.Name, "#") || strings.HasPrefix(v.Name, "mbt::"):
			return misfit(place, fmt.Sprintf("%q cannot be the name of a variable", v.Name))
		case seen[v.Name]:
			return misfit(place, fmt.Sprintf("%q is there twice", v.Name))
		}
		seen[v.Name] = true
		if err := oneLine(place, v.Name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Step) validate(index int, vars []Variable) error {
	place := fmt.Sprintf("states[%d]", index)
	if (s.Action.Kind == Init) != (index == 0) || s.Action.Kind == "" {
		return misfit(place+"."+takenField, fmt.Sprintf("%q; the first state, and no other, has %q",
			s.Action.Kind, Init))
	}
	if index == 0 && !same(s.Action, Action{Kind: Init}) {
		return misfit(place+"."+picksField, "the initial state has no picks")
	}
	a := s.Action
	for _, text := range append([]string{a.Kind, a.Node, a.Peer, a.Text, a.Cost}, s.Effects...) {
		if err := oneLine(place, text); err != nil {
			return err
		}
	}
	if len(s.State) != len(vars) {
		return misfit(place, fmt.Sprintf("has %d variables, not %d", len(s.State), len(vars)))
	}
	for k, v := range s.State {
		if v.Name != vars[k].Name {
			return misfit(place, fmt.Sprintf("variable %q stands where %q is expected", v.Name, vars[k].Name))
		}
		if err := oneLine(place+"."+v.Name, v.Value); err != nil {
			return err
		}
	}
	return nil
}

// oneLine refuses texts that would not survive a file, or that would control a terminal.
func oneLine(place, text string) error {
	if !utf8.ValidString(text) {
		return misfit(place, "is not UTF-8")
	}
	for _, r := range text {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			return misfit(place, fmt.Sprintf("has the control character %U; all texts are single, plain lines", r))
		}
	}
	return nil
}
