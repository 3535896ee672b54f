package traces

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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

// sentence describes one effect of a step, and the meaning of the term in it.
type sentence struct {
	Text  string
	Means string // may be empty
	Again bool   // the story has explained the term before
}

// narrator describes steps in plain sentences, for readers who are new to the protocol.
type narrator struct {
	terms     []Term
	budget    Budget // of the run
	explained map[Term]bool
}

func newNarrator(terms []Term, b Budget) *narrator { return &narrator{terms, b, map[Term]bool{}} }

// say makes a sentence, and explains the term that a text in it begins with, if there is one.
func (n *narrator) say(text, kind, words string) sentence {
	term, ok := Explain(n.terms, kind, words)
	if !ok {
		return sentence{Text: text}
	}
	again := n.explained[term]
	n.explained[term] = true
	return sentence{text, term.Word + ": " + closed(term.Meaning), again}
}

// closed ends a text with a full stop, unless it ends a sentence already.
func closed(text string) string {
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		return text
	}
	return strings.TrimSuffix(text, ".") + "."
}

// Explain returns the term of a kind that a text begins with; of several the longest.
func Explain(terms []Term, kind, text string) (found Term, ok bool) {
	for _, term := range terms {
		begins := text == term.Word || strings.HasPrefix(text, term.Word+" ")
		if term.Kind == kind && begins && len(term.Word) > len(found.Word) {
			found, ok = term, true
		}
	}
	return found, ok
}

// describe describes the action of a step.
func (n *narrator) describe(a *Action) sentence {
	text, kind := "“"+shorten(a.Text)+"”", ""
	var said string
	switch a.Kind {
	case Init:
		said = "The run begins."
	case "deliver":
		kind, said = MessageTerm, fmt.Sprintf("%s receives %s from %s.", a.Node, text, a.Peer)
	case "duplicate":
		kind, said = MessageTerm, fmt.Sprintf("Fault: %s receives %s from %s, and a duplicate stays in flight.",
			a.Node, text, a.Peer)
	case repeated, late:
		how := "once more, a duplicate"
		if n.budget.Adversarial || a.Kind == late {
			how = "out of time: it is a duplicate, was dropped, or names a former incarnation"
		}
		kind, said = MessageTerm, fmt.Sprintf("Fault: %s receives %s from %s %s.", a.Node, text, a.Peer, how)
	case "drop":
		kind, said = MessageTerm, fmt.Sprintf("Fault: the message %s from %s to %s is dropped.", text, a.Peer, a.Node)
	case "timeout":
		kind, said = TimerTerm, fmt.Sprintf("%s's timeout %s fires.", a.Node, text)
	case "timeout-early":
		kind, said = TimerTerm, fmt.Sprintf(
			"Fault: %s's timeout %s fires prematurely: the awaited message is still in flight.", a.Node, text)
	case "suspect":
		kind, said = TimerTerm, fmt.Sprintf(
			"Fault: %s's timeout %s fires although the other node is alive: a false suspicion.", a.Node, text)
	case "command":
		kind, said = CommandTerm, fmt.Sprintf("Command to %s: %s.", cmp.Or(a.Node, "the network"), text)
	case "chosen":
		said = fmt.Sprintf("%s makes a random choice: %s.", a.Node, shorten(a.Text))
	case "measured":
		said = fmt.Sprintf("%s measures the latency to %s: %s.", a.Node, a.Peer, shorten(a.Text))
	case "start":
		said = fmt.Sprintf("%s starts.", a.Node)
	case "crash":
		said = fmt.Sprintf("Fault: %s crashes and loses all that it has not stored.", a.Node)
	case "restart":
		said = fmt.Sprintf("%s restarts, as a new incarnation.", a.Node)
	default:
		said = "What happens: " + shorten(a.String()) + "."
		if a.Node == "" && a.Text != "" { // to the network as a whole, in words
			said = "What happens: " + shorten(a.Text) + "."
		}
	}
	return n.say(said, kind, a.Text)
}

// then lists the messages that a step sent, a sentence for each text, and the events that it
// reported.
func (n *narrator) then(s *Step) []sentence {
	type group struct {
		from, text string
		to         []string
	}
	var groups []group
	var events []string
	for _, e := range s.Effects {
		f, ok := parseSend(e)
		if !ok {
			text, _ := parseEvent(e)
			events = append(events, text)
			continue
		}
		same := func(g group) bool { return g.from == f.from && g.text == f.text }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i].to = append(groups[i].to, f.to)
			continue
		}
		groups = append(groups, group{f.from, f.text, []string{f.to}})
	}
	var said []sentence
	for _, g := range groups {
		text := fmt.Sprintf("%s sends “%s” to %s.", g.from, shorten(g.text), and(g.to))
		said = append(said, n.say(text, MessageTerm, g.text))
	}
	for _, e := range events {
		said = append(said, n.say(orDash(s.Action.Node)+" reports “"+shorten(e)+"”.", EventTerm, e))
	}
	return said
}

// and lists names as a sentence does.
func and(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// demand says in plain words what a property of a shape demands.
func demand(shape string) string {
	switch shape {
	case Always:
		return "It must hold in every state."
	case Quiescent:
		return "It must hold in every quiescent state: nothing in flight, no timer pending."
	case Sometimes:
		return "It must hold in some state; this run is the witness."
	case LeadsTo:
		return "Whenever it is triggered, it must hold eventually."
	case Reaches:
		return "Whenever it is triggered, a state where it holds must stay reachable until then."
	case AlmostSurely:
		return "Whenever it is triggered, it must hold eventually with probability 1."
	case DeadlockFree:
		return "Some action must be enabled in every state, unless the run has ended as it should."
	}
	return ""
}
