package traces

import (
	"slices"
	"strings"
)

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
