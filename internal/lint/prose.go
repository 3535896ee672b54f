package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Prose counts the lines that people read: comments, string literals and Markdown. Lines with fewer
// than [proseWords] words do not count.
type Prose struct {
	Lines   int
	Strange []Strange // lines that hold a shape
}

// Strange is a line of prose that holds a shape which readers stop at.
type Strange struct {
	Path  string
	Line  int
	Shape string
	Text  string
}

// Share is how many lines in 10,000 are strange.
func (p Prose) Share() int { return len(p.Strange) * 10_000 / max(p.Lines, 1) }

const (
	proseWords = 4  // a line with fewer is a label
	proseSlack = 60 // how far below the bound the share may be, in lines in 10,000, before the bound must follow
)

// checkProse holds the share of strange lines at or below its bound, and the bound near the share.
func checkProse(t *Tree, h House) []Finding {
	r := &report{tree: t}
	p := CountProse(t)
	switch share := p.Share(); {
	case share > h.ProseShare:
		r.add("internal/lint/house.go", 1, "prose/share", fmt.Sprintf("%d of %d lines of prose read as translated: "+
			"%d in 10,000, more than %d; list those of a folder with "+
			"\"go test ./internal/lint -run TestProse -v -prose FOLDER\" and rewrite the sentences",
			len(p.Strange), p.Lines, share, h.ProseShare))
	case share+proseSlack < h.ProseShare:
		r.add("internal/lint/house.go", 1, "prose/stale", fmt.Sprintf("only %d in 10,000 lines of prose read as "+
			"translated; lower ProseShare from %d to %d", share, h.ProseShare, share+proseSlack/2))
	}
	return r.done()
}

// CountProse finds the prose of a repository and the strange lines in it. The change log is exempt,
// since it is history, and so is the list of shapes.
func CountProse(t *Tree) Prose {
	c := &proseCounter{shapes: shapes()}
	for _, f := range t.Go {
		if f.Path != "internal/lint/shapes.go" {
			c.goFile(t, f)
		}
	}
	for _, f := range t.Files {
		if strings.HasSuffix(f.Path, ".md") && f.Path != "CHANGELOG.md" && !strings.Contains(f.Path, "testdata/") {
			c.markdown(f)
		}
	}
	return c.prose
}

type proseCounter struct {
	shapes []shape
	prose  Prose
}

// proseLine is a line of text and where it is.
type proseLine struct {
	text string
	line int
}

func (c *proseCounter) goFile(t *Tree, f *GoFile) {
	for _, group := range f.Syntax.Comments {
		var lines []proseLine
		for _, comment := range group.List {
			if text, is := strings.CutPrefix(comment.Text, "// "); is {
				lines = append(lines, proseLine{strings.TrimSpace(text), t.position(comment.Slash).Line})
				continue
			}
			c.paragraph(f.Path, lines)
			lines = nil
		}
		c.paragraph(f.Path, lines)
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
			c.literal(f.Path, lit, t.position(lit.Pos()).Line)
		}
		return true
	})
}

// literal counts the lines of a text in a program.
func (c *proseCounter) literal(path string, lit *ast.BasicLit, line int) {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	raw := strings.HasPrefix(lit.Value, "`")
	for part := range strings.SplitSeq(text, "\n") {
		c.paragraph(path, []proseLine{{strings.TrimSpace(part), line}})
		if raw {
			line++
		}
	}
}

func (c *proseCounter) markdown(f TextFile) {
	var lines []proseLine
	line, fenced := 0, false
	flush := func() {
		c.paragraph(f.Path, lines)
		lines = nil
	}
	for text := range strings.SplitSeq(f.Text, "\n") {
		line++
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "```"):
			fenced = !fenced
			flush()
		case fenced:
		case text == "":
			flush()
		case strings.HasPrefix(text, "|"), strings.HasPrefix(text, "- "), strings.HasPrefix(text, "#"):
			flush()
			lines = append(lines, proseLine{text, line})
		default:
			lines = append(lines, proseLine{text, line})
		}
	}
	flush()
}

// verbatim matches code and quotations, in which no shape counts.
var verbatim = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|“[^”]*”")

// paragraph counts the lines of one paragraph. Its shapes may go across the ends of lines.
func (c *proseCounter) paragraph(path string, lines []proseLine) {
	var text strings.Builder
	starts := make([]int, len(lines))
	for i, l := range lines {
		if i > 0 {
			text.WriteByte(' ')
		}
		starts[i] = text.Len()
		text.WriteString(l.text)
		if len(strings.Fields(l.text)) >= proseWords {
			c.prose.Lines++
		}
	}
	whole := verbatim.ReplaceAllStringFunc(strings.ToLower(text.String()), func(quoted string) string {
		return strings.Repeat("_", len(quoted))
	})
	found := make([]string, len(lines))
	for i := range c.shapes {
		for _, at := range c.shapes[i].find(whole) {
			n, exact := slices.BinarySearch(starts, at)
			if !exact {
				n--
			}
			if found[n] == "" {
				found[n] = c.shapes[i].name
			}
		}
	}
	for i, l := range lines {
		if found[i] != "" && len(strings.Fields(l.text)) >= proseWords {
			c.prose.Strange = append(c.prose.Strange, Strange{path, l.line, found[i], l.text})
		}
	}
}
