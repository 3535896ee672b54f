package traces

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// sequence is a space-time diagram: a line for each node, downwards in time, a row for each step, a
// slanting arrow for each message. Its measures are pixels.
type sequence struct {
	Width, Height, Top, Bottom int
	Wide                       bool // it needs the whole width of a page
	Columns                    []sequenceColumn
	Rows                       []sequenceRow
	Arrows                     []sequenceArrow
	Loop                       *sequenceLoop
}

type sequenceColumn struct {
	X    int
	Name string
}

// sequenceRow is a step: a mark on the line of the node where it happens, and its text beside it.
type sequenceRow struct {
	Step, X, Y, TextX, BandY, BandHeight int
	Text, Title                          string
	Mark                                 string // message, dropped, timer, command, own, fault or start
	Left                                 bool   // the text is on the left, since a message comes from the right
}

type sequenceArrow struct {
	X1, Y1, X2, Y2 int
	Sent, Got      int    // Got is past the last step if it never arrived
	Kind           string // deliver, duplicate, repeat, drop, open (never arrived) or vanished
	Title          string
	message        Message
}

type sequenceLoop struct{ X, Y1, Y2 int }

// The measures of the diagram, and how many characters fit between two of its lines.
const (
	sequenceMargin    = 57 // for the numbers of the steps
	sequenceTop       = 10
	sequenceRowHeight = 30
	sequenceGap       = 11 // from a mark to its text
	sequenceChar      = 7
	leastChars        = 13 // of a text, and the most, if there is room for them in a page of this width
	mostChars         = 30
	sequencePage      = 1300
	sequenceBeside    = 520 // a wider diagram does not fit beside the map
)

// sequenceChars is how many characters of the longest text fit between two lines, if there are this
// many.
func (t *Trace) sequenceChars(lines int) int {
	longest := 0
	for i := range t.Steps {
		longest = max(longest, utf8.RuneCountInString(t.sequenceText(i)))
	}
	room := ((sequencePage-sequenceMargin)/(lines+1) - sequenceGap) / sequenceChar
	return max(leastChars, min(longest, mostChars, room))
}

// sequence lays out the diagram of a run.
func (t *Trace) sequence() *sequence {
	_, order := t.columns()
	if len(order) == 0 {
		order = []string{systemHost}
	}
	chars := t.sequenceChars(len(order))
	left, column := sequenceMargin+chars*sequenceChar, chars*sequenceChar+sequenceGap+2
	q := &sequence{}
	at := map[string]int{}
	for k, host := range order {
		at[host] = left + k*column
		q.Columns = append(q.Columns, sequenceColumn{at[host], host})
	}
	y := func(step int) int { return sequenceTop + step*sequenceRowHeight + sequenceRowHeight/2 }
	last := len(t.Steps) - 1
	for i := range t.Steps {
		a := &t.Steps[i].Action
		row := sequenceRow{
			Step:       i,
			X:          at[a.host()],
			Y:          y(i),
			BandY:      y(i) - sequenceRowHeight/2,
			BandHeight: sequenceRowHeight,
			Text:       clip(t.sequenceText(i), chars),
			Title:      fmt.Sprintf("%d %s", i, a),
			Mark:       markOf(a),
		}
		if i == 0 {
			row.X = at[order[0]]
		}
		row.TextX = row.X + sequenceGap
		if row.Left = a.carries() && at[a.Peer] > row.X; row.Left {
			row.TextX = row.X - sequenceGap
		}
		q.Rows = append(q.Rows, row)
	}
	for _, f := range t.flights() {
		arrow := sequenceArrow{
			X1:      at[f.from],
			Y1:      y(f.sent),
			X2:      at[f.to],
			Y2:      y(f.got),
			Sent:    f.sent,
			Got:     f.got,
			Kind:    f.how,
			Title:   fmt.Sprintf("%s→%s %s", f.from, f.to, f.text),
			message: Message{f.from, f.to, f.text},
		}
		switch {
		case f.got < 0:
			arrow.Kind, arrow.Y2, arrow.Got = "open", y(last)+sequenceRowHeight, last+1
			arrow.Title += " (not delivered in this run)"
		case f.how == "drop":
			arrow.X2 = at[networkHost]
		}
		q.Arrows = append(q.Arrows, arrow)
	}
	q.Bottom = y(last) + sequenceRowHeight
	q.Width = left + len(order)*column
	q.Wide = q.Width > sequenceBeside
	q.Height = q.Bottom + 12
	if t.Loop >= 0 {
		q.Loop = &sequenceLoop{X: 52, Y1: y(t.Loop), Y2: y(last)}
	}
	return q
}

// vanish shortens the arrows of messages that are not in flight at the end although they were never
// delivered: their receivers were gone.
func (q *sequence) vanish(flying []Message) *sequence {
	left := map[Message]int{}
	for _, m := range flying {
		left[m]++
	}
	for i := len(q.Arrows) - 1; i >= 0; i-- { // of equal messages the latest ones are still in flight
		a := &q.Arrows[i]
		if a.Kind != "open" {
			continue
		}
		if left[a.message]--; left[a.message] >= 0 {
			continue
		}
		a.Kind, a.Got = "vanished", a.Sent+1
		a.X2, a.Y2 = a.X1+(a.X2-a.X1)/3, a.Y1+sequenceRowHeight/2
		a.Title += ": its receiver is gone"
	}
	return q
}

// sequenceText is the text beside the mark of a step.
func (t *Trace) sequenceText(i int) string {
	a := &t.Steps[i].Action
	text := a.Text
	switch a.Kind {
	case "deliver", "timeout", "command", "chosen":
	case "timeout-early":
		text = "early " + text
	default:
		text = strings.TrimSpace(a.Kind + " " + text)
	}
	return text
}

func markOf(a *Action) string {
	switch a.Kind {
	case "deliver":
		return "message"
	case Init:
		return "start"
	case "drop":
		return "dropped"
	case "timeout":
		return "timer"
	case "command":
		return "command"
	case "chosen", "measured", "start", "heal", "end":
		return "own"
	}
	return "fault"
}

// sequenceTip is the head of an arrow.
const sequenceTip = `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" ` +
	`markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>`

// drawing is the diagram as SVG: the names of the hosts, and the diagram itself.
func (q *sequence) drawing() g.Node {
	width := measure("width", q.Width)
	return g.Group{
		h.SVG(h.Class("hosts"), width, measure("height", 30), hidden, g.Map(q.Columns, func(c sequenceColumn) g.Node {
			return g.El("text", h.Class("host"), measure("x", c.X), measure("y", 20), g.Text(c.Name))
		})), newline,
		h.SVG(h.ID("sequence"), width, measure("height", q.Height),
			g.Attr("viewBox", "0 0 "+strconv.Itoa(q.Width)+" "+strconv.Itoa(q.Height)), h.Role("img"),
			h.Aria("label", "Space-time diagram of the run; the story below says the same in words"), newline,
			g.Raw(sequenceTip), newline,
			lines(q.Rows, q.band), lines(q.Columns, q.life), q.Loop.drawing(), lines(q.Arrows, sequenceArrow.drawing),
			lines(q.Rows, sequenceRow.drawing)),
	}
}

// band is the link of a step, as wide as the diagram.
func (q *sequence) band(r sequenceRow) g.Node {
	return h.A(h.Class("row"), h.Href("#tale-"+strconv.Itoa(r.Step)), measure("data-step", r.Step), measure("data-x", r.X),
		measure("tabindex", -1), hidden, h.TitleEl(g.Text(r.Title)),
		g.El("rect", h.Class("band"), measure("x", 0), measure("y", r.BandY), measure("width", q.Width),
			measure("height", r.BandHeight)),
		caption("number", 16, r.Y, ".35em", strconv.Itoa(r.Step)), caption("cursor", 32, r.Y, ".35em", "▸"))
}

// life is the line of a node.
func (q *sequence) life(c sequenceColumn) g.Node {
	return g.El("line", h.Class("life"), measure("x1", c.X), measure("y1", q.Top), measure("x2", c.X),
		measure("y2", q.Bottom))
}

// drawing is the bracket around the steps that repeat.
func (l *sequenceLoop) drawing() g.Node {
	if l == nil {
		return nil
	}
	return g.Group{
		g.El("path", h.Class("loop"),
			g.Attr("d", "M"+strconv.Itoa(l.X)+" "+strconv.Itoa(l.Y2)+"h-8V"+strconv.Itoa(l.Y1)+"h8")),
		caption("number", l.X, l.Y1, "-.5em", "↻"), newline,
	}
}

func (a sequenceArrow) drawing() g.Node {
	return g.El("line", h.Class("way "+a.Kind), measure("data-sent", a.Sent), measure("data-got", a.Got),
		measure("x1", a.X1), measure("y1", a.Y1), measure("x2", a.X2), measure("y2", a.Y2),
		g.Attr("marker-end", "url(#tip)"), h.TitleEl(g.Text(a.Title)))
}

// drawing is the mark of a step, with its text.
func (r sequenceRow) drawing() g.Node {
	return g.Group{
		g.If(r.Mark != "start", g.El("g", h.Class("mark "+r.Mark), r.mark())),
		caption(className("what", r.Left, "left"), r.TextX, r.Y, ".35em", r.Text),
	}
}

func (r sequenceRow) mark() g.Node {
	at := g.Attr("transform", "translate("+strconv.Itoa(r.X)+" "+strconv.Itoa(r.Y)+")")
	switch r.Mark {
	case "message":
		return g.El("circle", measure("cx", r.X), measure("cy", r.Y), measure("r", 4))
	case "own":
		return g.El("circle", measure("cx", r.X), measure("cy", r.Y), g.Attr("r", "4.5"))
	case "command":
		return g.El("rect", measure("x", r.X), measure("y", r.Y), measure("width", 10), measure("height", 10),
			g.Attr("transform", "translate(-5 -5)"))
	case "timer":
		return g.El("path", g.Attr("d", "M-5 -5H5L-5 5H5z"), at)
	}
	return g.El("path", g.Attr("d", "M-5 -5L5 5M5 -5L-5 5"), at)
}

var hidden = h.Aria("hidden", "true")

func measure(name string, value int) g.Node { return g.Attr(name, strconv.Itoa(value)) }

func caption(class string, x, y int, down, text string) g.Node {
	return g.El("text", h.Class(class), measure("x", x), measure("y", y), g.Attr("dy", down), g.Text(text))
}
