package lint

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// linkTarget is the part of a Markdown link that a reader does not see.
var linkTarget = regexp.MustCompile(`\]\([^)]*\)`)

// checkWidth keeps lines short enough to be read side by side. A tab counts as one column.
func checkWidth(t *Tree, h House) []Finding {
	r := &report{tree: t}
	for _, f := range t.Go {
		r.goWidth(f, h)
	}
	for _, f := range t.Files {
		if strings.HasSuffix(f.Path, ".md") {
			r.markdownWidth(f, h.CommentColumns)
		}
	}
	return r.done()
}

func (r *report) goWidth(f *GoFile, h House) {
	line, output := 0, false
	for text := range strings.SplitSeq(f.Text, "\n") {
		line++
		comment, full := strings.CutPrefix(strings.TrimSpace(text), "//")
		// The output of an example is compared unchanged.
		output = full && (output || strings.HasSuffix(strings.ToLower(strings.TrimSpace(comment)), "output:"))
		columns := utf8.RuneCountInString(text)
		switch {
		case output || strings.HasPrefix(comment, "go:"):
		case full && columns > h.CommentColumns:
			r.add(f.Path, line, "width/comment", fmt.Sprintf("a comment of %d columns, more than %d; wrap it",
				columns, h.CommentColumns))
		case !full && columns > h.CodeColumns:
			r.add(f.Path, line, "width/code", fmt.Sprintf("code of %d columns, more than %d; break the line",
				columns, h.CodeColumns))
		}
	}
}

// markdownWidth passes over tables and code, which cannot be wrapped.
func (r *report) markdownWidth(f TextFile, limit int) {
	line, fenced := 0, false
	for text := range strings.SplitSeq(f.Text, "\n") {
		line++
		trimmed := strings.TrimSpace(text)
		if strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(trimmed, "|") || strings.HasPrefix(text, "    ") {
			continue
		}
		if n := utf8.RuneCountInString(linkTarget.ReplaceAllString(text, "]")); n > limit {
			r.add(f.Path, line, "width/markdown", fmt.Sprintf("%d columns, more than %d; wrap the paragraph", n, limit))
		}
	}
}
