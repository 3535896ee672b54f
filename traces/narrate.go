package traces

import (
	"fmt"
	"slices"
	"strings"
)

// story tells what a step did, to people who do not know the protocol.
type story struct {
	What  string   // what happened
	Means string   // what the words in it mean; may be empty
	Then  []string // what came of it
}

// narrator tells steps in the words of a glossary.
type narrator struct{ terms []Term }

// meaning explains the first word of a text, "" if the glossary does not know it.
func (n narrator) meaning(kind, text string) string {
	word, _, _ := strings.Cut(text, " ")
	for _, term := range n.terms {
		if term.Kind == kind && term.Word == word {
			return term.Meaning
		}
	}
	return ""
}

// tell puts a step into plain words.
func (n narrator) tell(s *Step) story {
	a := &s.Action
	var told story
	text := "“" + shorten(a.Text) + "”"
	kind := MessageTerm
	switch a.Kind {
	case Init:
		told.What = "This is how the run begins."
	case "deliver":
		told.What = fmt.Sprintf("%s receives %s from %s.", a.Node, text, a.Peer)
	case "duplicate":
		told.What = fmt.Sprintf("A fault: %s receives %s from %s, and a copy of it stays on its way.", a.Node, text, a.Peer)
	case "drop":
		told.What = fmt.Sprintf("A fault: the message %s from %s to %s is lost.", text, a.Peer, a.Node)
	case "timeout":
		kind = TimerTerm
		told.What = fmt.Sprintf("At %s the timer %s runs out.", a.Node, text)
	case "timeout-early":
		kind = TimerTerm
		told.What = fmt.Sprintf("A fault: at %s the timer %s runs out too early; what it waits for is still on its way.", a.Node, text)
	case "suspect":
		kind = TimerTerm
		told.What = fmt.Sprintf("A fault: at %s the timer %s runs out although the other node is alive.", a.Node, text)
	case "command":
		kind = CommandTerm
		told.What = strings.TrimSpace(fmt.Sprintf("The application at %s asks for %s.", orDash(a.Node), text))
	case "chosen":
		kind = ""
		told.What = fmt.Sprintf("%s makes a random choice: %s.", a.Node, a.Text)
	case "crash":
		kind = ""
		told.What = fmt.Sprintf("A fault: %s crashes. It forgets all but what it has stored.", a.Node)
	case "restart":
		kind = ""
		told.What = fmt.Sprintf("%s comes back, as a new incarnation.", a.Node)
	default:
		kind = ""
		told.What = "What happens: " + shorten(a.String()) + "."
	}
	if kind != "" {
		if meaning := n.meaning(kind, a.Text); meaning != "" {
			word, _, _ := strings.Cut(a.Text, " ")
			told.Means = word + ": " + meaning + "."
		}
	}
	told.Then = append(n.sends(s.Effects), n.events(a.Node, s.Effects)...)
	return told
}

// sends tells what was sent, a sentence for each text.
func (n narrator) sends(effects []string) []string {
	type group struct {
		from, text string
		to         []string
	}
	var groups []group
	for _, e := range effects {
		f, ok := parseSend(e)
		if !ok {
			continue
		}
		same := func(g group) bool { return g.from == f.from && g.text == f.text }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i].to = append(groups[i].to, f.to)
			continue
		}
		groups = append(groups, group{f.from, f.text, []string{f.to}})
	}
	var told []string
	for _, g := range groups {
		told = append(told, n.explained(fmt.Sprintf("%s sends “%s” to %s", g.from, shorten(g.text), and(g.to)), MessageTerm, g.text))
	}
	return told
}

// events tells what a node told its application, or the record.
func (n narrator) events(node string, effects []string) []string {
	var told []string
	for _, e := range effects {
		if _, sent := parseSend(e); sent {
			continue
		}
		text, _ := strings.CutPrefix(e, "event ")
		told = append(told, n.explained(orDash(node)+" notes “"+shorten(text)+"”", EventTerm, text))
	}
	return told
}

func (n narrator) explained(sentence, kind, text string) string {
	if meaning := n.meaning(kind, text); meaning != "" {
		sentence += ": " + meaning
	}
	return sentence + "."
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
