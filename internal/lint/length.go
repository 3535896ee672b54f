package lint

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// checkLength holds files, functions, types and packages to their limits, and those of the table of
// exceptions to their present size.
func checkLength(t *Tree, h House) []Finding {
	r := measured(t, h)
	for _, name := range slices.Sorted(maps.Keys(h.Known)) {
		if _, there := r.sizes[name]; !there {
			r.add(limitsPath, 1, "length/stale", fmt.Sprintf("%s is an exception but not there; %s", name, shrink))
		}
	}
	return r.done()
}

// limitsPath is the table of exceptions, shrink what mends it.
const (
	limitsPath = "internal/lint/limits.txt"
	shrink     = "run go test ./internal/lint -shrink"
)

// measured measures everything that has a limit.
func measured(t *Tree, h House) *ratchet {
	r := &ratchet{report: report{tree: t}, known: h.Known, sizes: map[string]int{}, small: map[string]bool{}}
	for _, f := range t.Go {
		r.lines(f, h)
	}
	for _, folder := range t.folders() {
		files := t.in(folder, false)
		if len(files) == 0 {
			continue
		}
		x := thing{"files " + folder, files[0].Path, 1, "package", "files", "divide it along the walls that exist"}
		r.measure(x, len(files), h.PackageFiles)
		r.types(files, h)
	}
	return r
}

// lines measures a file and its functions.
func (r *ratchet) lines(f *GoFile, h House) {
	fileLimit, funcLimit := h.FileLines, h.FuncLines
	if f.Test {
		fileLimit, funcLimit = h.TestFileLines, h.TestFuncLines
	}
	lines := strings.Count(f.Text, "\n")
	r.measure(thing{f.Path, f.Path, 1, "file", "lines", "split it by concept"}, lines, fileLimit)
	for _, decl := range f.Syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || isTable(fn) {
			continue
		}
		start, end := r.tree.position(fn.Pos()).Line, r.tree.position(fn.End()).Line
		name := f.Path + " " + funcName(fn)
		x := thing{name, f.Path, start, "func", "lines", "give its parts names of their own"}
		r.measure(x, end-start+1, funcLimit)
	}
}

// types measures the types of a package: the methods that are declared on each, and the fields of
// each struct. A method that stands twice, for two systems, counts once; a method or field that
// comes from an embedded type counts there.
func (r *ratchet) types(files []*GoFile, h House) {
	methods := map[string]map[string]bool{}
	for _, f := range files {
		for _, decl := range f.Syntax.Decls {
			if receiver, method, is := strings.Cut(declared(decl), "."); is {
				if methods[receiver] == nil {
					methods[receiver] = map[string]bool{}
				}
				methods[receiver][method] = true
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			name, line := f.Folder+" "+spec.Name.Name, r.tree.position(spec.Pos()).Line
			r.measure(thing{"methods " + name, f.Path, line, "methods", "methods",
				"divide it into several types"}, len(methods[spec.Name.Name]), h.Methods)
			if fields := fieldsOf(spec); fields > 0 {
				r.measure(thing{"fields " + name, f.Path, line, "fields", "fields",
					"put fields that are used together into a type"}, fields, h.Fields)
			}
			return true
		})
	}
}

// declared returns the name that a function or method has in this package, or "".
func declared(decl ast.Decl) string {
	if fn, is := decl.(*ast.FuncDecl); is {
		return funcName(fn)
	}
	return ""
}

// fieldsOf counts the fields of a struct; an embedded one is one.
func fieldsOf(spec *ast.TypeSpec) int {
	s, is := spec.Type.(*ast.StructType)
	if !is {
		return 0
	}
	return s.Fields.NumFields()
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
	sizes map[string]int  // of everything that has a limit
	small map[string]bool // exceptions that are within the limit
}

// thing is a file, a function, a type or a package, and has a size.
type thing struct {
	name string // as the table of exceptions has it
	path string
	line int
	kind string
	unit string
	cure string
}

func (r *ratchet) measure(x thing, size, limit int) {
	r.sizes[x.name] = max(size, r.sizes[x.name])
	known, listed := r.known[x.name]
	switch {
	case !listed && size > limit:
		r.add(x.path, x.line, "length/"+x.kind, fmt.Sprintf("%s: %d %s, more than %d; %s",
			x.name, size, x.unit, limit, x.cure))
	case listed && size > known:
		r.add(x.path, x.line, "length/"+x.kind, fmt.Sprintf("%s grew from %d %s to %d; exceptions only shrink: %s",
			x.name, known, x.unit, size, x.cure))
	case listed && size <= limit:
		r.small[x.name] = true
		r.add(x.path, x.line, "length/stale", fmt.Sprintf("%s is down to %d %s and no exception any more; %s",
			x.name, size, x.unit, shrink))
	case listed && size < known:
		r.add(x.path, x.line, "length/stale", fmt.Sprintf("%s is down from %d to %d %s; %s",
			x.name, known, size, x.unit, shrink))
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
