package lint

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// checkLength holds files and functions to their limits, and those of the table of exceptions to
// their present length.
func checkLength(t *Tree, h House) []Finding {
	r := &ratchet{report: report{tree: t}, known: h.Known, seen: map[string]bool{}}
	for _, f := range t.Go {
		fileLimit, funcLimit := h.FileLines, h.FuncLines
		if f.Test {
			fileLimit, funcLimit = h.TestFileLines, h.TestFuncLines
		}
		lines := strings.Count(f.Text, "\n")
		r.measure(thing{f.Path, f.Path, 1, "file", "split it by concept"}, lines, fileLimit)
		for _, decl := range f.Syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || isTable(fn) {
				continue
			}
			start, end := t.position(fn.Pos()).Line, t.position(fn.End()).Line
			name := f.Path + " " + funcName(fn)
			r.measure(thing{name, f.Path, start, "func", "give its parts names of their own"}, end-start+1, funcLimit)
		}
	}
	r.packages(h)
	for _, name := range slices.Sorted(maps.Keys(h.Known)) {
		if !r.seen[name] {
			file, _, _ := strings.Cut(name, " ")
			r.add(file, 1, "length/stale", fmt.Sprintf("%s is an exception but not there; "+
				"remove its entry from Known in internal/lint/house.go", name))
		}
	}
	return r.done()
}

// packages holds each package to the number of files that it may have.
func (r *ratchet) packages(h House) {
	for _, folder := range r.tree.folders() {
		files := r.tree.in(folder, false)
		limit, best := h.PackageFiles[""], ""
		for f, n := range h.PackageFiles {
			if within(folder, f) && len(f) > len(best) {
				limit, best = n, f
			}
		}
		if len(files) > limit {
			r.add(files[0].Path, 1, "length/package", fmt.Sprintf("package %s has %d files, more than %d; "+
				"divide it along the walls that exist", folder, len(files), limit))
		}
	}
}

// isTable reports whether a function does nothing but return a composite literal, after it named
// values for it. Such a table is data: it has as many lines as it has entries.
func isTable(fn *ast.FuncDecl) bool {
	if fn.Body == nil || len(fn.Body.List) == 0 {
		return false
	}
	last := len(fn.Body.List) - 1
	for _, s := range fn.Body.List[:last] {
		if _, names := s.(*ast.AssignStmt); !names {
			return false
		}
	}
	result, ok := fn.Body.List[last].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return false
	}
	_, literal := result.Results[0].(*ast.CompositeLit)
	return literal
}

type ratchet struct {
	report
	known map[string]int
	seen  map[string]bool
}

// thing is what has a length: a file or a function.
type thing struct {
	name string // as the table of exceptions has it
	path string
	line int
	kind string
	cure string
}

func (r *ratchet) measure(x thing, lines, limit int) {
	r.seen[x.name] = true
	known, listed := r.known[x.name]
	switch {
	case !listed && lines > limit:
		r.add(x.path, x.line, "length/"+x.kind, fmt.Sprintf("%s has %d lines, more than %d; %s",
			x.name, lines, limit, x.cure))
	case listed && lines > known:
		r.add(x.path, x.line, "length/"+x.kind, fmt.Sprintf("%s grew from %d lines to %d; exceptions only shrink: %s",
			x.name, known, lines, x.cure))
	case listed && lines <= limit:
		r.add(x.path, x.line, "length/stale", fmt.Sprintf("%s is down to %d lines; "+
			"remove its entry from Known in internal/lint/house.go", x.name, lines))
	case listed && lines < known:
		r.add(x.path, x.line, "length/stale", fmt.Sprintf("%s is down to %d lines; "+
			"lower its entry in Known in internal/lint/house.go from %d", x.name, lines, known))
	}
}

// funcName is Name, or Type.Name for a method.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	receiver := strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
	receiver, _, _ = strings.Cut(receiver, "[")
	return receiver + "." + fn.Name.Name
}
