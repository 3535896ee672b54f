package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	models "github.com/canvass-grid/canvass/model/catalog"
)

// ownReasons are the reports of the simulator under the name of a model's property that call no
// predicate of the model, by family, with the reason.
var ownReasons = map[string]map[string]string{
	"dtm":    {"LeaveKeeps": "compares predictions with all earlier ones of the run; dtmmodel.Predictions finds them"},
	"peer":   {"HonestRefusal": allTheTime, "Matched": allTheTime, "JobsEnd": allTheTime},
	"refine": {"Prefers": "the models know one favourite; here the order of all suitors counts"},
	"store": {
		"OneServer": "compares the served keys, which storemodel.Served finds",
		"Certain":   "depends on the faults of the plan",
	},
}

const allTheTime = "depends on a node's abilities over the whole run"

// A property that a family's models and its scenarios have in common is stated once, in the model:
// each condition under which the simulator reports it by name calls a function of the model, and
// the model uses that function for its own property. Reports without a name come from such a
// function.
func TestSharedPropertiesAreTheModels(t *testing.T) {
	checked := 0
	for family, shared := range sharedNames() {
		sources := parse(t, "../"+family)
		names := sources.modelNames()
		used := map[string]bool{}
		for _, file := range sources.files {
			ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
				name, is := literal(n)
				if !is || !slices.Contains(shared, name) || !isReport(stack) {
					return true
				}
				checked++
				calls := conditionCalls(stack, n, names)
				switch why := ownReasons[family][name]; {
				case len(calls) == 0:
					assert.NotEmpty(t, why, "%s: %s is reported without a predicate of the model",
						sources.set.Position(n.Pos()), name)
				default:
					assert.Empty(t, why, "%s: %s calls the model now", sources.set.Position(n.Pos()), name)
				}
				for _, call := range calls {
					used[call] = true
				}
				return true
			})
		}
		for call := range used {
			assert.True(t, isUsedInModels(t, call), "the models do not use %s, which sim/%s calls", call, family)
		}
	}
	assert.Greater(t, checked, 15)
}

// layers are the families whose properties a family's scenarios check as well.
var layers = map[string][]string{"peer": {"can", "refine", "reptask"}, "store": {"can"}}

// sharedNames returns, by family, the properties of single states that scenarios and models have.
// Whole daemons have no model.
func sharedNames() map[string][]string {
	inModels := map[string][]string{}
	for _, m := range models.All() {
		family, _, _ := strings.Cut(strings.TrimPrefix(m.Info().Name, "published/"), "/")
		for _, p := range model.StateProperties([]model.Checkable{m}) {
			inModels[family] = append(inModels[family], p.Name)
		}
	}
	all := map[string][]string{}
	for _, s := range All() {
		family, _, _ := strings.Cut(s.Name, "/")
		known := slices.Clone(inModels[family])
		for _, layer := range layers[family] {
			known = append(known, inModels[layer]...)
		}
		for _, p := range s.Properties() {
			if slices.Contains(known, p.Name) && !slices.Contains(all[family], p.Name) {
				all[family] = append(all[family], p.Name)
			}
		}
	}
	return all
}

// sources are the files of a package, without its tests.
type sources struct {
	set   *token.FileSet
	files []*ast.File
}

func parse(t *testing.T, dir string) sources {
	t.Helper()
	set := token.NewFileSet()
	paths, err := fs.Glob(os.DirFS(dir), "*.go")
	require.NoError(t, err)
	require.NotEmpty(t, paths, dir)
	s := sources{set: set}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, filepath.Join(dir, path), nil, 0)
		require.NoError(t, err)
		s.files = append(s.files, file)
	}
	return s
}

// modelNames returns the names by which the package imports models, as true, and those of fields
// and parameters that have a model's type, as false.
func (s sources) modelNames() map[string]bool {
	names := map[string]bool{}
	for _, file := range s.files {
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); strings.Contains(path, "/model/") && spec.Name != nil {
				names[spec.Name.Name] = true
			}
		}
	}
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if field, is := n.(*ast.Field); is && mentions(field.Type, names) {
				for _, name := range field.Names {
					names[name.Name] = false
				}
			}
			return true
		})
	}
	return names
}

// mentions reports whether a type is one of a model, or a pointer to one.
func mentions(of ast.Expr, names map[string]bool) bool {
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	selector, is := of.(*ast.SelectorExpr)
	if !is {
		return false
	}
	x, is := selector.X.(*ast.Ident)
	return is && names[x.Name]
}

func literal(n ast.Node) (string, bool) {
	basic, is := n.(*ast.BasicLit)
	if !is || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}

// isReport reports whether a name is given to Violate, returned, or assigned.
func isReport(stack []ast.Node) bool {
	switch parent := stack[len(stack)-1].(type) {
	case *ast.CallExpr:
		return lastName(parent.Fun) == "Violate"
	case *ast.ReturnStmt, *ast.AssignStmt:
		return true
	}
	return false
}

// conditionCalls returns the functions of models that the conditions around a report call.
func conditionCalls(stack []ast.Node, report ast.Node, names map[string]bool) (calls []string) {
	for _, n := range stack {
		var conditions []ast.Node
		switch n := n.(type) {
		case *ast.IfStmt:
			if report.Pos() < n.Body.Pos() {
				continue
			}
			if conditions = append(conditions, n.Cond); n.Init != nil {
				conditions = append(conditions, n.Init)
			}
		case *ast.CaseClause:
			for _, each := range n.List {
				conditions = append(conditions, each)
			}
		}
		for _, condition := range conditions {
			ast.Inspect(condition, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				for i, part := range append([]ast.Expr{call.Fun}, call.Args...) {
					selector, is := part.(*ast.SelectorExpr)
					if !is {
						continue
					}
					if imported, known := names[lastName(selector.X)]; known && (i == 0 || imported) {
						calls = append(calls, selector.Sel.Name)
					}
				}
				return true
			})
		}
	}
	return calls
}

// lastName returns a, or the b of a.b.
func lastName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name
	case *ast.SelectorExpr:
		return of.Sel.Name
	}
	return ""
}

// inner are the functions in which a model's exported functions state what the model uses.
var inner = map[string]string{"Still": "still"}

// isUsedInModels reports whether a model uses a function that it declares. The methods of its run
// monitor count as uses: they ask the monitor of the checker.
func isUsedInModels(t *testing.T, function string) bool {
	t.Helper()
	dirs, err := filepath.Glob("../../model/*")
	require.NoError(t, err)
	for _, dir := range dirs {
		if paths, _ := filepath.Glob(dir + "/*.go"); len(paths) == 0 {
			continue
		}
		uses, declared := 0, false
		for _, file := range parse(t, dir).files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					declared = declared || n.Name.Name == function
					if n.Name.Name == function && isMonitor(n) {
						uses++
					}
				case *ast.Ident:
					if n.Name == function || n.Name == inner[function] {
						uses++
					}
				}
				return true
			})
		}
		if declared && uses > 1 {
			return true
		}
	}
	return false
}

// isMonitor reports whether a function is a method of a monitor of runs.
func isMonitor(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	of := f.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	name, is := of.(*ast.Ident)
	return is && slices.Contains([]string{"RunMonitor", "Chronicle"}, name.Name)
}
