package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// exported imports packages as the compiler has built them.
type exported struct {
	types.Importer
	files map[string]string // export data, by import path
}

// build builds packages and all that they import.
func build(root string, paths ...string) (*exported, error) {
	cmd := exec.Command(
		"go",
		append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, paths...)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w\n%s", err, stderr.Bytes())
	}
	e := &exported{files: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		e.files[path] = file
	}
	e.Importer = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if e.files[path] == "" {
			return nil, fmt.Errorf("package %s was not built", path)
		}
		return os.Open(e.files[path])
	})
	return e, nil
}

// buildGuarded builds the packages whose API is guarded, and others that a recorded API imports.
func buildGuarded(root string, others ...string) (*exported, error) {
	paths := others
	for _, name := range guarded {
		paths = append(paths, module+name)
	}
	return build(root, paths...)
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

// parseRelease reads the files of a recorded API, and lists what they import from other modules.
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
