package traces

import (
	"fmt"
	"strings"
	"sync"
)

// Terms reads the entries of a glossary from a text: a line each, with the kind, the word and the
// meaning.
//
//	message Look: which generation is there?
//
// A line "== NAME" begins a section. Without names of sections all entries are read, and otherwise
// those of these sections, in their order. A text that cannot be read is a mistake of the program.
func Terms(text string, sections ...string) []Term {
	parsed, _ := glossaries.LoadOrStore(text, sync.OnceValue(func() map[string][]Term { return parseTerms(text) }))
	bySection := parsed.(func() map[string][]Term)()
	if len(sections) == 0 {
		sections = []string{""}
	}
	var terms []Term
	for _, name := range sections {
		of, known := bySection[name]
		if !known {
			panic(fmt.Sprintf("traces: the text has no section %q", name))
		}
		terms = append(terms, of...)
	}
	return terms
}

// glossaries are the texts that were read, since each of hundreds of models asks for its glossary.
var glossaries sync.Map

// parseTerms returns the entries by section; those of all sections have the name "".
func parseTerms(text string) map[string][]Term {
	sections, name := map[string][]Term{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if section, heads := strings.CutPrefix(line, "== "); heads {
			name = section
			continue
		}
		term, ok := parseTerm(line)
		if !ok {
			panic(fmt.Sprintf("traces: no entry of a glossary: %q", line))
		}
		sections[""] = append(sections[""], term)
		if name != "" {
			sections[name] = append(sections[name], term)
		}
	}
	return sections
}

func parseTerm(line string) (Term, bool) {
	kind, rest, _ := strings.Cut(line, " ")
	word, meaning, found := strings.Cut(rest, ": ")
	switch kind {
	case IdeaTerm, MessageTerm, TimerTerm, CommandTerm, EventTerm, StateTerm:
		return Term{Kind: kind, Word: word, Meaning: meaning}, found && word != "" && meaning != ""
	}
	return Term{}, false
}
