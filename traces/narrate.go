package traces

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

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

// what describes the action of a step.
func (n *narrator) what(a *Action) sentence {
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
