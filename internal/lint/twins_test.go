package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTwins demands that the names in spec/can/README.md exist: its tables list the parts of the
// core and their names in the specifications. A message or an objection that the core gains must be
// added there, or named as left out.
func TestTwins(t *testing.T) {
	spec := filepath.Join("..", "..", "spec", "can")
	readme, promela := readText(t, spec, "README.md"), readText(t, spec, "conflict.pml")
	tla := readText(t, spec, "ConflictDetection.tla")
	core := partsOf(t, filepath.Join("..", "..", "protocol", "can"))

	messages := rowsOf(t, readme, "| message of ")
	named := map[string]bool{}
	for _, row := range messages {
		named[row[0][0]] = true
		if !core.messages[row[0][0]] {
			t.Errorf("README.md names a message that protocol/can does not have: %s", row[0][0])
		}
		for _, name := range row[1] {
			find(t, "conflict.pml", promela, `(?m)^short .*\b`+name+`\b.*;`, name)
		}
		for _, name := range row[2] {
			find(t, "ConflictDetection.tla", tla, `\[type : \{"`+name+`"\}`, name)
		}
	}
	for name := range core.messages {
		if !named[name] {
			t.Errorf("the message %s of protocol/can is missing in spec/can/README.md", name)
		}
	}
	for _, row := range rowsOf(t, readme, "| in the paper ") {
		for _, name := range row[1] {
			if !core.functions[name] {
				t.Errorf("README.md names a function that protocol/can does not have: %s", name)
			}
		}
		for _, name := range row[2] {
			find(t, "conflict.pml", promela, `(?m)^(inline|proctype) `+name+`\(`, name)
		}
		for _, name := range row[3] {
			find(t, "ConflictDetection.tla", tla, `(?m)^`+name+`\(.*==`, name)
		}
	}
	for _, reason := range core.objections {
		if !strings.Contains(readme, "\n| "+strconv.Quote(reason)+" |") {
			t.Errorf("the objection %q of protocol/can is missing in spec/can/README.md", reason)
		}
	}
	if len(core.messages) == 0 || len(core.objections) == 0 {
		t.Error("nothing was found in protocol/can: this test compares nothing")
	}
}

// coreParts are the names in a core that its specifications refer to.
type coreParts struct {
	messages, functions map[string]bool
	objections          []string
}

func partsOf(t *testing.T, dir string) coreParts {
	parts := coreParts{messages: map[string]bool{}, functions: map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				parts.add(f)
			}
		}
	}
	return parts
}

func (p *coreParts) add(f *ast.FuncDecl) {
	p.functions[f.Name.Name] = true
	switch f.Name.Name {
	case "isMessage":
		if of, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
			p.messages[of.Name] = true
		}
	case "objection":
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && l.Value != `""` {
				reason, _ := strconv.Unquote(l.Value)
				p.objections = append(p.objections, reason)
			}
			return true
		})
	}
}

// rowsOf returns the rows of the table whose head begins with a text. Of each cell it returns what
// is in backquotes.
func rowsOf(t *testing.T, text, head string) [][][]string {
	_, table, found := strings.Cut(text, "\n"+head)
	if !found {
		t.Fatalf("there is no table with the head %q", head)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var rows [][][]string
	for _, line := range strings.Split(table, "\n")[2:] {
		var row [][]string
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			var words []string
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
				words = append(words, m[1])
			}
			row = append(row, words)
		}
		rows = append(rows, row)
	}
	return rows
}

func find(t *testing.T, file, text, pattern, name string) {
	if !regexp.MustCompile(pattern).MatchString(text) {
		t.Errorf("README.md names what %s does not have: %s", file, name)
	}
}

func readText(t *testing.T, dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLeaseTwin demands of spec/lease/README.md what TestTwins demands of spec/can/README.md.
func TestLeaseTwin(t *testing.T) {
	spec := filepath.Join("..", "..", "spec", "lease")
	readme, promela := readText(t, spec, "README.md"), readText(t, spec, "lease.pml")
	dir := filepath.Join("..", "..", "protocol", "lease")
	core, code := partsOf(t, dir), readText(t, dir, "message.go")

	for _, table := range []struct{ head, constants, pattern string }{
		{"| message of ", "MessageKind", `(?m)^byte %s\[`},
		{"| reason in ", "Reason", `@%s `},
	} {
		named := map[string]bool{}
		for _, row := range rowsOf(t, readme, table.head) {
			named[row[0][0]] = true
			for _, name := range row[1] {
				find(t, "lease.pml", promela, strings.Replace(table.pattern, "%s", name, 1), name)
			}
		}
		constants := constantsOf(t, code, table.constants)
		for _, name := range constants {
			if !named[name] {
				t.Errorf("%s of protocol/lease is missing in spec/lease/README.md", name)
			}
			delete(named, name)
		}
		for name := range named {
			t.Errorf("README.md has a name that protocol/lease lacks: %s", name)
		}
		if len(constants) == 0 {
			t.Errorf("protocol/lease has no constants of type %s: this test compares nothing", table.constants)
		}
	}
	for _, row := range rowsOf(t, readme, "| in the description ") {
		for _, name := range row[1] {
			if !core.functions[name] {
				t.Errorf("README.md names a function that protocol/lease does not have: %s", name)
			}
		}
		for _, name := range row[2] {
			find(t, "lease.pml", promela, `(?m)^(inline|#define) `+name+`\(`, name)
		}
	}
}

// constantsOf returns the names of the constants of the block that begins with a type.
func constantsOf(t *testing.T, code, of string) (names []string) {
	_, block, found := strings.Cut(code, " "+of+" = iota")
	if !found {
		t.Fatalf("there are no constants of type %s", of)
	}
	at := strings.LastIndex(code[:len(code)-len(block)], "\n\t")
	block, _, _ = strings.Cut(code[at:], "\n)")
	for _, m := range regexp.MustCompile(`(?m)^\t([A-Z]\w*)`).FindAllStringSubmatch(block, -1) {
		names = append(names, m[1])
	}
	return names
}
