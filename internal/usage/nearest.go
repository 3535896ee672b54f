package usage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// most is how many names are proposed: a longer list is no help.
const most = 3

// longest bounds the time that a very long word takes. No name is as long.
const longest = 64

// fewest letters of a word make it the beginning of a name rather than chance.
const fewest = 3

// Nearest returns at most three candidates, the closest to the word. A name that begins with
// the word is near, however long it is.
func Nearest(word string, candidates []string) []string {
	if len(word) > longest {
		return nil
	}
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, c := range candidates {
		if d := far(strings.ToLower(word), strings.ToLower(c)); d <= max(2, len(word)/3) && d < len(c) {
			found = append(found, near{c, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, f := range found[:min(most, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// Question turns names into the end of an error message: `did you mean "a" or "b"?`. Without names
// it lists all candidates instead.
func Question(names, candidates []string) string {
	if len(names) == 0 {
		return "choose one of " + strings.Join(candidates, ", ")
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return "did you mean " + strings.Join(quoted, " or ") + "?"
}

// Meant proposes the candidate that was probably meant, or else another remedy.
func Meant(word string, candidates []string, otherwise string) string {
	names := Nearest(word, candidates)
	if len(names) == 0 {
		return otherwise
	}
	return Question(names[:1], nil)
}

// far is the distance of a word from a name, or from the first or last element of a name:
// "can/churn". If two names are equally near, the one spelled like the word comes first.
func far(word, name string) int {
	d := Distance(word, name)
	if first := strings.IndexByte(name, '/'); first >= 0 {
		last := strings.LastIndexByte(name, '/')
		d = min(d, 1+Distance(word, name[:first]), 1+Distance(word, name[last+1:]))
	}
	if len(word) >= fewest && strings.HasPrefix(name, word) {
		d = min(d, 2)
	}
	return d
}

// Distance counts the letters to insert, delete or replace to get from one word to another
// (Levenshtein).
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
