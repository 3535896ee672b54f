package traces

import (
	"fmt"
	"slices"
	"strings"
)

// sentence is one thing that a step did, and what the word in it means.
type sentence struct {
	Text  string
	Means string // may be empty
	Again bool   // the story has said before what it means
}

// narrator tells steps in the words of a glossary, to people who do not know the protocol.
type narrator struct {
	terms []Term
	told  map[Term]bool
}

func newNarrator(terms []Term) *narrator { return &narrator{terms, map[Term]bool{}} }

// say makes a sentence, and explains what a text in it begins with, if the glossary knows that.
func (n *narrator) say(text, kind, words string) sentence {
	term, ok := Explain(n.terms, kind, words)
	if !ok {
		return sentence{Text: text}
	}
	again := n.told[term]
	n.told[term] = true
	return sentence{text, term.Word + ": " + term.Meaning + ".", again}
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

// what says what happened in a step.
func (n *narrator) what(a *Action) sentence {
	text, kind := "“"+shorten(a.Text)+"”", ""
	var said string
	switch a.Kind {
	case Init:
		said = "This is how the run begins."
	case "deliver":
		kind, said = MessageTerm, fmt.Sprintf("%s receives %s from %s.", a.Node, text, a.Peer)
	case "duplicate":
		kind, said = MessageTerm, fmt.Sprintf(
			"A fault: %s receives %s from %s, and a copy of it stays on its way.",
			a.Node,
			text,
			a.Peer,
		)
	case repeated:
		kind, said = MessageTerm, fmt.Sprintf(
			"A fault: %s receives %s from %s again, which it has received before.",
			a.Node,
			text,
			a.Peer,
		)
	case "drop":
		kind, said = MessageTerm, fmt.Sprintf("A fault: the message %s from %s to %s is lost.", text, a.Peer, a.Node)
	case "timeout":
		kind, said = TimerTerm, fmt.Sprintf("At %s the timer %s runs out.", a.Node, text)
	case "timeout-early":
		kind, said = TimerTerm, fmt.Sprintf(
			"A fault: at %s the timer %s runs out too early; what it waits for is still on its way.",
			a.Node,
			text,
		)
	case "suspect":
		kind, said = TimerTerm, fmt.Sprintf(
			"A fault: at %s the timer %s runs out although the other node is alive.",
			a.Node,
			text,
		)
	case "command":
		kind, said = CommandTerm, fmt.Sprintf("The application at %s asks for %s.", orDash(a.Node), text)
	case "chosen":
		said = fmt.Sprintf("%s makes a random choice: %s.", a.Node, shorten(a.Text))
	case "measured":
		said = fmt.Sprintf("%s has measured how far %s is: %s.", a.Node, a.Peer, shorten(a.Text))
	case "start":
		said = fmt.Sprintf("%s starts.", a.Node)
	case "crash":
		said = fmt.Sprintf("A fault: %s crashes. It forgets all but what it has stored.", a.Node)
	case "restart":
		said = fmt.Sprintf("%s comes back, as a new incarnation.", a.Node)
	default:
		said = "What happens: " + shorten(a.String()) + "."
		if a.Node == "" && a.Text != "" { // to the world as a whole, in words
			said = "What happens: " + shorten(a.Text) + "."
		}
	}
	return n.say(said, kind, a.Text)
}

// then says what came of a step: what was sent, a sentence for each text, and what was told.
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
		said = append(
			said,
			n.say(fmt.Sprintf("%s sends “%s” to %s.", g.from, shorten(g.text), and(g.to)), MessageTerm, g.text),
		)
	}
	for _, e := range events {
		said = append(said, n.say(orDash(s.Action.Node)+" notes “"+shorten(e)+"”.", EventTerm, e))
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
		return "It must be so in every state."
	case Quiescent:
		return "It must be so at rest: whenever no message is on its way and no timer would change anything."
	case Sometimes:
		return "It must be so in some state: this run is the proof."
	case LeadsTo:
		return "Whenever it is asked for, it must come about in the end."
	case Reaches:
		return "Whenever it is asked for, it must stay possible until it comes about."
	case AlmostSurely:
		return "Whenever it is asked for, it must come about with probability 1."
	case DeadlockFree:
		return "Something must always be able to happen, unless all is done."
	}
	return ""
}
