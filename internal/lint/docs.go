package lint

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
)

// checkDocs demands a doc.go that says something, and of the packages that make promises, the
// promises.
func checkDocs(t *Tree, h House) []Finding {
	r := &report{tree: t}
	for _, folder := range t.folders() {
		files := t.in(folder, false)
		if len(files) == 0 {
			continue
		}
		doc := path.Join(folder, "doc.go")
		i := slices.IndexFunc(files, func(f *GoFile) bool { return f.Path == doc })
		if i < 0 {
			r.add(files[0].Path, 1, "docs/missing",
				fmt.Sprintf("package %s has no doc.go; write one with the package comment", folder))
			continue
		}
		lines := strings.FieldsFunc(files[i].Syntax.Doc.Text(), func(c rune) bool { return c == '\n' })
		if len(lines) < 2 {
			r.addAt(files[i].Syntax.Package, "docs/comment", "the package comment is missing or of a single line; "+
				"state the purpose of the package, its guarantees and the duties of callers")
			continue
		}
		if !strings.HasPrefix(lines[0], "Package ") && !strings.HasPrefix(lines[0], "Command ") {
			r.addAt(files[i].Syntax.Package, "docs/first", "the package comment does not begin with \"Package NAME\" or "+
				"\"Command NAME\"; say in its first sentence what the package is for, since \"go list\" shows that sentence")
		}
		if below(folder, h.Contracts) {
			r.contract(files[i], lines, t.in(folder, true))
		}
	}
	return r.done()
}

// below reports whether a folder is truly below one of the others.
func below(folder string, others []string) bool {
	return slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(folder, o+"/") })
}

func (r *report) contract(doc *GoFile, lines []string, tests []*GoFile) {
	heading := func(words ...string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			title, ok := strings.CutPrefix(strings.ToLower(l), "# ")
			return ok && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(title, w) })
		})
	}
	at := doc.Syntax.Package
	if !heading("guarantee") {
		r.addAt(at, "docs/guarantees", "the package comment has no heading with Guarantees; "+
			"list the guarantees, each property by its name")
	}
	if !heading("assum", "not model") {
		r.addAt(at, "docs/assumptions", "the package comment has no heading with Assumptions or \"does not model\"; "+
			"say under which conditions the guarantees hold")
	}
	if !slices.ContainsFunc(tests, hasExample) {
		r.addAt(at, "docs/example", fmt.Sprintf("package %s has no example; "+
			"add example_test.go with a func Example that has an Output comment", doc.Folder))
	}
}

// hasExample reports whether a test file has an example that "go test" runs: one with an output.
func hasExample(f *GoFile) bool {
	for _, decl := range f.Syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Example") {
			continue
		}
		for _, group := range f.Syntax.Comments {
			text := strings.ToLower(strings.TrimSpace(group.Text()))
			if fn.Pos() < group.Pos() && group.End() < fn.End() &&
				(strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:")) {
				return true
			}
		}
	}
	return false
}
