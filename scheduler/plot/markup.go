package plot

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

//go:embed page.css
var pageStyle string

// pageScript enlarges figures. A page is complete where scripts do not run, as in a mail program.
//
//go:embed page.js
var pageScript string

// policy lets a page do nothing but run its script.
func policy() string {
	sum := sha256.Sum256([]byte(pageScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// document is a page of sections, with a list of them if there are many.
func document(title, intro string, sections []pageSection, many bool) g.Node {
	colours := ":root { color-scheme: light dark; " + properties(false) + " }\n" +
		"@media (prefers-color-scheme: dark) { :root { " + properties(true) + " } }\n"
	return h.Doctype(h.HTML(h.Lang("en"), newline,
		h.Head(newline,
			h.Meta(h.Charset("utf-8")), newline,
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")), newline,
			h.Meta(g.Attr("http-equiv", "Content-Security-Policy"),
				h.Content(policy())), newline,
			h.TitleEl(g.Text(title)), newline,
			h.StyleEl(newline, g.Raw(colours+pageStyle)), newline), newline,
		h.Body(newline,
			h.H1(g.Text(title)), newline, prose(intro), g.If(many, contents(sections)),
			h.Main(newline, lines(sections, pageSection.article)), newline,
			h.Script(g.Raw(pageScript)), newline), newline))
}

// contents links the sections, and the figures of those without a title.
func contents(sections []pageSection) g.Node {
	link := func(id, title string) g.Node { return h.Li(h.A(h.Href("#"+id), g.Text(title))) }
	return g.Group{h.Nav(h.Aria("label", "Contents"), h.Ol(newline, g.Map(sections, func(s pageSection) g.Node {
		if s.Title != "" {
			return g.Group{link(s.id, s.Title), newline}
		}
		return lines(s.figures, func(f pageFigure) g.Node { return link(f.ID, f.Title) })
	}))), newline}
}

func (s pageSection) article() g.Node {
	return h.Article(g.If(s.Title != "", h.ID(s.id)), newline,
		g.If(s.Title != "", g.Group{h.H2(g.Text(s.Title)), newline}), prose(s.Intro), lines(s.Tables, Table.markup),
		g.If(len(s.figures) > 0, h.Div(h.Class("figures"), newline, lines(s.figures, pageFigure.section))))
}

func (t Table) markup() g.Node {
	whole := h.Div(h.Class("whole"), columns(t.Head, t.Rows))
	switch {
	case t.Folded:
		return h.Details(h.Summary(g.Text(t.Title)), newline, whole, newline)
	case t.Title != "":
		return g.Group{h.H3(g.Text(t.Title)), newline, whole}
	}
	return whole
}

func (f pageFigure) section() g.Node {
	return h.Section(h.ID(f.ID), newline,
		h.H3(g.Text(f.Title)), newline,
		h.Figure(newline, g.Raw(f.SVG), g.If(f.Caption != "", g.Group{h.FigCaption(g.Text(f.Caption)), newline})), newline,
		g.If(f.Command != "", g.Group{h.Pre(g.Text(f.Command)), newline}),
		h.Details(h.Summary(g.Text(f.Summary)), newline, h.Div(h.Class("data"), columns(f.Header, f.Rows)), newline), newline)
}

// columns is a table with a row of heads.
func columns(head []string, rows [][]string) g.Node {
	heads := g.Map(head, func(name string) g.Node { return h.Th(h.Scope("col"), g.Text(name)) })
	return h.Table(newline,
		h.THead(h.Tr(heads)), newline,
		h.TBody(newline, lines(rows, func(row []string) g.Node {
			return h.Tr(g.Map(row, func(cell string) g.Node { return h.Td(g.Text(cell)) }))
		})), newline)
}

// prose is text, in paragraphs.
func prose(text string) g.Node {
	return lines(paragraphs(text), func(one string) g.Node { return h.P(g.Text(one)) })
}

var newline = g.Text("\n")

// lines makes a line of each thing.
func lines[T any](all []T, line func(T) g.Node) g.Group {
	return g.Map(all, func(one T) g.Node { return g.Group{line(one), newline} })
}
