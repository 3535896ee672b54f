package mutation

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// collector finds the mutants of a file.
type collector struct {
	*mutated
	all    *[]Mutant
	fun    *ast.FuncDecl
	name   string // of the function
	hash   string
	seen   map[string]int
	count  int // of the mutants of the function
	parent map[ast.Node]ast.Node
}

// collect lists the mutants of a file and prepares its instrumented copy.
func collect(s *source, all *[]Mutant) *mutated {
	m := &mutated{source: s, base: map[ast.Node]func() string{}, wraps: map[ast.Node][]func(string) string{}}
	for _, d := range s.syntax.Decls {
		fun, ok := d.(*ast.FuncDecl)
		if !ok || fun.Body == nil || isText(fun) {
			continue
		}
		c := &collector{mutated: m, all: all, fun: fun, name: functionName(fun), seen: map[string]int{}}
		sum := sha256.Sum256([]byte(squeeze(m.raw(fun))))
		c.hash = hex.EncodeToString(sum[:6])
		c.function()
	}
	return m
}

// isText reports whether a function makes a text for people, or lists names for them.
func isText(fun *ast.FuncDecl) bool {
	return fun.Name.Name == "String" || strings.HasSuffix(fun.Name.Name, "Text") || fun.Name.Name == "EventNames"
}

func functionName(fun *ast.FuncDecl) string {
	if fun.Recv == nil || len(fun.Recv.List) == 0 {
		return fun.Name.Name
	}
	t := fun.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if index, ok := t.(*ast.IndexExpr); ok {
		t = index.X
	}
	if index, ok := t.(*ast.IndexListExpr); ok {
		t = index.X
	}
	return t.(*ast.Ident).Name + "." + fun.Name.Name
}

// squeeze puts a text on one line, with single spaces.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// shown is how much of the source a key has.
const shown = 72

// add lists a mutant of a node and returns its number.
func (c *collector) add(op Operator, n ast.Node, text string) uint32 {
	text = strings.ReplaceAll(squeeze(text), "`", "'")
	if len(text) > shown {
		text = text[:shown-1] + "…"
	}
	c.seen[string(op)+text]++
	position := c.fset.Position(n.Pos())
	id := uint32(len(*c.all) + 1)
	*c.all = append(*c.all, Mutant{
		ID: id, Package: strings.TrimSuffix(c.path[:strings.LastIndex(c.path, "/")], "/"), Function: c.name,
		Operator: op, Text: text, Nth: c.seen[string(op)+text], File: c.path, Line: position.Line, Hash: c.hash,
		Index: c.count,
	})
	c.count++
	return id
}

// function finds the mutants of a function, in the order of its source.
func (c *collector) function() {
	c.parent = map[ast.Node]ast.Node{}
	var stack []ast.Node
	var nodes []ast.Node
	ast.Inspect(c.fun.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if _, declares := n.(*ast.GenDecl); declares {
			return false
		}
		if asserts(n) {
			return false
		}
		if len(stack) > 0 {
			c.parent[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		nodes = append(nodes, n)
		return true
	})
	for _, n := range nodes {
		if s, ok := n.(*ast.AssignStmt); ok {
			c.environment(s)
		}
		if !c.whole || c.reports(n) {
			continue
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			c.statements(n.List)
		case *ast.CaseClause:
			c.statements(n.Body)
		case *ast.CompositeLit:
			c.fields(n)
		case *ast.CallExpr:
			c.encoding(n)
			if !c.logs(n) {
				c.swaps(n)
			}
		case *ast.BinaryExpr:
			c.boundary(n)
			c.arithmetic(n)
		}
		if e, ok := n.(ast.Expr); ok {
			c.offByOne(e)
			c.elsewhere(e)
			c.condition(e)
		}
	}
}

// environment passes the mutant to a process whose environment the code sets.
func (c *collector) environment(s *ast.AssignStmt) {
	for _, value := range environments(s) {
		c.wrap(value, "active.Environment(INNER)")
	}
}

// reports reports whether a node is an argument of a call that makes an event, or that logs. The
// event itself is behaviour; its text is for people.
func (c *collector) reports(n ast.Node) bool {
	for p := c.parent[n]; p != nil; n, p = p, c.parent[p] {
		call, ok := p.(*ast.CallExpr)
		if !ok || call.Fun == n {
			continue
		}
		if c.logs(call) {
			return true
		}
		if name := strings.ToLower(method(call)); name == "event" || name == "note" || name == "ignore" {
			return true
		}
	}
	return false
}

// asserts reports whether a statement does nothing but panic if an invariant is broken. Without a
// mutant it never does, so to remove it changes nothing.
func asserts(n ast.Node) bool {
	s, ok := n.(*ast.IfStmt)
	if !ok || s.Else != nil || len(s.Body.List) != 1 {
		return panics(n)
	}
	return panics(s.Body.List[0])
}

func panics(n ast.Node) bool {
	s, ok := n.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}

func (c *collector) typeOf(e ast.Expr) types.Type { return c.info.Types[e].Type }

func (c *collector) constant(e ast.Expr) bool { return c.info.Types[e].Value != nil }

func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

func isBool(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

func isUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// spell writes a type as the file can, or returns false.
func (c *collector) spell(t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == c.pkg {
			return ""
		}
		for _, spec := range c.syntax.Imports {
			if strings.Trim(spec.Path.Value, `"`) == p.Path() && spec.Name == nil {
				return p.Name()
			}
		}
		ok = false
		return p.Name()
	})
	return text, ok && !strings.Contains(text, "struct{") && !strings.Contains(text, "untyped")
}

// pure reports whether an expression can be computed twice: it is made of names and fields.
func pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return pure(e.X)
	case *ast.ParenExpr:
		return pure(e.X)
	}
	return false
}

// assigned reports whether an expression is the target of an assignment, or its address is taken.
func (c *collector) assigned(e ast.Expr) bool {
	switch p := c.parent[e].(type) {
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == e {
				return true
			}
		}
	case *ast.IncDecStmt:
		return true
	case *ast.UnaryExpr:
		return p.Op == token.AND
	case *ast.RangeStmt:
		return p.Key == e || p.Value == e
	case *ast.SelectorExpr:
		return p.X == e // it may be a pointer, or a receiver
	case *ast.IndexExpr:
		return p.X == e && c.assigned(p)
	case *ast.CallExpr:
		return p.Fun == e
	case *ast.KeyValueExpr:
		return p.Key == e
	case *ast.TypeAssertExpr:
		return true
	}
	return false
}
