package plot_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

func figures(t *testing.T) []*plot.Figure {
	t.Helper()
	var list []*plot.Figure
	for _, m := range makers() {
		f, err := m.make()
		require.NoError(t, err)
		list = append(list, f)
	}
	return list
}

func TestPageHoldsEverythingItself(t *testing.T) {
	list := figures(t)
	commands := make([]string, len(list))
	for i := range commands {
		commands[i] = fmt.Sprintf("canvass lab run e/%d --set a=<b>", i)
	}
	page, err := plot.Page("Chapter 4 & more", "First.\n\nSecond <i>.", list, commands)
	require.NoError(t, err)
	again, err := plot.Page("Chapter 4 & more", "First.\n\nSecond <i>.", list, commands)
	require.NoError(t, err)
	assert.Equal(t, page, again)
	text := string(page)
	assert.Contains(t, text, "<h1>Chapter 4 &amp; more</h1>")
	assert.Contains(t, text, "<p>First.</p>\n<p>Second &lt;i&gt;.</p>")
	assert.Contains(t, text, "<pre>canvass lab run e/7 --set a=&lt;b&gt;</pre>")
	assert.Contains(t, text, "<td>85.1</td>", "the data stand below the picture")
	assert.Contains(t, text, "prefers-color-scheme: dark")
	assert.Equal(t, len(list), strings.Count(text, "<svg "))
	assert.Equal(t, len(list), strings.Count(text, "<details>"))

	_, after, found := strings.Cut(text, "<script>")
	require.True(t, found)
	script, rest, _ := strings.Cut(after, "</script>")
	assert.NotContains(t, rest, "<script", "there is one")
	sum := sha256.Sum256([]byte(script))
	assert.Contains(t, html.UnescapeString(text), "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	bare := strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, "")
	assert.NotRegexp(t, `https?:|src=|url\(|@import|<link`, bare)
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		assert.False(t, seen[m[1]], "%s occurs twice", m[1])
		seen[m[1]] = true
	}
	assert.Len(t, seen, len(list))
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(text, -1) {
		assert.True(t, seen[m[1]], "%s does not exist", m[1])
	}
}

func TestLabelsAreEscaped(t *testing.T) {
	s := bars()
	s.Title, s.Caption = `<script>alert(1)</script>`, `a & "b"`
	s.Groups[0].Label, s.YLabel = `<b>&"'`, `<text style="fill:#1A1A1A">`
	f, err := plot.Bars(s)
	require.NoError(t, err)
	page, err := plot.Page(s.Title, s.Title, []*plot.Figure{f}, []string{s.Title})
	require.NoError(t, err)
	for _, text := range []string{string(f.SVG), string(page)} {
		assert.NotContains(t, text, "<script>alert")
		assert.NotContains(t, text, "<b>")
		assert.Contains(t, text, "&lt;b&gt;&amp;&#34;&#39;</text>")
		assert.Contains(t, text, `&lt;text style=&#34;fill:#1A1A1A&#34;&gt;</text>`, "a label keeps its colours")
	}
}

func TestPageShowsAShareOfLongTables(t *testing.T) {
	s := steps()
	for i := range 1_000 {
		s.Series[0].X = append(s.Series[0].X, 10)
		s.Series[0].Y = append(s.Series[0].Y, float64(i))
	}
	f, err := plot.Steps(s)
	require.NoError(t, err)
	page, err := plot.Page("P", "", []*plot.Figure{f}, nil)
	require.NoError(t, err)
	assert.Contains(t, string(page), "Data: 1,004 rows, of which 200 are shown")
	assert.Equal(t, 201, strings.Count(string(page), "<tr>"))
	assert.NotContains(t, string(page), "<nav")
	assert.NotContains(t, string(page), "<pre>")
	assert.Contains(t, string(page), "at equal distances; the others are not on this page")

	report, err := plot.Report("P", "", []plot.Section{{Figures: []*plot.Figure{f}}})
	require.NoError(t, err)
	assert.Contains(t, string(report), "at equal distances; the others are not on this page")
}

// One run has no interval: the figure says so of its bar, and of all if there is no other.
func TestBarsOfOneRunHaveNoInterval(t *testing.T) {
	spec := bars()
	some, err := plot.Bars(spec)
	require.NoError(t, err)
	assert.Contains(t, string(some.SVG), ">mean, 95 % interval<")
	assert.Contains(t, string(some.SVG), ">n = 1: no interval<")
	for i := range spec.Groups {
		spec.Groups[i].Low, spec.Groups[i].High, spec.Groups[i].N = none, none, 1
	}
	none, err := plot.Bars(spec)
	require.NoError(t, err)
	assert.Contains(t, string(none.SVG), ">one run each: no interval<")
	assert.NotContains(t, string(none.SVG), "95 %")
}

func TestPageRefusesWhatItCannotShow(t *testing.T) {
	good := figures(t)[0]
	withSVG := func(svg string) *plot.Figure { return &plot.Figure{Title: "T", SVG: []byte(svg), CSV: good.CSV} }
	inside := func(s string) *plot.Figure { return withSVG("<svg>" + s + "</svg>") }
	for _, c := range []struct {
		name     string
		figure   *plot.Figure
		commands []string
		says     string
	}{
		{"commands", good, []string{"a", "b"}, "there are 1 figures and 2 commands"},
		{"nil", nil, nil, "figure 1: it is nil"},
		{"empty", withSVG(""), nil, "it is empty"},
		{"not XML", withSVG("<svg>"), nil, "not well formed"},
		{"script", inside("<script/>"), nil, "an element script"},
		{"HTML", withSVG("<g/>"), nil, "an element g"},
		{"second root", withSVG("<svg/><svg/>"), nil, "an element svg"},
		{"handler", inside(`<g onload="f()"/>`), nil, `an attribute onload="f()"`},
		{"link", inside(`<g href="x"/>`), nil, "an attribute href"},
		{"identifier", inside(`<g id="x"/>`), nil, "an attribute id"},
		{"resource", inside(`<g style="fill:URL(x)"/>`), nil, "an attribute style"},
		{"hidden", inside(`<title><![CDATA[x><script>]]></title>`), nil, "a CDATA section"},
		{"instruction", withSVG(`<?xml version="1.0"?><svg/>`), nil, "a processing instruction"},
		{"CSV", &plot.Figure{Title: "T", SVG: good.SVG, CSV: []byte("a\"b\n")}, nil, "its CSV cannot be read"},
		{"long", inside("<desc>" + strings.Repeat("x", plot.MaxPageBytes) + "</desc>"), nil,
			`leave out figures, first "T", whose SVG has 5,000,024`},
	} {
		t.Run(c.name, func(t *testing.T) {
			page, err := plot.Page("P", "", []*plot.Figure{c.figure}, c.commands)
			require.ErrorContains(t, err, c.says)
			assert.Nil(t, page)
		})
	}
	_, err := plot.Page("P", "", nil, nil)
	require.ErrorContains(t, err, "there are no figures")
}

// A report shows the tables of its sections, and their errors.
func TestReport(t *testing.T) {
	f, err := plot.Bars(bars())
	require.NoError(t, err)
	table := plot.Table{Title: "verdicts", Head: []string{"claim", "found"}, Rows: [][]string{{"a < b", "2 & 3"}}}
	folded := table
	folded.Title, folded.Folded = "settings", true
	one := plot.Section{Title: "first", Intro: "why", Tables: []plot.Table{table, folded}, Figures: []*plot.Figure{f}}
	two := plot.Section{Title: "second", Figures: []*plot.Figure{f}, Commands: []string{"make it"}}
	page, err := plot.Report("report", "", []plot.Section{one, two})
	require.NoError(t, err)
	for _, text := range []string{
		"<h2>first</h2>", "<td>a &lt; b</td><td>2 &amp; 3</td>", "<summary>settings</summary>", "<pre>make it</pre>",
		`<a href="#part-2">second</a>`, `id="part-2"`, `id="figure-2"`,
	} {
		assert.Contains(t, string(page), text)
	}
	one.Figures = nil
	_, err = plot.Report("report", "", []plot.Section{one})
	require.NoError(t, err, "tables without figures are a page")
	table.Rows = [][]string{{"a"}}
	one.Tables = []plot.Table{table}
	_, err = plot.Report("report", "", []plot.Section{one})
	require.ErrorContains(t, err, `row 1 of table "verdicts" has 1 cells, and its head has 2`)
	two.Title = " "
	_, err = plot.Report("report", "", []plot.Section{two, two})
	require.ErrorContains(t, err, "has no title")
}
