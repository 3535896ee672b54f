package traces

import (
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// fill writes a page, with a node in the place of each {{name}}. A name without a node is a mistake
// in our own files.
func fill(w io.Writer, page string, slots map[string]g.Node) error {
	for {
		text, rest, more := strings.Cut(page, "{{")
		if _, err := io.WriteString(w, text); err != nil || !more {
			return err
		}
		name, after, _ := strings.Cut(rest, "}}")
		node, known := slots[name]
		if !known {
			panic("traces: nothing fills " + name + " of the page")
		}
		if node != nil {
			if err := node.Render(w); err != nil {
				return err
			}
		}
		page = after
	}
}

// slots makes the parts of the page that depend on the trace.
func (s *sheet) slots() map[string]g.Node {
	header, last, q := &s.t.Header, s.Last(), s.Sequence()
	open, shapes, stage := "", embedded("page/discs.html"), "The nodes"
	if s.Mapped() {
		open, shapes, stage = " open", embedded("page/zones.html"), "The map"
	}
	data, err := json.Marshal(s.Data()) // escapes <, > and &
	if err != nil {
		panic("traces: " + err.Error()) // all of it is texts and numbers
	}
	return map[string]g.Node{
		"css":         g.Raw(embedded("page/page.css")),
		"js":          g.Raw(embedded("page/text.js") + embedded("page/map.js") + embedded("page/page.js")),
		"data":        g.Raw(string(data)),
		"property":    g.Text(header.Property),
		"verdict":     g.Text(s.Verdict()),
		"model":       g.Text(header.Model),
		"description": g.If(s.p.Model != "", g.Text(" – "+s.p.Model)),
		"length":      g.Text(strconv.Itoa(last) + " " + plural(last)),
		"last":        number(last),
		"claim":       s.claim(),
		"hint":        g.If(len(s.p.Words) > 0, hint()),
		"columns":     g.Text(className("columns", q.Wide, "wide")),
		"stage":       g.Text(stage),
		"open":        g.Raw(open),
		"shapes":      g.Raw(shapes),
		"sequence":    q.drawing(),
		"story":       lines(s.Steps(), entry.item),
		"glossary":    g.If(len(s.p.Words) > 0, s.glossary()),
		"commit":      g.Text(cmp.Or(header.Commit, "unknown")),
		"go":          g.Text(header.Go),
	}
}

// claim lists the property, the observation and the bounds.
func (s *sheet) claim() g.Node {
	property, within := s.Demand(), "faults: "+s.t.Header.Budget.String()
	if demanded := s.Property(); demanded != "" {
		property = "“" + demanded + "”. " + property
	}
	if bounds := s.Within(); bounds != "" {
		within = bounds + "; " + within
	}
	row := func(name, text string) g.Node {
		return g.If(text != "", g.Group{h.Div(h.Dt(g.Text(name)), h.Dd(g.Text(text))), newline})
	}
	return g.Group{
		row("The property", property), row("Observed", s.Seen()), row("What goes wrong", s.Why()), row("Bounds", within),
	}
}

func hint() g.Node {
	return h.P(h.Class("hint"), g.Text("New to this protocol? "), h.A(h.Href("#words-title"), g.Text("A glossary")),
		g.Text(" is below the story."))
}

// item is a step of the story.
func (e entry) item() g.Node {
	step := strconv.Itoa(e.Step)
	return h.Li(h.ID("tale-"+step), h.Data("step", step), h.Value(step),
		h.A(h.Class("n"), h.Href("#tale-"+step), h.Aria("label", "Go to step "+step), g.Text(step)), newline,
		h.Div(h.Class("tale"), h.P(h.Class("what"), e.What.markup()), newline,
			g.If(len(e.Then) > 0, h.Ul(h.Class("then"),
				g.Map(e.Then, func(s sentence) g.Node { return h.Li(s.markup()) }))),
			g.If(e.Mark != "", h.P(h.Class("mark"), g.Text(e.Mark))), newline,
			g.If(len(e.Facts) > 0, h.Details(h.Class("facts"), h.Summary(g.Text("changed")), h.Ul(
				g.Map(e.Facts, func(fact string) g.Node { return h.Li(h.Code(g.Text(fact))) }))))))
}

// markup is the sentence, with the meaning of its term.
func (s sentence) markup() g.Node {
	return g.Group{g.Text(s.Text), g.If(s.Means != "", g.Group{
		g.Text(" "), h.Span(h.Class(className("means", s.Again, "again")), g.Text(s.Means)),
	})}
}

func (s *sheet) glossary() g.Node {
	return h.Section(h.Aria("labelledby", "words-title"), newline,
		h.H2(h.ID("words-title"), g.Text("Glossary")), newline,
		h.Dl(h.Class("words"), newline, lines(s.Terms(), func(t Term) g.Node {
			return h.Div(h.Dt(g.Text(t.Word), g.Text(" "), h.Small(g.Text(t.Kind))), h.Dd(g.Text(t.Meaning)))
		})), newline)
}

var newline = g.Text("\n")

// lines makes a line of each thing.
func lines[T any](all []T, line func(T) g.Node) g.Group {
	return g.Map(all, func(one T) g.Node { return g.Group{line(one), newline} })
}

func number(n int) g.Node { return g.Text(strconv.Itoa(n)) }

// className is the base class, and another if a condition holds.
func className(base string, holds bool, other string) string {
	if holds {
		return base + " " + other
	}
	return base
}

func plural(steps int) string {
	if steps == 1 {
		return "step"
	}
	return "steps"
}
