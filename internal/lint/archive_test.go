package lint

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the findings of the archives under testdata again")

// An archive is a repository in one text: a comment, then files, each after a line "-- path --".
// The file "want" lists the findings. Everywhere else, ~~ is dropped: so an archive can hold what a
// rule forbids without breaking the rule itself. Lines of the comment that begin with "set" change
// the house:
//
//	set file 12            the limit of a file
//	set func 5             the limit of a function
//	set files 3            the limit of a package
//	set methods 3          the limit of a type
//	set fields 3           the limit of a struct
//	set prose 2500         the share of strange lines, in lines in 10,000
//	set known NAME 14      an exception
type archive struct {
	comment string
	files   []TextFile
}

func parseArchive(text string) archive {
	var a archive
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		name, closed := strings.CutSuffix(name, " --")
		switch last := len(a.files) - 1; {
		case ok && closed:
			a.files = append(a.files, TextFile{Path: name})
		case last < 0:
			a.comment += line
		default:
			a.files[last].Text += line
		}
	}
	return a
}

func (a archive) String() string {
	text := a.comment
	for _, f := range a.files {
		text += "-- " + f.Path + " --\n" + f.Text
	}
	return text
}

func (a archive) house(t *testing.T) House {
	h := Canvass()
	h.Known = map[string]int{}
	for line := range strings.Lines(a.comment) {
		setting, ok := strings.CutPrefix(strings.TrimSpace(line), "set ")
		if !ok {
			continue
		}
		i := strings.LastIndexByte(setting, ' ')
		var n int
		if _, err := fmt.Sscan(setting[i+1:], &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		switch name := setting[:i]; name {
		case "file":
			h.FileLines = n
		case "func":
			h.FuncLines = n
		case "prose":
			h.ProseShare = n
		case "files":
			h.PackageFiles = n
		case "methods":
			h.Methods = n
		case "fields":
			h.Fields = n
		default:
			h.Known[strings.TrimPrefix(name, "known ")] = n
		}
	}
	return h
}

func write(t *testing.T, root, path, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestArchives runs rule R on each testdata/R-*.txt, demands the findings that the archive wants,
// and that each kind of finding has an archive of its name.
func TestArchives(t *testing.T) {
	missing := map[string]bool{}
	for _, rule := range Rules() {
		for _, kind := range rule.Kinds {
			missing[rule.Name+"-"+kind] = true
		}
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		if !missing[name] {
			t.Errorf("%s:1: no rule reports %s; rename or remove it", path, name)
			continue
		}
		delete(missing, name)
		t.Run(name, func(t *testing.T) { testArchive(t, path, name) })
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("testdata/%s.txt:1: no archive shows this kind of finding; write one", name)
	}
}

func testArchive(t *testing.T, path, name string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := parseArchive(string(text))
	want := slices.IndexFunc(a.files, func(f TextFile) bool { return f.Path == "want" })
	if want < 0 {
		t.Fatalf("%s:1: no file want; list the expected findings", path)
	}
	root := t.TempDir()
	for i, f := range a.files {
		if i != want {
			write(t, root, f.Path, strings.ReplaceAll(f.Text, "~~", ""))
		}
	}
	tree, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	ruleName, kind, _ := strings.Cut(name, "-")
	rule := Rules()[slices.IndexFunc(Rules(), func(r Rule) bool { return r.Name == ruleName })]
	got, bad, shown := "", map[string]bool{}, false
	for _, f := range rule.Check(tree, a.house(t)) {
		got += f.String() + "\n"
		bad[f.Path] = true
		shown = shown || f.Kind == ruleName+"/"+kind
	}
	if !shown {
		t.Errorf("%s:1: nothing of kind %s/%s was found; break the rule in it", path, ruleName, kind)
	}
	good := func(f TextFile) bool { return f.Path != "want" && !bad[f.Path] }
	if !slices.ContainsFunc(a.files, good) {
		t.Errorf("%s:1: every file breaks the rule; add a file without a finding", path)
	}
	if *rewrite {
		a.files[want].Text = mask(got)
		if err := os.WriteFile(path, []byte(a.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != strings.ReplaceAll(a.files[want].Text, "~~", "") {
		t.Errorf("%s:1: found\n%s\nwant\n%s\ncorrect the rule, or run with -rewrite and read the difference",
			path, got, a.files[want].Text)
	}
}

// mask breaks up what the rules about text would find in a list of findings.
func mask(findings string) string {
	words := append(Canvass().Hosts, "TO"+"DO", "FIX"+"ME", "/wo"+"rk/", "/ho"+"me/", "/ro"+"ot/", "../sha"+"red")
	for _, word := range words {
		broken := word[:len(word)-3] + "~~" + word[len(word)-3:]
		findings = strings.ReplaceAll(findings, word, broken)
	}
	return findings
}
