package mutation

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Edit is a mutant that was written by hand: another text at one place of a file.
type Edit struct {
	Name     string
	File     string // from the root of the module
	Old, New string // Old occurs exactly once in the file
}

// apply returns the text of the file with the edit.
func (e Edit) apply(text string) (string, error) {
	if n := strings.Count(text, e.Old); n != 1 {
		return "", fmt.Errorf(
			"mutant %s: the old text occurs %d times in %s, not once: fit the mutant to the code", e.Name, n, e.File)
	}
	return strings.Replace(text, e.Old, e.New, 1), nil
}

// Fits returns an error unless the edit can be switched on in the code as it is.
func (e Edit) Fits(root string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.File)))
	if err != nil {
		return err
	}
	_, _, err = e.function(string(text), 0)
	return err
}

// Overlay writes a mutated copy of the file and the overlay for it into a folder, and returns the
// path of the overlay, for a program that has this one mistake. Root is the folder of the module.
func (e Edit) Overlay(root, folder string) (string, error) {
	source := filepath.Join(root, filepath.FromSlash(e.File))
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	mutated, err := e.apply(string(text))
	if err != nil {
		return "", err
	}
	return writeOverlay(root, folder, map[string]string{e.File: mutated})
}

// writeOverlay writes copies of files, given from the root, and the overlay that puts them in their
// place.
func writeOverlay(root, folder string, copies map[string]string) (string, error) {
	replace := map[string]string{}
	for file, text := range copies {
		// Not .go: a command that takes all packages of the work tree must not find these.
		copied := filepath.Join(folder, strings.ReplaceAll(file, "/", "_")+".txt")
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(file))] = copied
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// alternative is a function as an edit makes it.
type alternative struct {
	number   uint32
	name     string // of the function that has it for its body
	declared string // that function, and declarations that the edit adds after it
}

// function returns the function whose body an edit changes, as the edit makes it, and its place
// among the declarations of the file. It hands the mutant on as the file does.
func (e Edit) function(text string, number uint32) (alternative, int, error) {
	mutated, err := e.apply(text)
	if err != nil {
		return alternative{}, 0, err
	}
	before, err := parse(e.File, text)
	if err != nil {
		return alternative{}, 0, err
	}
	after, err := parse(e.File, mutated)
	if err != nil {
		return alternative{}, 0, fmt.Errorf("mutant %s: %w", e.Name, err)
	}
	at, added := before.differs(after)
	if at < 0 {
		return alternative{}, 0, fmt.Errorf(
			"mutant %s: it changes more than the body of one function of %s: change a function that uses the declaration",
			e.Name, e.File)
	}
	if mutated, err = handedOn(e.File, mutated); err != nil {
		return alternative{}, 0, err
	}
	if after, err = parse(e.File, mutated); err != nil {
		return alternative{}, 0, fmt.Errorf("mutant %s: %w", e.Name, err)
	}
	f, last := after.file.Decls[at].(*ast.FuncDecl), after.file.Decls[at+added]
	name := fmt.Sprintf("%s_mutant%d", f.Name.Name, number)
	return alternative{
		number: number,
		name:   name,
		// The compiler and panics name the mutant.
		declared: fmt.Sprintf("\n//line %s.mutant:%d\n", e.Name, after.fset.Position(f.Pos()).Line) +
			after.between(f.Pos(), f.Name.Pos()) + name + after.between(f.Name.End(), last.End()) + "\n",
	}, at, nil
}

// parsed is a file that has been parsed.
type parsed struct {
	text string
	fset *token.FileSet
	file *ast.File
}

func parse(path, text string) (p parsed, err error) {
	p = parsed{text: text, fset: token.NewFileSet()}
	p.file, err = parser.ParseFile(p.fset, path, text, parser.SkipObjectResolution)
	return p, err
}

func (p parsed) offset(at token.Pos) int { return p.fset.Position(at).Offset }

func (p parsed) between(from, to token.Pos) string { return p.text[p.offset(from):p.offset(to)] }

// declaration returns the text of a declaration.
func (p parsed) declaration(i int) string {
	d := p.file.Decls[i]
	return p.between(d.Pos(), d.End())
}

// differs returns the place of the function whose body alone differs in another text of the file,
// and how many declarations the other text has behind it in addition. If more differs, or nothing,
// the place is negative.
func (p parsed) differs(other parsed) (at, added int) {
	n, added := len(p.file.Decls), len(other.file.Decls)-len(p.file.Decls)
	if added < 0 {
		return -1, 0
	}
	for at < n && p.declaration(at) == other.declaration(at) {
		at++
	}
	if at == n {
		return -1, 0
	}
	for i := at + 1; i < n; i++ {
		if p.declaration(i) != other.declaration(i+added) {
			return -1, 0
		}
	}
	before, isFunction := p.file.Decls[at].(*ast.FuncDecl)
	after, isOther := other.file.Decls[at].(*ast.FuncDecl)
	if !isFunction || !isOther || before.Body == nil || after.Body == nil ||
		p.between(before.Pos(), before.Body.Lbrace) != other.between(after.Pos(), after.Body.Lbrace) {
		return -1, 0
	}
	return at, added
}

// numbered is an edit with its number in a build, from 1.
type numbered struct {
	Edit
	number uint32
}

// withAlternatives returns a file in which each of the edits can be switched on: a function that
// they change begins by going to the alternative that is on.
func withAlternatives(path, text string, edits []numbered) (string, error) {
	byFunction := map[int][]alternative{}
	for _, e := range edits {
		a, at, err := e.function(text, e.number)
		if err != nil {
			return "", err
		}
		byFunction[at] = append(byFunction[at], a)
	}
	text, err := handedOn(path, text)
	if err != nil {
		return "", err
	}
	p, err := parse(path, text)
	if err != nil {
		return "", err
	}
	at := map[int]string{p.offset(p.file.Name.End()): "; import mutant_ \"" + module + "/internal/mutation/active\""}
	var declared strings.Builder
	for i, d := range p.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || byFunction[i] == nil {
			continue
		}
		params := p.parameters(f, at)
		cases := ""
		for _, a := range byFunction[i] {
			call := params.receiver + a.name + params.types + "(" + params.values + ")"
			if f.Type.Results != nil {
				cases += fmt.Sprintf("case %d: return %s; ", a.number, call)
			} else {
				cases += fmt.Sprintf("case %d: %s; return; ", a.number, call)
			}
			declared.WriteString(a.declared)
		}
		at[p.offset(f.Body.Lbrace)+1] = " switch mutant_.On() { " + cases + "}; "
	}
	return inserted(text, at) + "\nvar _ = mutant_.None\n" + declared.String(), nil
}

// passed is how a function passes on its arguments.
type passed struct{ receiver, types, values string }

// parameters returns how a function passes on its arguments. It inserts names for parameters
// without one.
func (p parsed) parameters(f *ast.FuncDecl, at map[int]string) (all passed) {
	n := 0
	names := func(list *ast.FieldList) (found []string) {
		if list == nil {
			return nil
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				n++
				name := fmt.Sprintf("unnamed%d_", n)
				at[p.offset(field.Pos())] = name + " "
				found = append(found, name)
			}
			for _, name := range field.Names {
				text := name.Name
				if text == "_" {
					n++
					text = fmt.Sprintf("_unnamed%d", n)
					at[p.offset(name.End())] = strings.TrimPrefix(text, "_")
				}
				found = append(found, text)
			}
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				found[len(found)-1] += "..."
			}
		}
		return found
	}
	if receiver := names(f.Recv); len(receiver) > 0 {
		all.receiver = receiver[0] + "."
	}
	if f.Type.TypeParams != nil {
		var types []string
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				types = append(types, name.Name)
			}
		}
		all.types = "[" + strings.Join(types, ", ") + "]"
	}
	all.values = strings.Join(names(f.Type.Params), ", ")
	return all
}

// handedOn returns a file of a runner such that a process whose environment the runner sets gets
// the mutant, too.
func handedOn(path, text string) (string, error) {
	if filepath.ToSlash(filepath.Dir(path)) != runners {
		return text, nil
	}
	p, err := parse(path, text)
	if err != nil {
		return "", err
	}
	at := map[int]string{}
	ast.Inspect(p.file, func(n ast.Node) bool {
		for _, value := range environments(n) {
			at[p.offset(value.Pos())] = "mutant_.Environment("
			at[p.offset(value.End())] = ")"
		}
		return true
	})
	return inserted(text, at), nil
}

// environments lists the values that a statement makes the environment of a process.
func environments(n ast.Node) (all []ast.Expr) {
	s, ok := n.(*ast.AssignStmt)
	if !ok || len(s.Lhs) != len(s.Rhs) {
		return nil
	}
	for i, to := range s.Lhs {
		field, ok := to.(*ast.SelectorExpr)
		if !ok || field.Sel.Name != "Env" {
			continue
		}
		if x, ok := field.X.(*ast.Ident); ok && x.Name == "cmd" {
			all = append(all, s.Rhs[i])
		}
	}
	return all
}

// inserted returns a text with insertions at some places of it.
func inserted(text string, at map[int]string) string {
	var b strings.Builder
	for i := range len(text) + 1 {
		b.WriteString(at[i])
		if i < len(text) {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
