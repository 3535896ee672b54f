package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

var filesKinds = []string{"direct", "stale", "output", "wait", "pattern"}

// checkFiles finds code that makes a file under its own name, where a full disk or the end of the
// process leaves a part of it, and code that writes to the standard streams by their names, where
// the error of a write is lost. It also finds code that opens a name of the user and waits for a
// named pipe, or takes one for a pattern. Tests are exempt.
func checkFiles(t *Tree, h House) []Finding {
	r := &report{tree: t}
	direct := map[string]bool{}
	for _, f := range t.Go {
		if f.Test || !belowAny(f.Folder, h.Wholes) {
			continue
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if is && makesFile(call) {
				if direct[f.Path] = true; h.Direct[f.Path] == "" {
					r.addAt(call.Pos(), "files/direct", "a full disk would leave a part of this file; write it with "+
						"internal/fileio, or say in house.go why it need not be whole")
				}
			}
			return true
		})
		r.streams(f, h)
		r.waits(f, h)
		r.patterns(f)
	}
	for path := range h.Direct {
		if _, there := t.file(path); there && !direct[path] {
			r.add(path, 1, "files/stale", "it makes no file any more; remove it from the list in house.go")
		}
	}
	return r.done()
}

// streams finds uses of the standard streams by name.
func (r *report) streams(f *GoFile, h House) {
	if !belowAny(f.Folder, h.Streams) || f.Syntax.Name.Name == "main" && strings.HasSuffix(f.Path, "/main.go") {
		return
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			switch name := selected(s); {
			case name == "os.Stdout", name == "os.Stderr", strings.HasPrefix(name, "fmt.Print"):
				r.addAt(s.Pos(), "files/output", name+" loses the error of a write; write to the cli.Output or the "+
					"cli.Messages of the program")
			}
		}
		return true
	})
}

// waits finds calls that open a file for reading and would wait for the writer of a named pipe. A
// name in the code, such as one in /proc, is no user's.
func (r *report) waits(f *GoFile, h House) {
	if !belowAny(f.Folder, h.Named) {
		return
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || len(call.Args) == 0 {
			return true
		}
		s, is := call.Fun.(*ast.SelectorExpr)
		_, own := call.Args[0].(*ast.BasicLit)
		if is && !own && slices.Contains([]string{"os.Open", "os.ReadFile"}, selected(s)) {
			r.addAt(call.Pos(), "files/wait", selected(s)+" waits forever if the name is that of a named pipe; open it "+
				"with internal/fileio")
		}
		return true
	})
}

// patterns finds calls that look for files by a pattern that is not a constant: if a user has named
// a part of it, that may have the meaning of a pattern, too.
func (r *report) patterns(f *GoFile) {
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || len(call.Args) != 1 {
			return true
		}
		s, is := call.Fun.(*ast.SelectorExpr)
		_, own := call.Args[0].(*ast.BasicLit)
		if is && !own && selected(s) == "filepath.Glob" {
			r.addAt(call.Pos(), "files/pattern", "a folder called [1] would be taken for a pattern; use fileio.Match")
		}
		return true
	})
}

// makesFile reports whether a call makes a file, or empties one, under a name.
func makesFile(call *ast.CallExpr) bool {
	s, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return false
	}
	switch selected(s) {
	case "os.Create", "os.CreateTemp", "os.WriteFile", "porcupine.VisualizePath":
		return true
	case "os.OpenFile":
		made := false
		ast.Inspect(call, func(n ast.Node) bool {
			flag, is := n.(*ast.SelectorExpr)
			made = made || is && slices.Contains([]string{"os.O_CREATE", "os.O_TRUNC"}, selected(flag))
			return true
		})
		return made
	}
	return false
}

// selected returns the name in a selector as it is written: os.Create.
func selected(s *ast.SelectorExpr) string {
	if x, is := s.X.(*ast.Ident); is {
		return x.Name + token.PERIOD.String() + s.Sel.Name
	}
	return ""
}

// belowAny reports whether a folder is one of some or below one of them.
func belowAny(folder string, some []string) bool {
	return slices.ContainsFunc(some, func(s string) bool { return folder == s || strings.HasPrefix(folder, s+"/") })
}
