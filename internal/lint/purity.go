package lint

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/token"
	"go/types"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

var purityKinds = []string{
	"import", "build", "body", "types", // the file as a whole
	"var", "assign", "init", // state that outlives a call
	"go", "select", "chan", // concurrency
	"map", "float", "machine", "cap", // results that differ from run to run or between machines
	"print", "recover", "goto",
}

// checkPurity limits the code below the pure folder to the means of pure functions. Tests are
// exempt.
func checkPurity(t *Tree, h House) []Finding {
	r := &report{tree: t}
	packages := newLoader(t, h)
	for _, folder := range t.folders() {
		if !within(folder, h.Pure) || h.supports(folder) {
			continue
		}
		p := &pure{report: r, house: h, checked: packages.load(folder)}
		for _, f := range t.in(folder, false) {
			p.imports(f)
			p.constraints(f)
			for _, decl := range f.Syntax.Decls {
				p.declaration(decl)
			}
			ast.Inspect(f.Syntax, p.visit)
		}
		if p.foreign { // then the resolver's errors only say the same again
			continue
		}
		for _, err := range p.checked.errors {
			r.addAt(err.Pos, "purity/types", fmt.Sprintf("cannot resolve types: %s; "+
				"make it compile, purity is not known before", err.Msg))
		}
	}
	return r.done()
}

// pure looks at one package.
type pure struct {
	*report
	house   House
	checked *checked
	foreign bool // something is imported that must not be
}

func (p *pure) imports(f *GoFile) {
	for _, spec := range f.Syntax.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		target, ours := p.house.folderOf(spec.Path.Value)
		if ours && within(target, p.house.Pure) || slices.Contains(p.house.PureImports, name) {
			continue
		}
		p.foreign = true
		p.addAt(spec.Pos(), "purity/import", fmt.Sprintf("a core may not import %s; it may import %s and %s/...: "+
			"let the driver do it, by an Input or an Output", name, strings.Join(p.house.PureImports, ", "), p.house.Pure))
	}
}

// constraints reports files that only some machines compile.
func (p *pure) constraints(f *GoFile) {
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Syntax.Package && constraint.IsGoBuild(c.Text) {
				p.addAt(c.Pos(), "purity/build", "a build constraint: two builds would run two protocols; "+
					"make it a field of the configuration")
			}
		}
	}
	nowhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc"}
	nowhere.JoinPath = path.Join
	nowhere.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package any\n")), nil
	}
	if ok, err := nowhere.MatchFile(".", path.Base(f.Path)); err != nil || !ok {
		p.add(f.Path, 1, "purity/build", "the file's name makes it part of some builds only; rename it")
	}
}

func (p *pure) declaration(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name == "init" {
			p.addAt(d.Pos(), "purity/init", "init runs behind the caller's back; compute in a function or use a const")
		}
		if d.Body == nil {
			p.addAt(d.Pos(), "purity/body", "a function without a body is not Go; write it in Go")
		}
	case *ast.GenDecl:
		if d.Tok != token.VAR {
			return
		}
		for _, spec := range d.Specs {
			if v := spec.(*ast.ValueSpec); !isAssertion(v) && !p.isSentinel(v) {
				p.addAt(v.Pos(), "purity/var", "a package variable is state that outlives a step; "+
					"use a const, a function with a switch, or a field of the configuration")
			}
		}
	}
}

// isAssertion recognises var _ Interface = value.
func isAssertion(v *ast.ValueSpec) bool {
	return v.Type != nil && !slices.ContainsFunc(v.Names, func(n *ast.Ident) bool { return n.Name != "_" })
}

// isSentinel recognises var ErrX = errors.New("...").
func (p *pure) isSentinel(v *ast.ValueSpec) bool {
	if len(v.Values) != len(v.Names) {
		return false
	}
	for i, name := range v.Names {
		call, ok := v.Values[i].(*ast.CallExpr)
		if !ok || !strings.HasPrefix(strings.ToLower(name.Name), "err") {
			return false
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || p.memberName(selector) != "errors.New" {
			return false
		}
	}
	return true
}

// memberName is package.Name for a member of an imported package, else empty.
func (p *pure) memberName(s *ast.SelectorExpr) string {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	name, ok := p.checked.info.Uses[x].(*types.PkgName)
	if !ok {
		return ""
	}
	return name.Imported().Path() + "." + s.Sel.Name
}
