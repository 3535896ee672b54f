package model

import (
	"fmt"
	"strings"
	"unicode"
)

// NameOf is how models of protocols call the node at a place: A, B, C and so on.
func NameOf(place int) string { return string(rune('A' + place)) }

// NamesOf are the names of the nodes at some places, each once.
func NamesOf(places []int) (names string) {
	for _, place := range places {
		if name := NameOf(place); !strings.Contains(names, name) {
			names += name
		}
	}
	return names
}

// Called returns an error that wraps [ErrSystem] if something cannot be called that: reports,
// commands and files need a name in one word.
func Called(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return fmt.Errorf("%w: the name %q; it must be a word", ErrSystem, name)
	}
	return nil
}

// Among returns an error that wraps [ErrSystem] if one of the places is none of so many.
func Among(nodes int, places ...int) error {
	for _, place := range places {
		if place < 0 || place >= nodes {
			return fmt.Errorf("%w: there is no node %d among %d", ErrSystem, place, nodes)
		}
	}
	return nil
}
