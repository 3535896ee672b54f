package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// buildGuarded builds the packages whose API is guarded, and others that a recorded API imports.
func buildGuarded(root string, others ...string) (types.Importer, error) {
	paths := others
	for _, name := range guarded {
		paths = append(paths, module+name)
	}
	return mutation.Exports(root, paths...)
}

// release imports packages as a release had them, and all others as they are now.
type release struct {
	now    types.Importer
	guards map[string]*types.Package
}

// Import implements [types.Importer].
func (r *release) Import(path string) (*types.Package, error) {
	if p := r.guards[path]; p != nil {
		return p, nil
	}
	return r.now.Import(path)
}

// recorded is a file of a recorded API.
type recorded struct {
	path   string // of its package
	syntax *ast.File
	fset   *token.FileSet
}

// parseRelease reads the files of a recorded API, and lists their imports from other modules.
func parseRelease(dir string) (files []recorded, others []string, err error) {
	for _, name := range guarded {
		text, err := os.ReadFile(filepath.Join(dir, fileOf(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue // the package is younger than the release
		}
		if err != nil {
			return nil, nil, err
		}
		f, err := parseRecorded(module+name, text)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
		for _, spec := range f.syntax.Imports {
			if path := strings.Trim(spec.Path.Value, `"`); !strings.HasPrefix(path, module) {
				others = append(others, path)
			}
		}
	}
	return files, others, nil
}

func parseRecorded(path string, text []byte) (recorded, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return recorded{}, fmt.Errorf("the recorded API of %s: %w", path, err)
	}
	return recorded{path, syntax, fset}, nil
}

// check returns the package that a recorded API describes.
func (f recorded) check(imports types.Importer) (*types.Package, error) {
	config := types.Config{Importer: imports, IgnoreFuncBodies: true}
	p, err := config.Check(f.path, f.fset, []*ast.File{f.syntax}, nil)
	if err != nil {
		return nil, fmt.Errorf("the recorded API of %s: %w", f.path, err)
	}
	return p, nil
}

// fileOf is the name of the file with the recorded API of a package.
func fileOf(name string) string { return strings.ReplaceAll(name, "/", "_") + ".txt" }
