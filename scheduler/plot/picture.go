package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// Picture returns the figure as an SVG document in which the title stands above the drawing and the
// caption below it, for use without a page. A window that is narrower shows all of it smaller.
func (f *Figure) Picture() ([]byte, error) {
	var wide, high float64
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox=`
	if _, err := fmt.Sscanf(string(f.SVG), head, &wide, &high); err != nil {
		return nil, &DataError{"picture", f.Title, "its SVG is not that of a constructor of this package"}
	}
	_, rest, _ := strings.Cut(string(f.SVG), ` role="img"`)
	body, closed := strings.CutSuffix(strings.TrimRight(rest, " \n"), "</svg>")
	if !closed {
		return nil, &DataError{"picture", f.Title, "its SVG has no end"}
	}
	above, below := wrap(f.Title, wide-2*gap), wrap(f.Caption, wide-2*gap)
	top := lineHeight*float64(len(above)) + gap
	bottom := lineHeight*float64(len(below)) + gap
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 %g %g %g"`+
		` style="max-width:100%%;height:auto" role="img"%s`, wide, top+high+bottom, -top, wide, top+high+bottom, body)
	fmt.Fprintf(&out, `<path d="M0 %[1]g H%[2]g V0 H0 Z M0 %[3]g H%[2]g V%[4]g H0 Z" style="fill:#%06[5]X"/>`+"\n",
		-top, wide, high, high+bottom, paper.light)
	write := func(lines []string, y float64, colour shade) error {
		for i, l := range lines {
			if l == "" {
				continue
			}
			fmt.Fprintf(&out, `<text x="%g" y="%g" textLength="%.1f" lengthAdjust="spacingAndGlyphs" font-size="%gpx" `+
				`style="fill:#%06X">`, gap, y+lineHeight*(float64(i)+0.8), textWidth(textSize, l), textSize, colour.light)
			if err := xml.EscapeText(&out, []byte(l)); err != nil {
				return err
			}
			out.WriteString("</text>\n")
		}
		return nil
	}
	if err := write(above, -top+gap/2, ink); err != nil {
		return nil, err
	}
	if err := write(below, high, muted); err != nil {
		return nil, err
	}
	out.WriteString("</svg>\n")
	return out.Bytes(), nil
}
