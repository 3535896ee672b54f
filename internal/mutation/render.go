package mutation

import (
	"fmt"
	"go/ast"
	"strings"
)

// mutated is a file in which every mutant can be switched on.
type mutated struct {
	*source
	// base renders a node specially, instead of its source with its children rendered.
	base map[ast.Node]func() string
	// wraps are applied to the result, in their order.
	wraps map[ast.Node][]func(inner string) string
}

func (f *mutated) wrap(n ast.Node, format string, args ...any) {
	f.wraps[n] = append(f.wraps[n], func(inner string) string {
		return fmt.Sprintf(strings.ReplaceAll(format, "INNER", "%[1]s"), append([]any{inner}, args...)...)
	})
}

func (f *mutated) touched(n ast.Node) bool { return f.base[n] != nil || len(f.wraps[n]) > 0 }

// raw is the source of a node.
func (f *mutated) raw(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

// render returns the source of a node with its mutants.
func (f *mutated) render(n ast.Node) string {
	var text string
	if base := f.base[n]; base != nil {
		text = base()
	} else {
		text = f.within(n)
	}
	for _, w := range f.wraps[n] {
		text = w(text)
	}
	return text
}

// within returns the source of a node with the mutants of its children.
func (f *mutated) within(n ast.Node) string {
	var b strings.Builder
	at := f.offset(n.Pos())
	ast.Inspect(n, func(child ast.Node) bool {
		if child == nil || child == n {
			return child == n
		}
		if !f.touched(child) {
			return true
		}
		b.Write(f.text[at:f.offset(child.Pos())])
		b.WriteString(f.render(child))
		at = f.offset(child.End())
		return false
	})
	b.Write(f.text[at:f.offset(n.End())])
	return b.String()
}

// file returns the whole file.
func (f *mutated) file() string {
	all := f.within(f.syntax)
	head := string(f.text[:f.offset(f.syntax.Pos())])
	name := f.syntax.Name.Name
	all = strings.Replace(all, "package "+name, "package "+name+"\n\nimport \""+module+"/internal/mutation/active\"\n", 1)
	return head + all + "\n" + string(f.text[f.offset(f.syntax.End()):]) + "\nvar _ = active.None\n"
}
