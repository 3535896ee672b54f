package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

var onceKinds = []string{"call", "declaration", "flag", "stale"}

// Single is a package that does something for others, so that it is done in one way. The code that
// uses it does not do the same by itself.
type Single struct {
	Home   string            // the package
	Users  []string          // folders whose code uses it
	Calls  []string          // functions that only it calls: json.Marshal
	Names  []string          // functions and types that only it declares, without regard to case
	Flags  []string          // flags that only it defines
	Except map[string]string // files that may call one of the functions, and why
}

// checkOnce finds second ways to do the work of a package that does it for all. Tests are exempt.
func checkOnce(t *Tree, h House) []Finding {
	r := &report{tree: t}
	for _, s := range h.Once {
		used := map[string]bool{}
		for _, f := range t.Go {
			if !f.Test && f.Folder != s.Home && belowAny(f.Folder, s.Users) {
				r.second(f, &s, used)
			}
		}
		for path := range s.Except {
			if _, there := t.file(path); there && !used[path] {
				r.add(path, 1, "once/stale", "it calls none of these functions any more; remove it from the list in "+
					"house.go")
			}
		}
	}
	return r.done()
}

// second finds the calls of a file that duplicate the work of a package.
func (r *report) second(f *GoFile, s *Single, used map[string]bool) {
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if name := selected(n); slices.Contains(s.Calls, name) {
				if used[f.Path] = true; s.Except[f.Path] == "" {
					r.addAt(n.Pos(), "once/call", fmt.Sprintf("%s does this in one way for all; use it instead of %s",
						s.Home, name))
				}
			}
		case *ast.FuncDecl:
			r.declared(n.Name, s, n.Recv == nil)
		case *ast.TypeSpec:
			r.declared(n.Name, s, true)
		case *ast.CallExpr:
			r.defined(n, s)
		}
		return true
	})
}

func (r *report) declared(name *ast.Ident, s *Single, counts bool) {
	if counts && slices.ContainsFunc(s.Names, func(n string) bool { return strings.EqualFold(n, name.Name) }) {
		r.addAt(name.Pos(), "once/declaration", fmt.Sprintf("%s has %s for all; use that", s.Home, name.Name))
	}
}

// defined finds the definition of a flag: flags.BoolVar(&asked, "json", false, "write JSON").
func (r *report) defined(call *ast.CallExpr, s *Single) {
	method, is := call.Fun.(*ast.SelectorExpr)
	if !is || len(call.Args) < 3 || !strings.Contains(method.Sel.Name, "Var") {
		return
	}
	if name, is := call.Args[1].(*ast.BasicLit); is && name.Kind == token.STRING {
		if text, err := strconv.Unquote(name.Value); err == nil && slices.Contains(s.Flags, text) {
			r.addAt(call.Pos(), "once/flag", fmt.Sprintf("%s defines the flag --%s for all; use that", s.Home, text))
		}
	}
}
