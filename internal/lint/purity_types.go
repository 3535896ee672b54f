package lint

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
)

// loader resolves the types of our packages from source, and those of the standard library's from
// compiled export data.
type loader struct {
	tree     *Tree
	house    House
	standard types.Importer
	done     map[string]*checked
}

// checked is a package with its types. When there are errors the types are incomplete.
type checked struct {
	pkg    *types.Package
	info   *types.Info
	errors []typeError
}

type typeError struct {
	Pos token.Pos
	Msg string
}

func newLoader(t *Tree, h House) *loader {
	return &loader{
		tree:     t,
		house:    h,
		standard: importer.ForCompiler(t.fset, "gc", nil),
		done:     map[string]*checked{},
	}
}

// Import implements types.Importer.
func (l *loader) Import(path string) (*types.Package, error) {
	if folder, ours := l.house.folderOf(`"` + path + `"`); ours {
		c := l.load(folder)
		if c.pkg == nil {
			return nil, errors.New("an import cycle")
		}
		return c.pkg, nil
	}
	return l.standard.Import(path)
}

// load resolves the package in a folder, tests left out.
func (l *loader) load(folder string) *checked {
	if c, ok := l.done[folder]; ok {
		return c
	}
	c := &checked{info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}}
	l.done[folder] = c
	var files []*ast.File
	for _, f := range l.tree.in(folder, false) {
		files = append(files, f.Syntax)
	}
	config := types.Config{
		Importer:    l,
		FakeImportC: true,
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && !e.Soft {
				c.errors = append(c.errors, typeError{e.Pos, e.Msg})
			}
		},
	}
	c.pkg, _ = config.Check(l.house.Module+"/"+folder, l.tree.fset, files, c.info) // errors went to Error
	return c
}
