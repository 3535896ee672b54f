package traces

import (
	"fmt"
	"io"
	"strings"
)

// WriteMermaid draws a trace as a sequence diagram for Mermaid: a participant for each node, an
// arrow for each message where it is delivered, duplicated or dropped, and an open arrow where it
// is sent if it never arrives. Notes show every other action, and the events that a step reported,
// or else the change of the node's own variable. A loop surrounds the part that repeats. Variables
// that belong to no node are left out, and long texts are cut short; the text view has them.
func WriteMermaid(w io.Writer, t *Trace) error {
	d := diagram{trace: t, ids: map[string]string{}, open: map[int][]flight{}}
	for _, f := range t.flights() {
		if f.got < 0 {
			d.open[f.sent] = append(d.open[f.sent], f)
		}
	}
	d.line("sequenceDiagram")
	d.participants()
	if len(d.order) == 0 {
		d.join("run") // Mermaid draws nothing without a participant
	}
	for i := range t.Steps {
		if i > 0 {
			d.step(i)
		}
		d.undelivered(i)
		if i == t.Header.Trigger {
			d.noteAll("here " + t.Header.Property + " is asked for")
		}
		if i == t.Loop {
			d.line("loop forever")
		}
	}
	if t.Loop >= 0 {
		d.line("end")
	}
	if t.stops() {
		d.noteAll("the run stops here")
	}
	d.noteAll(fmt.Sprintf("%s %s (%s)", strings.ToUpper(t.Header.Verdict), t.Header.Property, t.Header.Shape))
	_, err := io.WriteString(w, d.out.String())
	return err
}

type diagram struct {
	trace *Trace
	out   strings.Builder
	ids   map[string]string // node to the name of its participant
	order []string
	open  map[int][]flight // by the step that sent them: messages that are not delivered
}

func (d *diagram) line(s string) {
	indent := "    "
	if d.out.Len() == 0 {
		indent = ""
	}
	d.out.WriteString(indent + s + "\n")
}

// participants declares the nodes.
func (d *diagram) participants() {
	for _, host := range d.trace.hosts() {
		d.join(host)
	}
}

func (d *diagram) join(node string) {
	if node == "" || d.ids[node] != "" {
		return
	}
	id := fmt.Sprintf("p%d", len(d.order))
	d.ids[node], d.order = id, append(d.order, id)
	d.line("participant " + id + " as " + label(node))
}

func (d *diagram) step(i int) {
	s := &d.trace.Steps[i]
	a := s.Action
	from, to := d.ids[a.Peer], d.ids[a.Node]
	message := from != "" && to != ""
	switch {
	case message && a.Kind == "deliver":
		d.line(fmt.Sprintf("%s->>%s: %d %s", from, to, i, label(a.Text)))
	case message && (a.Kind == "duplicate" || a.again()):
		d.line(fmt.Sprintf("%s-->>%s: %d %s (%s)", from, to, i, label(a.Text), a.Kind))
	case message && a.Kind == "drop":
		d.line(fmt.Sprintf("%s-x%s: %d %s (lost)", from, to, i, label(a.Text)))
	case to != "":
		d.line(fmt.Sprintf("Note over %s: %d %s", to, i, label(a.String())))
	default:
		d.noteAll(fmt.Sprintf("%d %s", i, a))
	}
	if told := s.events(); told != "" && to != "" {
		d.line(fmt.Sprintf("Note right of %s: %s", to, label(told)))
		return
	}
	for k, v := range s.State {
		if was := d.trace.Steps[i-1].State[k]; to != "" && a.owns(v.Name) && was != v {
			d.line(fmt.Sprintf("Note right of %s: %s", to, label(brief(was.Value, v.Value, true))))
		}
	}
}

// undelivered draws the messages of a step that are not delivered in this run.
func (d *diagram) undelivered(i int) {
	for _, f := range d.open[i] {
		d.line(fmt.Sprintf("%s--)%s: %s (not delivered in this run)", d.ids[f.from], d.ids[f.to], label(f.text)))
	}
}

// events lists the events that a step reported, in one line.
func (s *Step) events() string {
	var told []string
	for _, e := range s.Effects {
		if text, ok := parseEvent(e); ok {
			told = append(told, text)
		}
	}
	return strings.Join(told, "; ")
}

// noteAll puts a note over all nodes.
func (d *diagram) noteAll(text string) {
	over := d.order[0]
	if last := d.order[len(d.order)-1]; last != over {
		over += "," + last
	}
	d.line("Note over " + over + ": " + label(text))
}

// maxLabel is how many characters a diagram can show in one place.
const maxLabel = 80

var mermaidEscapes = strings.NewReplacer(
	"#",
	"#35;",
	";",
	"#59;",
	"<",
	"#lt;",
	">",
	"#gt;",
	"%",
	"#37;",
	"\"",
	"#quot;",
)

// label makes a text safe for Mermaid, in which some characters start comments, entities and tags.
func label(s string) string { return mermaidEscapes.Replace(shorten(s)) }

// shorten cuts a text to the size of a label in a diagram.
func shorten(s string) string { return clip(s, maxLabel) }

// clip cuts the middle out of a text that has more than a number of characters, and marks the cut.
// The beginning of a text names its subject, and its end often distinguishes it from others.
func clip(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		head := most / 2
		s = string(runes[:head]) + "…" + string(runes[len(runes)-(most-1-head):])
	}
	return s
}
