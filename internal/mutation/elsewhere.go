package mutation

import (
	"go/ast"
	"go/types"
)

// elsewhere reads a value from the wrong place: another field of its struct, another parameter of
// the function, or the node's own identity, of the same type.
func (c *collector) elsewhere(e ast.Expr) {
	t := c.typeOf(e)
	if t == nil || c.constant(e) || c.assigned(e) || !isInteger(t) && !isIdentity(t) {
		return
	}
	other := ""
	switch e := e.(type) {
	case *ast.SelectorExpr:
		other = c.sibling(e, t)
	case *ast.Ident:
		other = c.parameter(e, t)
	}
	if other != "" {
		c.wrap(e, "active.Or(%[2]d, INNER, %[3]s)", c.add(Source, e, other+" for "+c.near(e)), other)
	}
}

// isIdentity reports whether a type is that of a node's identity, or of a structure of numbers
// that is compared as a whole.
func isIdentity(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "NodeID"
}

// sibling returns the next field of the same type in the same struct, after the last the first.
func (c *collector) sibling(e *ast.SelectorExpr, t types.Type) string {
	s := c.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal || !pure(e.X) {
		return ""
	}
	field := s.Obj().(*types.Var)
	owner := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		owner = structOf(owner).Field(i).Type()
	}
	structure := structOf(owner)
	at := s.Index()[len(s.Index())-1]
	for i := 1; i < structure.NumFields(); i++ {
		f := structure.Field((at + i) % structure.NumFields())
		if f == field || !types.Identical(f.Type(), t) {
			continue
		}
		if found, _, _ := types.LookupFieldOrMethod(s.Recv(), true, c.pkg, f.Name()); found == f {
			return c.raw(e.X) + "." + f.Name()
		}
	}
	if isIdentity(t) {
		return c.self(e, c.raw(e))
	}
	return ""
}

func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// parameter returns another parameter of the same type, or the node's own identity.
func (c *collector) parameter(e *ast.Ident, t types.Type) string {
	v, ok := c.info.Uses[e].(*types.Var)
	if !ok || v.IsField() || v.Parent() == c.pkg.Scope() {
		return ""
	}
	signature := c.info.Defs[c.fun.Name].Type().(*types.Signature)
	for i := range signature.Params().Len() {
		p := signature.Params().At(i)
		if p != v && types.Identical(p.Type(), t) && c.visible(e, p) {
			return p.Name()
		}
	}
	if isIdentity(t) {
		return c.self(e, e.Name)
	}
	return ""
}

// visible reports whether a variable can be named at an expression.
func (c *collector) visible(e ast.Expr, v *types.Var) bool {
	scope := c.pkg.Scope().Innermost(e.Pos())
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent(v.Name(), e.Pos())
	return found == v && v.Name() != "_"
}

// self returns the identity of the node whose method the function is, unless the expression is that
// already.
func (c *collector) self(e ast.Expr, but string) string {
	recv := c.info.Defs[c.fun.Name].Type().(*types.Signature).Recv()
	if recv == nil || recv.Name() == "" || !c.visible(e, recv) {
		return ""
	}
	for _, path := range [][]string{{"ID"}, {"Self"}, {"Self", "ID"}, {"Can", "Self", "ID"}, {"CAN", "Self", "ID"}} {
		text, t := recv.Name(), recv.Type()
		for _, name := range path {
			f, _, _ := types.LookupFieldOrMethod(t, true, c.pkg, name)
			field, ok := f.(*types.Var)
			if !ok {
				t = nil
				break
			}
			text, t = text+"."+name, field.Type()
		}
		if t != nil && isIdentity(t) && text != but {
			return text
		}
	}
	return ""
}
