package traces

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"
)

// The names of the format.
const (
	takenField  = "mbt::actionTaken"
	picksField  = "mbt::nondetPicks"
	description = "https://apalache-mc.org/docs/adr/015adr-trace.html"
	picksType   = "{ cost: None(UNIT) | Some(Str), data: None(UNIT) | Some(Str), node: None(UNIT) | Some(Str), " +
		"peer: None(UNIT) | Some(Str), text: None(UNIT) | Some(Str) }"
)

// Write writes a trace as a file: a line for each variable of each state, so that files can be
// compared line by line. A trace that the format cannot hold, or that [Read] would find too large,
// is a [FormatError].
func Write(w io.Writer, t *Trace) error {
	if err := t.validate(); err != nil {
		return err
	}
	var p printer
	p.line("{")
	p.meta(t)
	p.text("  \"vars\": [")
	for i, name := range t.names() {
		p.comma(i)
		p.quote(name)
	}
	p.line("],")
	p.line("  \"states\": [")
	for i := 0; i < len(t.Steps) && !p.full(); i++ {
		p.state(i, &t.Steps[i])
		p.ends(i < len(t.Steps)-1, "    }")
	}
	p.ends(t.Loop >= 0, "  ]")
	if t.Loop >= 0 {
		p.line("  \"loop\": " + strconv.Itoa(t.Loop))
	}
	p.line("}")
	if p.full() {
		return tooLarge()
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

// names lists the variables of a file: those of the states, then the two of the action.
func (t *Trace) names() []string {
	var names []string
	for _, v := range t.Steps[0].State {
		names = append(names, v.Name)
	}
	return append(names, takenField, picksField)
}

// printer builds a file.
type printer struct{ buf bytes.Buffer }

// full reports whether the file exceeds its limit.
func (p *printer) full() bool { return p.buf.Len() > MaxBytes }

func (p *printer) text(s string) { p.buf.WriteString(s) }
func (p *printer) line(s string) { p.text(s + "\n") }

func (p *printer) comma(i int) {
	if i > 0 {
		p.text(", ")
	}
}

// ends closes an element of a list.
func (p *printer) ends(more bool, s string) {
	if more {
		s += ","
	}
	p.line(s)
}

// quote writes a string in JSON, with < and > as they are.
func (p *printer) quote(s string) {
	enc := json.NewEncoder(&p.buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("traces: a string has no form in JSON: " + err.Error())
	}
	p.buf.Truncate(p.buf.Len() - 1) // the line break that Encode adds
}

func (p *printer) field(indent, name, value string) {
	p.text(indent)
	p.quote(name)
	p.text(": ")
	p.quote(value)
	p.line(",")
}

func (p *printer) meta(t *Trace) {
	h := &t.Header
	p.line("  \"#meta\": {")
	p.field("    ", "format", "ITF")
	p.field("    ", "format-description", description)
	p.field("    ", "description", h.Description)
	p.text("    \"varTypes\": {")
	for i, name := range t.names() {
		p.comma(i)
		p.quote(name)
		p.text(": ")
		if name == picksField {
			p.quote(picksType)
		} else {
			p.quote("Str")
		}
	}
	p.line("},")
	p.line("    \"canvass\": {")
	p.line("      \"version\": " + strconv.Itoa(Version) + ",")
	p.field("      ", "model", h.Model)
	p.field("      ", "property", h.Property)
	p.field("      ", "shape", h.Shape)
	p.field("      ", "verdict", h.Verdict)
	if h.Trigger >= 0 {
		p.line("      \"trigger\": " + strconv.Itoa(h.Trigger) + ",")
	}
	p.field("      ", "bounds", h.Bounds)
	if h.Nodes > 0 {
		p.line("      \"nodes\": " + strconv.Itoa(h.Nodes) + ",")
	}
	p.text("      \"budget\": {")
	for i, f := range h.Budget.faults() {
		p.comma(i)
		p.text("\"" + f.name + "\": " + strconv.Itoa(*f.count))
	}
	if h.Budget.Repeat {
		p.text(", \"repeat\": true")
	}
	if h.Budget.Adversarial {
		p.text(", \"adversarial\": true")
	}
	for _, f := range h.Budget.optional() {
		if *f.count > 0 {
			p.text(", \"" + f.name + "\": " + strconv.Itoa(*f.count))
		}
	}
	p.line("},")
	p.field("      ", "commit", h.Commit)
	p.text("      \"go\": ")
	p.quote(h.Go)
	p.line("\n    }")
	p.line("  },")
}

func (p *printer) state(index int, s *Step) {
	p.line("    {")
	p.text("      \"#meta\": {\"index\": " + strconv.Itoa(index))
	if len(s.Effects) > 0 {
		p.text(", \"effects\": [")
		for i, e := range s.Effects {
			p.comma(i)
			p.quote(e)
		}
		p.text("]")
	}
	p.line("},")
	for _, v := range s.State {
		p.field("      ", v.Name, v.Value)
	}
	p.field("      ", takenField, s.Action.Kind)
	p.text("      \"" + picksField + "\": {")
	for i, pick := range s.Action.picks() {
		p.comma(i)
		p.text("\"" + pick.name + "\": ")
		if pick.value == "" {
			p.text(`{"tag": "None", "value": {"#tup": []}}`)
			continue
		}
		p.text(`{"tag": "Some", "value": `)
		p.quote(pick.value)
		p.text("}")
	}
	p.line("}")
}

type pick struct{ name, value string }

// picks lists the fields of an action other than its kind, in the order of the file.
func (a *Action) picks() []pick {
	return []pick{
		{"node", a.Node}, {"peer", a.Peer}, {"text", a.Text}, {"data", hex.EncodeToString(a.Data)}, {"cost", a.Cost},
	}
}
