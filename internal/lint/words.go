package lint

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Refused is a way of saying something that readers stumbled on, and what to say instead.
type Refused struct {
	Pattern *regexp.Regexp
	Instead string
}

// refused lists them. Each pattern is such that it cannot be meant otherwise in this repository.
func refused() []Refused {
	list := [][2]string{
		{`as[- ]?printed`, "as published"},
		{`kinder`, "interpretation"},
		{`as declared`, "as expected"},
		{`(?:taken|held) for failed`, "falsely suspected"},
		{`whoever`, "a node that, or any node that"},
		{`who (?:leaves|fails|joins|owns|takes|waits|begins|hears|holds|sends|answers)`, "a node that"},
		{`(?:is|are|was|were|be|been) told`, "is notified, or receives"},
		{`at rest`, "quiescent"},
		{`for ever`, "forever, or final"},
		{`again without end`, "unbounded duplication"},
		{`besides`, "also, or in addition to"},
		{`all the same`, "anyway"},
		{`as they stand`, "unchanged"},
		{`the house`, "the repository"},
		{`crews?`, "worker pool"},
		{`scribes?`, "recorder"},
		{`excuses?`, "expected violation"},
		{`calm`, "quiescent"},
	}
	words := make([]Refused, len(list))
	for i, w := range list {
		words[i] = Refused{regexp.MustCompile(`(?i)\b` + w[0] + `\b`), w[1]}
	}
	return words
}

// worded are the kinds of files that people read.
var worded = map[string]bool{
	".go": true, ".md": true, ".html": true, ".js": true, ".txtar": true, ".yml": true, ".cff": true, "": true,
	".tla": true, ".pml": true, ".v": true,
}

// checkWords refuses the words. This package is exempt, and so are files with former names.
func checkWords(t *Tree, h House) []Finding {
	r := &report{tree: t}
	words := refused()
	t.eachLine(func(file string, line int, text string) {
		if !worded[path.Ext(file)] || within(path.Dir(file), "internal/lint") || h.Former[file] {
			return
		}
		for _, w := range words {
			if found := w.Pattern.FindString(text); found != "" {
				r.add(file, line, "words/refused", fmt.Sprintf("%q is not how this repository says it; write %s",
					strings.ToLower(found), w.Instead))
			}
		}
	})
	return r.done()
}
