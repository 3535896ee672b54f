package plot

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxPageBytes is the length that a page does not exceed.
const MaxPageBytes = 5_000_000

// tableRows is how many rows of data a page shows of a figure; its CSV has all.
const tableRows = 200

// pageFigure is a figure as a page shows it.
type pageFigure struct {
	ID             string
	Title, Caption string
	SVG            string
	Command        string
	Summary        string
	Header         []string
	Rows           [][]string
}

// Section is a part of a page: text, tables and figures about one thing.
type Section struct {
	Title    string // may be empty if the page has one section
	Intro    string // blank lines divide it into paragraphs
	Tables   []Table
	Figures  []*Figure
	Commands []string // one for each figure, or none
}

// Table is shown as it is.
type Table struct {
	Title  string
	Folded bool // only the title is shown until a reader opens it
	Head   []string
	Rows   [][]string // each as long as Head
}

// Page makes one HTML page of figures: pictures, captions, the data of each as a table, and the
// command that makes each again. It loads nothing, and its one script enlarges figures. Colours
// follow the reader's choice of a light or dark page. Blank lines divide the intro into paragraphs.
// commands has one command for each figure, or is empty.
func Page(title, intro string, figures []*Figure, commands []string) ([]byte, error) {
	return Report(title, intro, []Section{{Figures: figures, Commands: commands}})
}

// pageSection is a section as a page shows it.
type pageSection struct {
	Section
	id      string
	figures []pageFigure
}

// Report makes one HTML page of sections, in the manner of [Page].
func Report(title, intro string, sections []Section) ([]byte, error) {
	c := newCheck("page", title, "")
	c.printable("the intro", intro)
	c.count(len(sections), 1_000, "sections")
	figures := checkSections(c, sections)
	if c.err != nil {
		return nil, c.err
	}
	shown := make([]pageSection, 0, len(sections))
	number := 0
	for i, s := range sections {
		one := pageSection{Section: s, id: fmt.Sprintf("part-%d", i+1)}
		for k, f := range s.Figures {
			number++
			p, err := pageOf(f)
			if err != nil {
				return nil, fmt.Errorf("page %q: figure %d: %w", title, number, err)
			}
			p.ID = fmt.Sprintf("figure-%d", number)
			if len(s.Commands) > 0 {
				p.Command = s.Commands[k]
			}
			one.figures = append(one.figures, p)
		}
		shown = append(shown, one)
	}
	var out bytes.Buffer
	if err := document(title, intro, shown, number > 3 || len(sections) > 1).Render(&out); err != nil {
		return nil, fmt.Errorf("page %q: %w", title, err)
	}
	if out.Len() > MaxPageBytes {
		return nil, &DataError{"page", title, tooLong(out.Len(), figures)}
	}
	return out.Bytes(), nil
}

// checkSections checks all parts and returns all figures.
func checkSections(c *check, sections []Section) []*Figure {
	var figures []*Figure
	tables := 0
	for i, s := range sections {
		where := fmt.Sprintf("section %d (%q)", i+1, s.Title)
		c.printable("the title of "+where, s.Title)
		c.printable("the intro of "+where, s.Intro)
		c.require(len(sections) == 1 || strings.TrimSpace(s.Title) != "", "%s has no title; give it one", where)
		c.require(len(s.Commands) == 0 || len(s.Commands) == len(s.Figures),
			"there are %d figures and %d commands; give one for each, or none", len(s.Figures), len(s.Commands))
		for _, t := range s.Tables {
			tables++
			for k, row := range t.Rows {
				c.require(len(row) == len(t.Head), "row %d of table %q has %d cells, and its head has %d", k+1, t.Title,
					len(row), len(t.Head))
				c.printable("a table", strings.Join(row, " "))
			}
		}
		figures = append(figures, s.Figures...)
	}
	c.require(tables > 0 || len(figures) > 0, "there are no figures; give at least one")
	c.require(len(figures) <= 1_000, "there are %d figures; the figure holds 1000, so divide it", len(figures))
	return figures
}

func tooLong(length int, figures []*Figure) string {
	text := fmt.Sprintf("the page would have %s bytes, more than %s; ", Grouped(float64(length), 0),
		Grouped(MaxPageBytes, 0))
	if len(figures) == 0 {
		return text + "leave out tables"
	}
	longest := figures[0]
	for _, f := range figures {
		if len(f.SVG) > len(longest.SVG) {
			longest = f
		}
	}
	return text + fmt.Sprintf("leave out figures, first %q, whose SVG has %s", longest.Title,
		Grouped(float64(len(longest.SVG)), 0))
}

func pageOf(f *Figure) (pageFigure, error) {
	if f == nil {
		return pageFigure{}, errors.New("it is nil; handle the error of its constructor")
	}
	if err := harmless(f.SVG); err != nil {
		return pageFigure{}, fmt.Errorf("%q: its SVG cannot be put into a page: %w", f.Title, err)
	}
	all, err := csv.NewReader(bytes.NewReader(f.CSV)).ReadAll()
	if err != nil || len(all) == 0 {
		return pageFigure{}, fmt.Errorf("%q: its CSV cannot be read (%v); use that of the constructor", f.Title, err)
	}
	p := pageFigure{Title: f.Title, Caption: f.Caption, SVG: themed(string(f.SVG)), Header: all[0]}
	rows := all[1:]
	p.Summary = "Data: 1 row"
	if len(rows) != 1 {
		p.Summary = fmt.Sprintf("Data: %s rows", Grouped(float64(len(rows)), 0))
	}
	if len(rows) > tableRows {
		p.Summary += fmt.Sprintf(", of which %d are shown at equal distances; the others are not on this page", tableRows)
	}
	shown := min(len(rows), tableRows)
	for i := range shown {
		p.Rows = append(p.Rows, rows[i*len(rows)/shown])
	}
	return p, nil
}

// harmless refuses what a page must not contain. The constructors make no such thing, but a Figure
// can also be filled by hand. Without identifiers, figures cannot clash.
func harmless(svg []byte) error {
	if bytes.Contains(svg, []byte("<!")) { // HTML and XML disagree about where these end
		return errors.New("it has a comment, a CDATA section or a document type")
	}
	allowed := map[string]bool{"svg": true, "title": true, "desc": true, "g": true, "path": true, "text": true}
	d := xml.NewDecoder(bytes.NewReader(svg))
	depth, elements := 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("it is not well formed: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if !allowed[t.Name.Local] || depth == 0 && (elements > 0 || t.Name.Local != "svg") {
				return fmt.Errorf("it has an element %s where figures have none", t.Name.Local)
			}
			for _, a := range t.Attr {
				name := strings.ToLower(a.Name.Local)
				if name == "id" || name == "href" || strings.HasPrefix(name, "on") ||
					strings.Contains(strings.ToLower(a.Value), "url(") {
					return fmt.Errorf("it has an attribute %s=%q, which figures do not have", a.Name.Local, a.Value)
				}
			}
			depth++
			elements++
		case xml.EndElement:
			depth--
		case xml.ProcInst:
			return errors.New("it has a processing instruction")
		}
	}
	if elements == 0 {
		return errors.New("it is empty")
	}
	return nil
}

func paragraphs(text string) []string {
	var out []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
