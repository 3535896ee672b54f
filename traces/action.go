package traces

import "strings"

// String writes an action in one line: deliver A->B Grant 4, timeout C renew, crash A. A cost that
// the kind does not imply follows in brackets.
func (a Action) String() string {
	var b strings.Builder
	b.WriteString(a.Kind)
	switch {
	case a.Peer != "" && a.Node != "":
		b.WriteString(" " + a.Peer + "->" + a.Node)
	case a.Node != "" || a.Peer != "":
		b.WriteString(" " + a.Node + a.Peer)
	}
	if a.Text != "" {
		b.WriteString(" " + a.Text)
	}
	if a.Cost != "" && a.Cost != a.Kind {
		b.WriteString(" [" + a.Cost + "]")
	}
	return b.String()
}

// same reports whether two actions are one, found at different times. Data and cost follow from the
// rest.
func same(a, b Action) bool {
	return a.Kind == b.Kind && a.Node == b.Node && a.Peer == b.Peer && a.Text == b.Text
}

// find returns the place of an action among others, -1 if it is not there.
func find(actions []Action, want Action) int {
	for i, a := range actions {
		if same(a, want) {
			return i
		}
	}
	return -1
}

// findAlike returns the place of an action, or else of the only action that differs from it only
// after the first word of its text.
func findAlike(actions []Action, want Action) (at int, alike bool) {
	if at := find(actions, want); at >= 0 {
		return at, false
	}
	word, _, _ := strings.Cut(want.Text, " ")
	at = -1
	for i, a := range actions {
		first, _, _ := strings.Cut(a.Text, " ")
		a.Text = want.Text
		switch {
		case first != word || !same(a, want):
		case at < 0:
			at = i
		case actions[i].Text != actions[at].Text:
			return -1, false
		}
	}
	return at, at >= 0
}

// optional reports whether a run need not take the action: a fault or a command may happen or not.
func (a *Action) optional() bool {
	return a.Optional || a.Cost != "" || a.Kind == "command" || a.Kind == repeated
}

// owns reports whether a variable belongs to the acting node, in any incarnation.
func (a *Action) owns(variable string) bool {
	return variable == a.Node || strings.HasPrefix(a.Node, variable+".")
}
