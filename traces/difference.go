package traces

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// difference returns the first variable in which two states differ. Absent variables have no value.
func difference(was, is []Variable) (name, old, now string, differs bool) {
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return is[i].Name, "", is[i].Value, true
		case i >= len(is):
			return was[i].Name, was[i].Value, "", true
		case was[i].Name != is[i].Name:
			return was[i].Name, was[i].Value, "", true
		case was[i].Value != is[i].Value:
			return was[i].Name, was[i].Value, is[i].Value, true
		}
	}
	return "", "", "", false
}

// Changed lists the variables of a state that are not as in the state before.
func Changed(before, after []Variable) []Variable {
	var changed []Variable
	for i, v := range after {
		if i >= len(before) || before[i] != v {
			changed = append(changed, v)
		}
	}
	return changed
}

// excerptBytes is how much of a long value is shown on either side of the place where it differs.
const excerptBytes = 40

// excerpts shortens two values to the text around their first difference.
func excerpts(a, b string) (string, string) {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return excerpt(a, at), excerpt(b, at)
}

func excerpt(s string, at int) string {
	from, to := max(at-excerptBytes, 0), min(at+excerptBytes, len(s))
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	short := s[from:to]
	if from > 0 {
		short = "…" + short
	}
	if to < len(s) {
		short += "…"
	}
	return short
}

// nearest returns the actions most like the wanted one, at most three.
func nearest(actions []Action, want Action) []Action {
	sorted := slices.Clone(actions)
	slices.SortStableFunc(sorted, func(a, b Action) int { return cmp.Compare(likeness(b, want), likeness(a, want)) })
	return sorted[:min(len(sorted), 3)]
}

// likeness weighs where an action happens most, then what it is, then how far its text agrees.
func likeness(a, want Action) int {
	const node, kind, peer = 1 << 20, 1 << 19, 1 << 18
	score := 0
	if a.Node == want.Node {
		score += node
	}
	if a.Kind == want.Kind {
		score += kind
	}
	if a.Peer == want.Peer {
		score += peer
	}
	for i := 0; i < len(a.Text) && i < len(want.Text) && i < 1<<10 && a.Text[i] == want.Text[i]; i++ {
		score++
	}
	return score
}

// leastCut is how many bytes must be cut from a value to be worth the mark that says so.
const leastCut = 16

// longestGone is how many characters of removed text are shown.
const longestGone = 60

// brief shortens a changed value, word by word, to the new part, with a word of context on either
// side, and marks what it leaves out. If nothing is new and showGone is set, it shows the removed
// part.
func brief(was, is string, showGone bool) string {
	old, words := strings.Split(was, " "), strings.Split(is, " ")
	head := 0
	for head < len(old) && head < len(words) && old[head] == words[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(words)-head && old[len(old)-1-tail] == words[len(words)-1-tail] {
		tail++
	}
	from, to := max(head-1, 0), min(len(words)-tail+1, len(words))
	before, middle, after := strings.Join(
		words[:from],
		" ",
	), strings.Join(
		words[from:to],
		" ",
	), strings.Join(
		words[to:],
		" ",
	)
	if gone := old[head : len(old)-tail]; showGone && head == len(words)-tail && len(gone) > 0 && is != "" {
		middle = strings.Join(
			slices.Concat(
				words[from:head],
				[]string{"(gone: " + clip(strings.Join(gone, " "), longestGone) + ")"},
				words[head:to],
			),
			" ",
		)
	}
	switch {
	case before == "":
	case len(before) < leastCut:
		middle = before + " " + middle
	default:
		middle = "… " + middle
	}
	switch {
	case after == "":
	case len(after) < leastCut:
		middle += " " + after
	default:
		middle += " …"
	}
	return middle
}
