package lint

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var shrinking = flag.Bool("shrink", false, "lower the table of exceptions to the sizes of today")

// TestHouse holds this repository to the rules.
func TestHouse(t *testing.T) {
	tree, err := Load(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Go) == 0 || len(tree.in("internal/lint", true)) == 0 {
		t.Fatalf("found %d Go files and not this one: the rules would hold of nothing", len(tree.Go))
	}
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			for _, f := range rule.Check(tree, Canvass()) {
				t.Error(f)
			}
		})
	}
}

// TestDocNamesRules demands that doc.go has a section about each rule.
func TestDocNamesRules(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range Rules() {
		if !strings.Contains(string(doc), "\n// # "+rule.Name+"\n") {
			t.Errorf("doc.go: no section about the rule %s", rule.Name)
		}
	}
}

// TestExceptions demands that the table of exceptions is in its form: sorted, each name once, each
// with its reason. With -shrink it first lowers the table to the sizes of today.
func TestExceptions(t *testing.T) {
	list := exceptions(limits)
	if *shrinking {
		tree, err := Load(filepath.Join("..", ".."))
		if err != nil {
			t.Fatal(err)
		}
		list = list.shrunk(measured(tree, Canvass()))
		limits = list.String()
		if err := os.WriteFile("limits.txt", []byte(limits), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, e := range list[min(1, len(list)):] {
		if list[i].name >= e.name {
			t.Errorf("%s:%d: %s stands out of order or twice; %s", limitsPath, i+2, e.name, shrink)
		}
	}
	for _, e := range list.unexplained() {
		t.Errorf("%s: %s %d has no reason; say after a # why it is not cured", limitsPath, e.name, e.size)
	}
	if got := list.String(); got != limits {
		t.Errorf("%s:1: not in its form; %s. Want:\n%s", limitsPath, shrink, got)
	}
}

// TestUnexplained finds the exceptions without a reason.
func TestUnexplained(t *testing.T) {
	list := exceptions("files a 40  # the reason\nfiles b 41\nfiles c 42  #\n")
	if got := list.unexplained().String(); got != "files b 41\nfiles c 42\n" {
		t.Errorf("got %s", got)
	}
}

// TestShrunk lowers a table: nothing grows, sizes within the limit go, and of two lines that a
// merge left the smaller one stays.
func TestShrunk(t *testing.T) {
	list := exceptions("methods b B 50 # so be it\nmethods b B 45\nfiles a 40\nfiles c 30\nfiles gone 30\nfields a A 31\n")
	r := &ratchet{
		known: list.sizes(),
		sizes: map[string]int{"methods b B": 47, "files a": 38, "files c": 20, "fields a A": 33},
		small: map[string]bool{"files c": true},
	}
	want := "fields a A 31\nfiles a 38\nmethods b B 45  # so be it\n"
	if got := list.shrunk(r).String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestLimits pins the limits at their edges, since the archives use small ones.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name        string
		lines, body int
		found       int
	}{
		{"a.go", 500, 68, 0},
		{"a.go", 501, 68, 1},
		{"a.go", 500, 69, 1},
		{"a_test.go", 800, 118, 0},
		{"a_test.go", 801, 118, 1},
		{"a_test.go", 800, 119, 1},
	} {
		head := "package a\n\nfunc f() {\n" + lines(test.body) + "}\n"
		used := 4 + test.body
		if got := limited(t, test.name, head+lines(test.lines-used)); len(got) != test.found {
			t.Errorf("%s of %d lines with a function of %d: got %v, want %d findings",
				test.name, test.lines, test.body+2, got, test.found)
		}
	}
	for _, test := range []struct{ methods, fields, found int }{{40, 30, 0}, {41, 30, 1}, {40, 31, 1}} {
		text := "package a\n\ntype T struct {\n"
		for i := range test.fields {
			text += fmt.Sprintf("f%d int\n", i)
		}
		text += "}\n"
		for i := range test.methods {
			text += fmt.Sprintf("func (T) m%d() {}\n", i)
		}
		if got := limited(t, "a.go", text); len(got) != test.found {
			t.Errorf("%d methods and %d fields: got %v, want %d findings", test.methods, test.fields, got, test.found)
		}
	}
}

// limited returns what the limits of this repository find in a file.
func limited(t *testing.T, name, text string) []Finding {
	t.Helper()
	root := t.TempDir()
	write(t, root, name, text)
	tree, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	house := Canvass()
	house.Known = nil
	return checkLength(tree, house)
}

// TestLoad demands what is committed or would be, with git and without.
func TestLoad(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	root := t.TempDir()
	write(t, root, ".gitignore", "/out/\n")
	write(t, root, "a/a.go", "package a\n")
	write(t, root, "a/testdata/b.go", "not Go\n")
	write(t, root, "bin/x", "built\n")
	write(t, root, "out/x", "ignored\n")
	write(t, root, "image", "\x00\n")
	paths := func() string {
		tree, err := Load(root)
		if err != nil {
			t.Fatal(err)
		}
		if len(tree.Go) != 1 || tree.Go[0].Folder != "a" {
			t.Errorf("Go files: %v, want a/a.go", tree.Go)
		}
		var names []string
		for _, f := range tree.Files {
			names = append(names, f.Path)
		}
		return strings.Join(names, " ")
	}
	if got, want := paths(), ".gitignore a/a.go a/testdata/b.go out/x"; got != want {
		t.Errorf("without git: %s, want %s", got, want)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		git := exec.Command("git", args...)
		git.Dir = root
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.Remove(filepath.Join(root, "bin/x")); err != nil {
		t.Fatal(err)
	}
	write(t, root, "new", "not yet added\n")
	if got, want := paths(), ".gitignore a/a.go a/testdata/b.go new"; got != want {
		t.Errorf("with git: %s, want %s", got, want)
	}
}

func lines(n int) string {
	var text []byte
	for range n {
		text = append(text, "// x\n"...)
	}
	return string(text)
}

func Example() {
	fmt.Println(
		Finding{Path: "protocol/can/zone.go", Line: 12, Kind: "purity/map", Text: "a map has no order; use a slice"},
	)
	// Output: protocol/can/zone.go:12: a map has no order; use a slice [purity/map]
}
