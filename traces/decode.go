package traces

import "fmt"

func (d *decoder) trace(root jsonValue) *Trace {
	t := &Trace{Loop: -1}
	d.version(root)
	f := d.object("the trace", root, []string{"#meta", "vars", "states"}, "loop")
	var vars []string
	for i, v := range d.list("vars", f[1]) {
		vars = append(vars, d.str(fmt.Sprintf("vars[%d]", i), v))
	}
	n := len(vars) - 2
	if d.err == nil && (n < 0 || vars[n] != takenField || vars[n+1] != picksField) {
		d.fail("vars", fmt.Sprintf("the last two must be %q and %q", takenField, picksField))
	}
	if d.err != nil {
		return t
	}
	d.meta(f[0], vars, &t.Header)
	for i, v := range d.list("states", f[2]) {
		if d.err != nil {
			return t
		}
		t.Steps = append(t.Steps, d.step(i, v, vars[:n]))
	}
	if f[3].kind != "" {
		t.Loop = d.integer("loop", f[3])
		if t.Loop < 0 {
			d.fail("loop", "is negative; leave it out if the run is finite")
		}
	}
	return t
}

// version refuses files that are not traces, or of another version, before it looks at their
// fields.
func (d *decoder) version(root jsonValue) {
	if !d.kind("the file", root, anObject) {
		return
	}
	meta, _ := root.field("#meta")
	ours, ok := meta.field("canvass")
	if !ok {
		d.fail("#meta.canvass", "is missing; only traces that Canvass wrote name their model and can be replayed")
		return
	}
	v, ok := ours.field("version")
	if !ok {
		d.fail("#meta.canvass.version", "is missing")
		return
	}
	if n := d.integer("#meta.canvass.version", v); d.err == nil && n != Version {
		d.err = &FormatError{Place: "#meta.canvass.version", Also: ErrVersion, Problem: fmt.Sprintf(
			"is %d, and this program reads version %d; use the Canvass that wrote it", n, Version)}
	}
}

func (d *decoder) meta(v jsonValue, vars []string, h *Header) {
	f := d.object("#meta", v, []string{"format", "format-description", "description", "varTypes", "canvass"})
	if format := d.str("#meta.format", f[0]); format != "ITF" {
		d.fail("#meta.format", fmt.Sprintf("is %q, not \"ITF\"", format))
	}
	if s := d.str("#meta.format-description", f[1]); s != description {
		d.fail("#meta.format-description", fmt.Sprintf("is %q, not %q", s, description))
	}
	h.Description = d.str("#meta.description", f[2])
	types := d.object("#meta.varTypes", f[3], vars)
	for i, name := range vars {
		want := "Str"
		if name == picksField {
			want = picksType
		}
		if d.str("#meta.varTypes."+name, types[i]) != want {
			d.fail("#meta.varTypes."+name, fmt.Sprintf("must be %q", want))
		}
	}
	d.header(f[4], h)
}

func (d *decoder) header(v jsonValue, h *Header) {
	const place = "#meta.canvass"
	f := d.object(place, v, []string{"version", "model", "property", "shape", "verdict", "bounds", "budget",
		"commit", "go"}, "trigger", "nodes")
	h.Model = d.str(place+".model", f[1])
	h.Property = d.str(place+".property", f[2])
	h.Shape = d.str(place+".shape", f[3])
	h.Verdict = d.str(place+".verdict", f[4])
	h.Bounds = d.str(place+".bounds", f[5])
	var names []string
	faults := h.Budget.faults()
	for _, fault := range faults {
		names = append(names, fault.name)
	}
	budget := d.object(place+".budget", f[6], names, "repeat", "adversarial", "late")
	for i := range faults {
		*faults[i].count = d.integer(place+".budget."+names[i], budget[i])
	}
	if repeat := budget[len(faults)]; repeat.kind != "" {
		h.Budget.Repeat = d.isTrue(place+".budget.repeat", repeat)
	}
	if adversarial := budget[len(faults)+1]; adversarial.kind != "" {
		h.Budget.Adversarial = d.isTrue(place+".budget.adversarial", adversarial)
	}
	if late := budget[len(faults)+2]; late.kind != "" {
		h.Budget.Late = d.integer(place+".budget.late", late)
	}
	h.Commit = d.str(place+".commit", f[7])
	h.Go = d.str(place+".go", f[8])
	h.Trigger = -1
	if f[9].kind != "" {
		h.Trigger = d.integer(place+".trigger", f[9])
		if h.Trigger < 0 {
			d.fail(place+".trigger", "is negative; leave it out if there is none")
		}
	}
	if f[10].kind != "" {
		h.Nodes = d.integer(place+".nodes", f[10])
		if h.Nodes < 1 {
			d.fail(place+".nodes", "is not positive; leave it out if the model has its own size")
		}
	}
}

func (d *decoder) step(index int, v jsonValue, vars []string) Step {
	place := fmt.Sprintf("states[%d]", index)
	f := d.object(place, v, append([]string{"#meta", takenField, picksField}, vars...))
	s := Step{Action: d.action(place, f[1], f[2])}
	meta := d.object(place+".#meta", f[0], []string{"index"}, "effects")
	if got := d.integer(place+".#meta.index", meta[0]); got != index {
		d.fail(place+".#meta.index", fmt.Sprintf("is %d", got))
	}
	if meta[1].kind != "" {
		for i, e := range d.list(place+".#meta.effects", meta[1]) {
			s.Effects = append(s.Effects, d.str(fmt.Sprintf("%s.#meta.effects[%d]", place, i), e))
		}
	}
	for i, name := range vars {
		s.State = append(s.State, Variable{Name: name, Value: d.str(place+"."+name, f[3+i])})
	}
	return s
}

func (d *decoder) action(place string, kind, picks jsonValue) Action {
	a := Action{Kind: d.str(place+"."+takenField, kind)}
	place += "." + picksField
	f := d.object(place, picks, []string{"node", "peer", "text", "data", "cost"})
	a.Node = d.option(place+".node", f[0])
	a.Peer = d.option(place+".peer", f[1])
	a.Text = d.option(place+".text", f[2])
	a.Data = d.data(place+".data", f[3])
	a.Cost = d.option(place+".cost", f[4])
	return a
}
