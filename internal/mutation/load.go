package mutation

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is the module's path.
const module = "github.com/canvass-grid/canvass"

// Packages are the folders whose code is mutated. The published algorithms are not: their models
// expect them to fail.
var Packages = []string{
	"protocol", "protocol/space", "protocol/match", "protocol/can", "protocol/refine", "protocol/reptask", "protocol/peer",
	"protocol/store", "protocol/drive", "protocol/muster", "protocol/custody", "protocol/lease", "protocol/placement",
	"daemon/driver", "daemon/jobs", "daemon/life", "daemon/node", "daemon/runner/procs", "daemon/runner/shim",
	"daemon/runner",
}

// parts are the files to which the mutants of a package are limited, if they are. Those of a daemon
// decide which attempt at a job may run, its outcome, and the end of a job or an incarnation. Those
// of a runner decide how a task ends and which of its processes and files are removed.
var parts = map[string][]string{
	"daemon/life":   {"fence.go"},
	"daemon/node":   {"decide.go", "end.go"},
	"daemon/runner": {"cgroup_linux.go", "leftover_linux.go", "owner_linux.go", "process_linux.go"},
}

// spared are files without behaviour of their own: texts for people, and documentation.
var spared = []string{"doc.go", "text.go", "event.go"}

// source is a file to mutate.
type source struct {
	path   string // from the root
	whole  bool   // false: it has no mutants, and only hands them on to other processes
	text   []byte
	syntax *ast.File
	info   *types.Info
	pkg    *types.Package
	fset   *token.FileSet
}

// offset is the place of a position in the text.
func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// Root returns the folder of the module that holds the working folder.
func Root() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if filepath.Base(file) != "go.mod" {
		return "", errors.New("the working folder is in no module; run it in the repository")
	}
	return filepath.Dir(file), nil
}

// load reads and type-checks the packages.
func load(root string) ([]source, error) {
	imports, err := Exports(root, packages()...)
	if err != nil {
		return nil, err
	}
	var all []source
	for _, folder := range Packages {
		files, err := loadPackage(root, folder, imports)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		all = append(all, files...)
	}
	return all, nil
}

func loadPackage(root, folder string, imports types.Importer) ([]source, error) {
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	fset := token.NewFileSet()
	var files []source
	var syntax []*ast.File
	for _, p := range paths {
		name := filepath.Base(p)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		// Files of other systems define the same names.
		if here, err := build.Default.MatchFile(filepath.Dir(p), name); err != nil || !here {
			if err != nil {
				return nil, err
			}
			continue
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(fset, p, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, parsed)
		files = append(files, source{path: path.Join(folder, name), text: text, syntax: parsed, fset: fset})
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: imports}
	pkg, err := config.Check(path.Join(module, folder), fset, syntax, info)
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].info, files[i].pkg = info, pkg
	}
	files = slices.DeleteFunc(files, func(f source) bool { return slices.Contains(spared, path.Base(f.path)) })
	for i, f := range files {
		files[i].whole = parts[folder] == nil || slices.Contains(parts[folder], path.Base(f.path))
	}
	return files, nil
}

// packages are the import paths of [Packages].
func packages() []string {
	var paths []string
	for _, folder := range Packages {
		paths = append(paths, path.Join(module, folder))
	}
	return paths
}

// Exports builds packages and all that they import, and returns an importer of them that reads the
// export data of the compiler.
func Exports(root string, packages ...string) (types.Importer, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Dir = root
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w\n%s", err, problems.Bytes())
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		p, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[p] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(p string) (io.ReadCloser, error) {
		if files[p] == "" {
			return nil, fmt.Errorf("package %s was not built", p)
		}
		return os.Open(files[p])
	}), nil
}
