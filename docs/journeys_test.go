package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// named is a link of the page whose text is a function, a method or a type: [`Turn`](../x/y.go).
var named = regexp.MustCompile("\\[`(\\w+)`\\]\\((\\.\\./[^)#]+\\.go)\\)")

// A page of file names is out of date after the next redesign, unless something fails.
func TestJourneysNameWhatIsThere(t *testing.T) {
	page, err := os.ReadFile("journeys.md")
	require.NoError(t, err)
	links := named.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(links), 40)
	declared := map[string]map[string]bool{}
	for _, link := range links {
		name, file := link[1], link[2]
		if declared[file] == nil {
			declared[file] = declarations(t, file)
		}
		if !declared[file][name] {
			t.Errorf("journeys.md: %s declares no %s; name the function that does this now", file, name)
		}
	}
}

// declarations lists the functions, methods and types of a file.
func declarations(t *testing.T, file string) map[string]bool {
	names := map[string]bool{}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("journeys.md: %v", err)
		return names
	}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, is := s.(*ast.TypeSpec); is {
					names[s.Name.Name] = true
				}
			}
		}
	}
	return names
}
