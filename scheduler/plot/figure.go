package plot

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Figure is a picture with its data.
type Figure struct {
	Title   string
	Caption string
	SVG     []byte // a complete document, on white; the title and caption are in it, but not drawn
	CSV     []byte // a header and one row for each mark of the picture
}

// DataError says why data cannot be drawn.
type DataError struct {
	Kind  string // "bars", "lines", "cdf", "heat", "gantt", "steps", "pack", "picture" or "page"
	Title string // of the figure or page
	What  string // the thing, its problem, and what to do
}

// Error names the figure and the problem.
func (e *DataError) Error() string {
	return fmt.Sprintf("%s %q: %s", e.Kind, e.Title, e.What)
}

// Limits of a figure of this size.
const (
	maxSeries  = 12
	maxGroups  = 100
	maxPoints  = 2_000
	maxValues  = 5_000_000
	maxTasks   = 200_000
	maxColumns = 40
	maxLabel   = 120
	maxText    = 4_000
	largest    = 1e15
)

// check collects the first thing that is wrong with the data of a figure.
type check struct {
	kind, title string
	err         error
}

func newCheck(kind, title, caption string) *check {
	c := &check{kind: kind, title: title}
	c.text("the title", title)
	c.require(len(caption) <= maxText, "the caption has %d bytes; shorten it to %d", len(caption), maxText)
	c.printable("the caption", caption)
	return c
}

// require notes an error unless ok holds or there is an error already.
func (c *check) require(ok bool, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = &DataError{c.kind, c.title, fmt.Sprintf(format, args...)}
	}
}

// text demands a label that says something, in characters that can be drawn.
func (c *check) text(what, s string) {
	c.require(strings.TrimSpace(s) != "", "%s is empty; name the values, with their unit", what)
	c.require(len(s) <= maxLabel, "%s has %d bytes; shorten it to %d", what, len(s), maxLabel)
	c.printable(what, s)
}

// printable refuses what XML cannot hold: control characters and broken UTF-8.
func (c *check) printable(what, s string) {
	bad := strings.IndexFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || r == '\uFFFE' || r == '\uFFFF'
	})
	c.require(utf8.ValidString(s) && bad < 0, "%s %q has a control character or is not UTF-8; remove it", what, s)
}

// number demands a finite number, and one above 0 on a logarithmic axis.
func (c *check) number(v float64, log bool, where string, args ...any) {
	if c.err != nil || math.Abs(v) <= largest && (!log || v >= 1/largest) {
		return
	}
	where = fmt.Sprintf(where, args...)
	c.require(math.Abs(v) <= largest, "%s is %g; give a number between -%g and %g", where, v, largest, largest)
	c.require(!log, "%s is %g, which a logarithmic axis cannot show; use a linear axis or leave it out", where, v)
}

// interval demands two ordered bounds, or none: both NaN. A bound may lie below a logarithmic axis.
func (c *check) interval(low, high float64, where string, args ...any) {
	if c.err != nil || math.IsNaN(low) && math.IsNaN(high) {
		return
	}
	where = fmt.Sprintf(where, args...)
	c.number(low, false, "the lower bound of %s", where)
	c.number(high, false, "the upper bound of %s", where)
	c.require(low <= high, "the interval of %s goes from %g down to %g; give the lower bound first", where, low, high)
}

// count demands from one to limit things.
func (c *check) count(n, limit int, what string) {
	c.require(n > 0, "there are no %s; give at least one", what)
	c.require(n <= limit, "there are %d %s; the figure holds %d, so divide it", n, what, limit)
}

// finish draws the figure unless something was wrong.
func (c *check) finish(caption string, draw func() (*sheet, *table)) (*Figure, error) {
	if c.err != nil {
		return nil, c.err
	}
	s, t := draw()
	svg, err := s.finish(c.title, caption)
	if err != nil {
		return nil, fmt.Errorf("%s %q: write the SVG: %w", c.kind, c.title, err)
	}
	return &Figure{Title: c.title, Caption: caption, SVG: svg, CSV: t.bytes()}, nil
}
