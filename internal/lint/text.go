package lint

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// The patterns are written so that they do not match themselves.
var (
	notePattern    = regexp.MustCompile(`\b(TO[D]O|FIX[M]E)\b(\(#[0-9]+\))?`)
	folderPattern  = regexp.MustCompile(`(?:^|[^\w.-])(/(?:wo[r]k|ho[m]e|ro[o]t)/)`)
	scratchPattern = regexp.MustCompile(`(?:^|[^\w.-])/t[m]p(/|$)`)
	outsidePattern = regexp.MustCompile(`\.\./sha[r]ed\b`)
)

// eachLine calls visit with every line of every file, numbered from 1.
func (t *Tree) eachLine(visit func(path string, line int, text string)) {
	for _, f := range t.Files {
		line := 0
		for text := range strings.SplitSeq(f.Text, "\n") {
			line++
			visit(f.Path, line, text)
		}
	}
}

// checkNotes demands an issue for each note about work left to do.
func checkNotes(t *Tree, _ House) []Finding {
	r := &report{tree: t}
	t.eachLine(func(path string, line int, text string) {
		for _, m := range notePattern.FindAllStringSubmatch(text, -1) {
			if m[2] == "" {
				r.add(path, line, "notes/issue", fmt.Sprintf("%s without an issue; "+
					"open one and write %s(#123), or do it now", m[1], m[1]))
			}
		}
	})
	return r.done()
}

// checkMachine keeps out names that exist on one machine only.
func checkMachine(t *Tree, h House) []Finding {
	r := &report{tree: t}
	t.eachLine(func(path string, line int, text string) {
		if m := folderPattern.FindStringSubmatch(text); m != nil {
			r.add(path, line, "machine/folder", fmt.Sprintf("%s is a folder of one machine; "+
				"use a path from the root of the repository", m[1]))
		}
		for _, host := range h.Hosts {
			if strings.Contains(text, host) {
				r.add(path, line, "machine/host", fmt.Sprintf("%s is a registry's host; "+
					"leave it to the user's settings", host))
			}
		}
		if m := outsidePattern.FindString(text); m != "" {
			r.add(path, line, "machine/outside", fmt.Sprintf("%s is outside of the repository; "+
				"say here what the reader needs", m))
		}
	})
	for _, f := range t.Go {
		if f.Test {
			continue
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if ok && lit.Kind == token.STRING && scratchPattern.MatchString(strings.Trim(lit.Value, "\"`")) {
				r.addAt(lit.Pos(), "machine/scratch", "a fixed place for scratch files; use os.MkdirTemp")
			}
			return true
		})
	}
	return r.done()
}

// checkCorpus demands JSON of every counterexample.
func checkCorpus(t *Tree, _ House) []Finding {
	r := &report{tree: t}
	for _, f := range t.Files {
		if !within(f.Path, "traces/corpus") || !strings.HasSuffix(f.Path, ".itf.json") {
			continue
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(f.Text), &object); err != nil {
			r.add(f.Path, jsonLine(f.Text, err), "corpus/json", fmt.Sprintf("not an object in JSON (%v); "+
				"write traces with package traces, not by hand", err))
		}
	}
	return r.done()
}

// jsonLine finds the line of an error of encoding/json.
func jsonLine(text string, err error) int {
	offset := 0
	switch err := err.(type) {
	case *json.SyntaxError:
		offset = int(err.Offset)
	case *json.UnmarshalTypeError:
		offset = int(err.Offset)
	}
	return 1 + strings.Count(text[:min(max(offset-1, 0), len(text))], "\n")
}
