package lint

import (
	"go/ast"
	"go/token"
	"slices"
)

// checkIntegers finds floating point in code that decides which job runs when: equal input must
// give equal runs on every machine. It sees types and constants that are written out. Tests are
// exempt.
func checkIntegers(t *Tree, h House) []Finding {
	r := &report{tree: t}
	for _, folder := range h.Integers {
		for _, f := range t.in(folder, false) {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if slices.Contains([]string{"float32", "float64", "complex64", "complex128"}, n.Name) {
						r.floats(n.Pos())
					}
				case *ast.BasicLit:
					if n.Kind == token.FLOAT || n.Kind == token.IMAG {
						r.floats(n.Pos())
					}
				}
				return true
			})
		}
	}
	return r.done()
}

func (r *report) floats(pos token.Pos) {
	r.addAt(pos, "integers/float", "a decision of a scheduler must not depend on rounding; use whole numbers, such as "+
		"microseconds or thousandths")
}
