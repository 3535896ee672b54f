package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// visit looks at one node of a file, at any depth.
func (p *pure) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		p.addAt(n.Pos(), "purity/go", "a goroutine makes the order of events depend on the scheduler; "+
			"answer with an Output and go on at the next Input")
	case *ast.SelectStmt:
		p.addAt(n.Pos(), "purity/select", "select chooses at random; ask the driver with Output.Choose")
	case *ast.BranchStmt:
		if n.Tok == token.GOTO {
			p.addAt(n.Pos(), "purity/goto", "goto hides the loops of an algorithm; use for, break and continue")
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			p.assigned(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			p.assigned(n.Key, n.Value)
		}
	case *ast.IncDecStmt:
		p.assigned(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			p.assigned(n.X)
		}
	case *ast.BasicLit:
		if n.Kind == token.FLOAT || n.Kind == token.IMAG {
			p.float(n.Pos())
		}
	case *ast.SelectorExpr:
		p.member(n)
	case *ast.Ident:
		p.builtin(n)
	}
	if e, ok := n.(ast.Expr); ok {
		p.typeOf(e.Pos(), p.checked.info.TypeOf(e))
	}
	return true
}

// assigned reports places that are package variables, or parts of one.
func (p *pure) assigned(places ...ast.Expr) {
	for _, place := range places {
		id := p.root(place)
		if id == nil {
			continue
		}
		v, ok := p.checked.info.Uses[id].(*types.Var)
		if ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			p.addAt(place.Pos(), "purity/assign", fmt.Sprintf("%s is a package variable and may not change; "+
				"keep variable data in the State", v.Name()))
		}
	}
}

// root is the identifier that a place in memory starts from: x in x.a[i], and a in package.a.
func (p *pure) root(place ast.Expr) *ast.Ident {
	for {
		switch e := place.(type) {
		case *ast.Ident:
			return e
		case *ast.ParenExpr:
			place = e.X
		case *ast.StarExpr:
			place = e.X
		case *ast.IndexExpr:
			place = e.X
		case *ast.SelectorExpr:
			if p.memberName(e) != "" {
				return e.Sel
			}
			place = e.X
		default:
			return nil
		}
	}
}

// member reports members of the permitted packages that differ between machines.
func (p *pure) member(s *ast.SelectorExpr) {
	switch name := p.memberName(s); name {
	case "encoding/binary.NativeEndian", "math/bits.UintSize", "strconv.IntSize":
		p.addAt(s.Pos(), "purity/machine", name+" differs between machines; use a fixed order or size")
	}
}

// builtin reports uses of predeclared functions with effects, and of cap.
func (p *pure) builtin(id *ast.Ident) {
	b, ok := p.checked.info.Uses[id].(*types.Builtin)
	if !ok {
		return
	}
	switch b.Name() {
	case "print", "println":
		p.addAt(id.Pos(), "purity/print", b.Name()+" writes to standard error; answer with an Event")
	case "recover":
		p.addAt(id.Pos(), "purity/recover", "recover hides a broken invariant; let the panic reach the driver")
	case "cap":
		p.addAt(id.Pos(), "purity/cap", "cap depends on the allocator, which differs between releases of Go; use len")
	}
}

func (p *pure) float(pos token.Pos) {
	p.addAt(pos, "purity/float", "floating point rounds differently on different machines; use fixed-point integers")
}

// typeOf reports an expression that has, or is, a type which a core may not use.
func (p *pure) typeOf(pos token.Pos, t types.Type) {
	if t == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		p.addAt(pos, "purity/map", "a map has no order, so nor have results computed from it; use a sorted slice")
	case *types.Chan:
		p.addAt(pos, "purity/chan", "a channel waits for others; answer with an Output and go on at the next Input")
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex) != 0 {
			p.float(pos)
		}
	case *types.Tuple:
		for v := range u.Variables() {
			p.typeOf(pos, v.Type())
		}
	}
}
