package lint

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
		root := t.TempDir()
		head := "package a\n\nfunc f() {\n" + lines(test.body) + "}\n"
		used := 4 + test.body
		write(t, root, test.name, head+lines(test.lines-used))
		tree, err := Load(root)
		if err != nil {
			t.Fatal(err)
		}
		if got := checkLength(tree, Canvass()); len(got) != test.found {
			t.Errorf("%s of %d lines with a function of %d: got %v, want %d findings",
				test.name, test.lines, test.body+2, got, test.found)
		}
	}
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
