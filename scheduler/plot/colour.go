package plot

import (
	"fmt"
	"strings"
)

// tint is a colour of the palette and how much of it covers what is below.
type tint struct {
	rgb   uint32
	cover uint32 // of 255
}

// RGBA implements color.Color. The colour is in the middle of the range that package vgsvg, which
// truncates, writes as rgb: so it writes exactly rgb, which [themed] looks for.
func (t tint) RGBA() (r, g, b, a uint32) {
	a = t.cover * 0x101
	of := func(shift uint) uint32 { return (2*(t.rgb>>shift&0xff) + 1) * a / (2 * 255) }
	return of(16), of(8), of(0), a
}

// over is the colour with the given opacity over the background.
func (t tint) over(cover uint32) tint { return tint{t.rgb, cover} }

func opaque(rgb uint32) tint { return tint{rgb, 255} }

// shade is a colour for a white page and one in the same place for a dark page.
type shade struct {
	name        string // of the custom property in the style sheet
	light, dark uint32
}

// The colours. Each value of light occurs once, so that it stands for its place.
var (
	ink     = shade{"ink", 0x1A1A1A, 0xE8E8E8}
	muted   = shade{"muted", 0x5A5A5A, 0xA6A6A6}
	grid    = shade{"grid", 0xDDDDDD, 0x393E44}
	paper   = shade{"paper", 0xFFFFFF, 0x15181C}
	held    = shade{"held", 0x8A8A8A, 0x9A9A9A}
	onPale  = shade{"onpale", 0x111111, 0xF0F0F0} // text on the first cells of a heat map
	onDeep  = shade{"ondeep", 0xFEFEFE, 0x101010} // text on the last
	strokes = [...]shade{                         // Okabe and Ito without black and yellow
		{"s0", 0x0072B2, 0x4BA3E3}, {"s1", 0xD55E00, 0xF28A4B}, {"s2", 0x009E73, 0x3CC9A0},
		{"s3", 0xCC79A7, 0xE3A3C8}, {"s4", 0xE69F00, 0xF2BC4A}, {"s5", 0x56B4E9, 0xA5DBFA},
	}
	heats = [...]shade{ // Blues of ColorBrewer (Brewer, Harrower)
		{"h0", 0xF7FBFF, 0x17202A}, {"h1", 0xDEEBF7, 0x182A3C}, {"h2", 0xC6DBEF, 0x1A354F},
		{"h3", 0x9ECAE1, 0x1D4265}, {"h4", 0x6BAED6, 0x21517D}, {"h5", 0x4292C6, 0x2A6298},
		{"h6", 0x2171B5, 0x5FA0DA}, {"h7", 0x08519C, 0x9CC9F0}, {"h8", 0x08306B, 0xDCEEFC},
	}
	// dashes tell lines apart where colours do not.
	dashes = [...][]float64{nil, {6, 2.5}, {2, 2}, {8, 2, 2, 2}}
)

// firstDeep is the first colour of heats that carries the text onDeep.
const firstDeep = 6

func (s shade) ink() tint { return opaque(s.light) }

// stroke is the colour of a series. Six colours and four dashes give twelve different lines.
func stroke(series int) tint { return strokes[series%len(strokes)].ink() }

func dash(series int) []float64 { return dashes[series%len(dashes)] }

func shades() []shade {
	all := []shade{ink, muted, grid, paper, held, onPale, onDeep}
	return append(append(all, strokes[:]...), heats[:]...)
}

// properties lists the colours as custom properties of CSS.
func properties(dark bool) string {
	var b strings.Builder
	for _, s := range shades() {
		rgb := s.light
		if dark {
			rgb = s.dark
		}
		fmt.Fprintf(&b, "--%s:#%06X;", s.name, rgb)
	}
	return b.String()
}

// themed replaces the colours of a figure by the custom properties, so that they follow the page.
// A label cannot be hit: quotes in it are escaped, so it contains no style attribute.
func themed(svg string) string {
	pairs := []string{}
	for _, s := range shades() {
		pairs = append(pairs, fmt.Sprintf("#%06X", s.light), "var(--"+s.name+")")
	}
	colours := strings.NewReplacer(pairs...)
	return styleAttribute().ReplaceAllStringFunc(svg, colours.Replace)
}
