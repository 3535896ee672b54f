package traces

import "strings"

// leastCut is how many bytes must be cut from a value to be worth the mark that says so.
const leastCut = 16

// brief shortens a changed value, word by word, to what is new in it, with a word of context on either
// side. What was left out is marked.
func brief(was, is string) string {
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
	before, middle, after := strings.Join(words[:from], " "), strings.Join(words[from:to], " "), strings.Join(words[to:], " ")
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
