package lint

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	targetPattern  = regexp.MustCompile(`^([a-z][\w .-]*?) *::?(?:[^:=]|$)`)
	commandPattern = regexp.MustCompile(`(?:^|[;&|(]) *(?:\$ +)?(?:\w+=\S* +)*make +([^;&|()#]*)`)
	spanPattern    = regexp.MustCompile("`([^`]+)`")
	wordPattern    = regexp.MustCompile(`^[a-z][\w-]*$`)
)

// checkMake demands that every target in the documents exists.
func checkMake(t *Tree, _ House) []Finding {
	r := &report{tree: t}
	makefile, _ := t.file("Makefile")
	targets := map[string]bool{}
	for line := range strings.SplitSeq(makefile, "\n") {
		if m := targetPattern.FindStringSubmatch(line); m != nil {
			for _, name := range strings.Fields(m[1]) {
				targets[name] = true
			}
		}
	}
	for _, path := range []string{"README.md", "ARCHITECTURE.md"} {
		text, _ := t.file(path)
		for _, c := range codeLines(text) {
			for _, name := range makeTargets(c.text) {
				if !targets[name] {
					r.add(path, c.line, "make/target", fmt.Sprintf("the Makefile has no target %s; "+
						"add it, or correct the document", name))
				}
			}
		}
	}
	return r.done()
}

type codeLine struct {
	line int
	text string
}

// codeLines finds the code in a Markdown text: fenced and indented lines, and spans in backquotes.
func codeLines(text string) []codeLine {
	var code []codeLine
	fenced, line := false, 0
	for s := range strings.SplitSeq(text, "\n") {
		line++
		trimmed := strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(s, "    ") || strings.HasPrefix(s, "\t"):
			code = append(code, codeLine{line, trimmed})
		}
		if !fenced {
			for _, m := range spanPattern.FindAllStringSubmatch(s, -1) {
				code = append(code, codeLine{line, m[1]})
			}
		}
	}
	return code
}

// makeTargets names the targets in a shell command. Options and settings are passed over; a make of
// another Makefile is ignored.
func makeTargets(line string) []string {
	var names []string
	for _, m := range commandPattern.FindAllStringSubmatch(line, -1) {
		words := strings.Fields(m[1])
		for _, w := range words {
			if w == "-C" || w == "-f" {
				words = nil
			}
		}
		for _, w := range words {
			if wordPattern.MatchString(w) {
				names = append(names, w)
			}
		}
	}
	return names
}
