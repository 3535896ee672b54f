package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes in points. A figure is narrow, so that its letters stay readable on a telephone; a page
// puts figures side by side where there is room.
const (
	width      = 440.0
	textSize   = 12.0
	smallSize  = 10.0
	lineHeight = 14.0
)

const (
	family     = "'Liberation Sans', Arial, Helvetica, sans-serif"
	headEnd    = `xmlns:xlink="http://www.w3.org/1999/xlink">` + "\n"
	fontOfText = "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;"
)

var styleAttribute = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`style="[^"]*"`) })

// fonts measures texts in Liberation Sans, which is as wide as Arial and Helvetica. It is parsed
// here because gonum.org/v1/plot/font/liberation would link all twelve fonts of the family, 4 MB.
var fonts = sync.OnceValue(func() *font.Cache {
	sans, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		panic(fmt.Errorf("parse Liberation Sans: %w", err)) // it is a part of the program
	}
	return font.NewCache(font.Collection{{Font: font.Font{Typeface: "Liberation", Variant: "Sans"}, Face: sans}})
})

func face(size float64) font.Face {
	return fonts().Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Length(size))
}

// textWidth is the width of the widest line in points.
func textWidth(size float64, lines ...string) float64 {
	w, f := 0.0, face(size)
	for _, l := range lines {
		w = max(w, f.Width(l).Points())
	}
	return w
}

// sheet is the canvas of a figure: points, with the origin at the lower left.
type sheet struct {
	canvas *vgsvg.Canvas
	height float64
	widths []float64 // of the texts, in the order in which they were written
}

func newSheet(height float64) *sheet {
	height = math.Ceil(height)
	s := &sheet{canvas: vgsvg.New(width, vg.Length(height)), height: height}
	s.fill(paper.ink(), rectangle(0, 0, width, height))
	return s
}

// Where a text is in relation to its point.
const (
	left   = 0.0
	middle = -0.5
	right  = -1.0
)

// text writes a line whose middle is about at height y.
func (s *sheet) text(x, y float64, line string, colour tint, size, align float64) {
	if line == "" {
		return
	}
	wide := textWidth(size, line)
	s.widths = append(s.widths, wide)
	s.canvas.SetColor(colour)
	x += align * wide
	s.canvas.FillString(face(size), vg.Point{X: vg.Length(x), Y: vg.Length(y - 0.35*size)}, line)
}

// lines writes lines, one below the other, whose middle is at height y.
func (s *sheet) lines(x, y float64, lines []string, colour tint, align float64) {
	y += lineHeight * float64(len(lines)-1) / 2
	for i, l := range lines {
		s.text(x, y-lineHeight*float64(i), l, colour, textSize, align)
	}
}

// upright writes a line that reads upwards and ends at a height.
func (s *sheet) upright(x, y float64, line string, colour tint) {
	s.canvas.Push()
	s.canvas.Translate(vg.Point{X: vg.Length(x), Y: vg.Length(y)})
	s.canvas.Rotate(math.Pi / 2)
	s.text(0, 0, line, colour, textSize, right)
	s.canvas.Pop()
}

// line strokes a path; dashes may be nil.
func (s *sheet) line(colour tint, thick float64, dashes []float64, points ...point) {
	if len(points) == 0 {
		return
	}
	lengths := make([]vg.Length, len(dashes))
	for i, d := range dashes {
		lengths[i] = vg.Length(d)
	}
	s.canvas.SetColor(colour)
	s.canvas.SetLineWidth(vg.Length(thick))
	s.canvas.SetLineDash(lengths, 0)
	s.canvas.Stroke(path(points, false))
}

// fill fills areas as one, so that they do not darken each other.
func (s *sheet) fill(colour tint, areas ...[]point) {
	if len(areas) == 0 {
		return
	}
	var all vg.Path
	for _, a := range areas {
		all = append(all, path(a, true)...)
	}
	s.canvas.SetColor(colour)
	s.canvas.Fill(all)
}

type point struct{ x, y float64 }

func path(points []point, closed bool) vg.Path {
	var p vg.Path
	for i, at := range points {
		to := vg.Point{X: vg.Length(at.x), Y: vg.Length(at.y)}
		if i == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	if closed {
		p.Close()
	}
	return p
}

func rectangle(x0, y0, x1, y1 float64) []point {
	return []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// diamond is the mark of a published value.
func diamond(x, y float64) []point {
	const r = 5
	return []point{{x - r, y}, {x, y + r}, {x + r, y}, {x, y - r}}
}

// finish writes the SVG with a head of our own: it scales, has a generic font family and a title
// for screen readers. Neither scripts nor identifiers occur in it.
func (s *sheet) finish(title, caption string) ([]byte, error) {
	var raw bytes.Buffer
	if _, err := s.canvas.WriteTo(&raw); err != nil {
		return nil, err
	}
	_, body, ok := strings.Cut(raw.String(), headEnd)
	if !ok {
		return nil, errors.New("gonum.org/v1/plot writes another head than that of version 0.17; adapt headEnd")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g"`+
		` role="img" font-family="%s">`+"\n", width, s.height, width, s.height, family)
	for _, e := range [][2]string{{"title", title}, {"desc", caption}} {
		if e[1] == "" {
			continue
		}
		fmt.Fprintf(&out, "<%s>", e[0])
		if err := xml.EscapeText(&out, []byte(e[1])); err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "</%s>\n", e[0])
	}
	body = styleAttribute().ReplaceAllStringFunc(body, func(style string) string {
		return strings.Replace(style, fontOfText, "", 1)
	})
	out.WriteString(s.fitted(body))
	return out.Bytes(), nil
}

// fitted gives each text the width that was measured, so that a viewer with a wider font squeezes
// it. A label cannot look like the beginning of a text, since "<" is escaped in it.
func (s *sheet) fitted(body string) string {
	const begin = "<text "
	parts := strings.Split(body, begin)
	for i := 1; i < len(parts); i++ {
		parts[i] = fmt.Sprintf(`textLength="%.1f" lengthAdjust="spacingAndGlyphs" `, s.widths[i-1]) + parts[i]
	}
	return strings.Join(parts, begin)
}

// wrap breaks a text into lines that are at most so wide: at spaces and after hyphens where it
// can, within words where it must.
func wrap(text string, widest float64) []string {
	var lines []string
	line := ""
	for _, word := range pieces(text) {
		if line != "" && textWidth(textSize, strings.TrimRight(line+word, " ")) > widest {
			lines = append(lines, strings.TrimRight(line, " "))
			line = ""
		}
		for _, r := range word {
			if line != "" && r != ' ' && textWidth(textSize, line+string(r)) > widest {
				lines = append(lines, line)
				line = ""
			}
			line += string(r)
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}

// pieces splits a text where a line may be broken.
func pieces(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var out []string
	start := 0
	for i, r := range text {
		if r == ' ' || r == '-' {
			out = append(out, text[start:i+1])
			start = i + 1
		}
	}
	return append(out, text[start:])
}
