package traces

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// storyColumns is how wide the lines of a story are at most.
const storyColumns = 100

// WriteStory shows a trace in plain sentences, for readers who know neither the protocol nor the
// text of its states: the demand of the property, one numbered entry for each step, and in the last
// line the violation. The page comes from an observer, as for [WriteHTML]; all of it is optional.
func WriteStory(w io.Writer, t *Trace, p Page) error {
	if err := t.validate(); err != nil {
		return err
	}
	if len(p.Pictures) != len(t.Steps) {
		p.Pictures = make([]Picture, len(t.Steps))
	}
	s := &sheet{t: t, p: &p}
	h := &t.Header
	var b strings.Builder
	title := h.Model
	if p.Model != "" {
		title += ": " + strings.Join(strings.Fields(p.Model), " ")
	}
	paragraph(&b, "", title)
	claim := h.Property
	if demanded := s.Property(); demanded != "" {
		claim += ": “" + demanded + "”"
	}
	paragraph(&b, "", claim+". "+s.Demand())
	if why := s.Why(); why != "" {
		paragraph(&b, "", "What goes wrong: "+why)
	}
	digits := max(2, len(fmt.Sprint(s.Last())))
	for _, entry := range s.Steps()[1:] {
		said := []string{entry.What.Text}
		said = append(said, joined(entry.Then)...)
		if mark := s.turn(entry.Step); mark != "" {
			said = append(said, mark)
		}
		paragraph(&b, fmt.Sprintf("%*d. ", digits, entry.Step), strings.Join(said, " "))
	}
	paragraph(&b, "", s.verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

// joined lists the effects of a step, with all that one node reports in one sentence.
func joined(all []sentence) []string {
	const verb = " reports "
	var said, reported []string
	node := ""
	for _, s := range all {
		who, what, reports := strings.Cut(strings.TrimSuffix(s.Text, "."), verb)
		if !reports || strings.Contains(who, " ") {
			said = append(said, s.Text)
			continue
		}
		node, reported = who, append(reported, what)
	}
	if len(reported) > 0 {
		said = append(said, node+verb+and(reported)+".")
	}
	return said
}

// verdict is the last line of a story: the result of the run.
func (s *sheet) verdict() string {
	h := &s.t.Header
	text := fmt.Sprintf("After step %d %s is %s", s.Last(), h.Property, s.Verdict())
	switch {
	case s.t.Loop >= 0 && s.t.Loop == s.Last()-1:
		text = fmt.Sprintf("Step %d repeats forever: %s is %s", s.Last(), h.Property, s.Verdict())
	case s.t.Loop >= 0:
		text = fmt.Sprintf("Steps %d to %d repeat forever: %s is %s", s.t.Loop+1, s.Last(), h.Property, s.Verdict())
	case s.t.stops():
		text = fmt.Sprintf("After step %d the run stops, since nothing more has to happen: %s is %s",
			s.Last(), h.Property, s.Verdict())
	case s.Last() == 0:
		text = fmt.Sprintf("In the initial state %s is %s", h.Property, s.Verdict())
	}
	seen := strings.TrimSuffix(s.p.Seen, ".")
	if seen == "" {
		seen = s.p.Pictures[s.Last()].Remarked(h.Property)
	}
	if seen != "" {
		text += ": " + seen
	}
	return text + "."
}

// paragraph writes a text behind a prefix, in lines that are not too long.
func paragraph(b *strings.Builder, prefix, text string) {
	line := prefix
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	if indent == "" {
		indent = "  "
	}
	empty := true
	for _, word := range strings.Fields(text) {
		switch {
		case empty:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= storyColumns:
			line += " " + word
		default:
			b.WriteString(line + "\n")
			line = indent + word
		}
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
