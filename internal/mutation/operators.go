package mutation

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// condition makes a condition, or a part of one, always true or always false. It drops
// each part, and once makes a whole conjunction false and a whole disjunction true.
func (c *collector) condition(e ast.Expr) {
	if t := c.typeOf(e); t == nil || !isBool(t) || c.constant(e) || !leaf(e) || c.assigned(e) {
		return
	}
	top, logic, first := c.logic(e)
	switch p := c.parent[top].(type) {
	case *ast.IfStmt, *ast.CaseClause, *ast.ReturnStmt:
	case *ast.ForStmt:
		if logic == token.ILLEGAL {
			logic, first = token.FOR, false
		}
	case *ast.AssignStmt, *ast.CallExpr:
		if _, name := top.(*ast.Ident); name || logic == token.ILLEGAL && pure(e) {
			return
		}
	case *ast.UnaryExpr:
		if p.Op != token.NOT || top == e {
			return // the negation is the leaf
		}
	default:
		return
	}
	text := c.raw(e)
	if logic != token.LOR && logic != token.FOR || first {
		c.wrap(e, "active.True(%[2]d, INNER)", c.add(AlwaysTrue, e, text))
	}
	if logic != token.LAND || first {
		c.wrap(e, "active.False(%[2]d, INNER)", c.add(AlwaysFalse, e, text))
	}
}

// leaf reports whether an expression has no logical parts.
func leaf(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op != token.LAND && e.Op != token.LOR
	case *ast.UnaryExpr:
		_, deeper := e.X.(*ast.ParenExpr)
		return e.Op == token.NOT && !deeper
	case *ast.ParenExpr:
		return false
	}
	return true
}

// logic returns the whole condition that a leaf is a part of, the innermost operator around the
// leaf, and whether the leaf is its first part.
func (c *collector) logic(e ast.Expr) (top ast.Expr, logic token.Token, first bool) {
	top = e
	for {
		switch p := c.parent[top].(type) {
		case *ast.ParenExpr:
			top = p
			continue
		case *ast.BinaryExpr:
			if p.Op != token.LAND && p.Op != token.LOR {
				return top, logic, first
			}
			if logic == token.ILLEGAL {
				logic, first = p.Op, p.X == top
			} else if first && logic == p.Op {
				first = p.X == top
			}
			top = p
			continue
		}
		return top, logic, first
	}
}

var boundaries = map[token.Token]string{
	token.LSS: "Less", token.LEQ: "AtMost", token.GTR: "Greater", token.GEQ: "AtLeast",
}

// boundary moves the boundary of a comparison by one.
func (c *collector) boundary(e *ast.BinaryExpr) {
	name := boundaries[e.Op]
	if name == "" || c.constant(e) {
		return
	}
	id := c.add(Boundary, e, c.raw(e))
	c.base[e] = func() string {
		return fmt.Sprintf("active.%s(%d, %s, %s)", name, id, c.render(e.X), c.render(e.Y))
	}
}

// arithmetic replaces + by - and - by +, where neither operand is a constant.
func (c *collector) arithmetic(e *ast.BinaryExpr) {
	name := map[token.Token]string{token.ADD: "Plus", token.SUB: "Minus"}[e.Op]
	if name == "" || !isInteger(c.typeOf(e)) || c.constant(e.X) || c.constant(e.Y) {
		return
	}
	id := c.add(Arithmetic, e, c.raw(e))
	c.base[e] = func() string {
		return fmt.Sprintf("active.%s(%d, %s, %s)", name, id, c.render(e.X), c.render(e.Y))
	}
}

// largest is the largest constant that is changed: larger ones are limits of encodings.
const largest = 1 << 16

// offByOne makes a constant one less, or 0 one more.
func (c *collector) offByOne(e ast.Expr) {
	if !c.constant(e) || !isInteger(c.typeOf(e)) || isUntyped(c.typeOf(e)) {
		return
	}
	switch p := c.parent[e].(type) {
	case ast.Expr:
		if c.constant(p) {
			return // of a larger constant
		}
		switch p := p.(type) {
		case *ast.BinaryExpr:
			if p.Op != token.ADD && p.Op != token.SUB && p.Op != token.MUL && p.Op != token.REM && p.Op != token.QUO {
				return
			}
		case *ast.CallExpr:
			if name, ok := p.Fun.(*ast.Ident); p.Fun == e || ok && name.Name == "make" {
				return
			}
		case *ast.SliceExpr, *ast.IndexExpr:
		default:
			return // fields and keys are left out as a whole
		}
	case *ast.AssignStmt, *ast.ReturnStmt:
	default:
		return
	}
	v, exact := constant.Int64Val(c.info.Types[e].Value)
	spelt, ok := c.spell(c.typeOf(e))
	if !exact || v < 0 || v > largest || !ok || c.assigned(e) {
		return
	}
	other := v - 1
	if v == 0 {
		other = 1
	}
	c.wrap(e, "active.Or[%[2]s](%[3]d, INNER, %[4]d)", spelt, c.add(OffByOne, e, c.near(e)), other)
}

// near is the source of an expression with that around it, for a constant alone says little.
func (c *collector) near(e ast.Expr) string {
	if p, ok := c.parent[e].(ast.Expr); ok {
		return c.raw(e) + " in " + c.raw(p)
	}
	return c.raw(c.parent[e])
}

// statements leaves statements out.
func (c *collector) statements(list []ast.Stmt) {
	for i, s := range list {
		if c.droppable(s, i > 0) {
			c.wrap(s, "if active.Keep(%[2]d) {\nINNER\n}", c.add(Statement, s, c.raw(s)))
		}
	}
}

func (c *collector) droppable(s ast.Stmt, behind bool) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && !panics(s) && !diagnostic(call) && !c.logs(call)
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && !blank(s.Lhs)
	case *ast.IncDecStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.ReturnStmt:
		block, _ := c.parent[s].(*ast.BlockStmt)
		return behind && block != c.fun.Body && c.fun.Type.Results == nil && len(s.Results) == 0
	}
	return false
}

// diagnostic reports whether a call only says why a message was ignored.
func diagnostic(call *ast.CallExpr) bool { return strings.EqualFold(method(call), "ignore") }

// logs reports whether a call writes a line into a log, which is for people.
func (c *collector) logs(call *ast.CallExpr) bool {
	m, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := c.typeOf(m.X)
	return t != nil && t.String() == "*log/slog.Logger"
}

// method returns the name of the method that is called, or "".
func method(call *ast.CallExpr) string {
	if m, ok := call.Fun.(*ast.SelectorExpr); ok {
		return m.Sel.Name
	}
	return ""
}

func blank(all []ast.Expr) bool {
	for _, e := range all {
		if name, ok := e.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

// fields leaves each field of a composite literal out.
func (c *collector) fields(lit *ast.CompositeLit) {
	structure, ok := c.typeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		value, field := e, ""
		var t types.Type
		if pair, keyed := e.(*ast.KeyValueExpr); keyed {
			value, field = pair.Value, pair.Key.(*ast.Ident).Name
			if v, ok := c.info.Uses[pair.Key.(*ast.Ident)].(*types.Var); ok {
				t = v.Type()
			}
		} else {
			t, field = structure.Field(i).Type(), structure.Field(i).Name()
		}
		c.field(lit, value, field, t)
	}
}

func (c *collector) field(lit *ast.CompositeLit, value ast.Expr, name string, t types.Type) {
	if _, function := value.(*ast.FuncLit); function || t == nil {
		return
	}
	if v := c.info.Types[value].Value; v != nil && isZero(v) {
		return
	}
	spelt, ok := c.spell(t)
	if !ok && (c.constant(value) || !types.Identical(c.typeOf(value), t)) {
		return
	}
	kind := "{…}"
	if lit.Type != nil {
		kind = c.raw(lit.Type) + kind
	}
	id := c.add(Field, value, kind+"."+name+" = "+c.raw(value))
	if ok {
		c.wrap(value, "active.Zero[%[2]s](%[3]d, INNER)", spelt, id)
		return
	}
	c.wrap(value, "active.Zero(%[2]d, INNER)", id)
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	case constant.Int:
		return constant.Sign(v) == 0
	}
	return false
}

// encoding lets a call that appends to an encoding append nothing.
func (c *collector) encoding(call *ast.CallExpr) {
	text := c.raw(call.Fun)
	name := text[strings.LastIndex(text, ".")+1:]
	if !strings.HasPrefix(strings.ToLower(name), "append") || name == "append" || len(call.Args) < 2 {
		return
	}
	signature, ok := c.typeOf(call.Fun).(*types.Signature)
	if !ok || !isBytes(c.typeOf(call)) || call.Ellipsis != token.NoPos {
		return
	}
	at := 0 // the configuration comes first in some
	for at < signature.Params().Len() && !isBytes(signature.Params().At(at).Type()) {
		at++
	}
	if at == signature.Params().Len() {
		return
	}
	rest := make([]string, len(call.Args))
	for i, a := range call.Args {
		rest[i] = c.raw(a)
	}
	rest[at] = "dst"
	id := c.add(Encoding, call, name+"("+strings.Join(rest, ", ")+")")
	c.base[call] = func() string {
		args := make([]string, len(call.Args))
		for i, a := range call.Args {
			args[i] = c.render(a)
		}
		dst := args[at]
		args[at] = "dst_"
		return fmt.Sprintf("active.Skip(%d, %s, func(dst_ []byte) []byte { return %s(%s) })",
			id, dst, c.render(call.Fun), strings.Join(args, ", "))
	}
}

func isBytes(t types.Type) bool { return types.Identical(t, types.NewSlice(types.Typ[types.Byte])) }

// swaps exchanges two arguments of one type that stand side by side.
func (c *collector) swaps(call *ast.CallExpr) {
	if c.info.Types[call.Fun].IsType() || c.info.Types[call.Fun].IsBuiltin() || call.Ellipsis != token.NoPos {
		return
	}
	for i := 0; i+1 < len(call.Args); i++ {
		a, b := call.Args[i], call.Args[i+1]
		ta, tb := c.typeOf(a), c.typeOf(b)
		if !pure(a) || !pure(b) || ta == nil || tb == nil || !types.Identical(ta, tb) || c.raw(a) == c.raw(b) ||
			isUntyped(ta) || c.constant(a) && c.constant(b) {
			continue
		}
		function := "Pick"
		if types.Comparable(ta) {
			function = "Or"
		}
		id := c.add(Swap, call, c.raw(a)+" and "+c.raw(b)+" in "+c.raw(call))
		c.wrap(a, "active.%[2]s(%[3]d, INNER, %[4]s)", function, id, c.raw(b))
		c.wrap(b, "active.%[2]s(%[3]d, INNER, %[4]s)", function, id, c.raw(a))
	}
}
