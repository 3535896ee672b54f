package model

import (
	"fmt"
	"strings"
	"unicode"
)

// NodeName returns the conventional name of the node with this index: A, B, C and so on.
func NodeName(node int) string { return string(rune('A' + node)) }

// NodeNames joins the names of some nodes. A node that is listed twice is named once.
func NodeNames(nodes []int) (names string) {
	for _, node := range nodes {
		if name := NodeName(node); !strings.Contains(names, name) {
			names += name
		}
	}
	return names
}

// ValidateName checks that a model can have this name. Reports, commands and file names need a
// single printable word. The error wraps [ErrSystem].
func ValidateName(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return fmt.Errorf("%w: the name %q; it must be a word", ErrSystem, name)
	}
	return nil
}

// ValidateNodes checks that each index names one of that many nodes. The error wraps [ErrSystem].
func ValidateNodes(nodes int, indexes ...int) error {
	for _, i := range indexes {
		if i < 0 || i >= nodes {
			return fmt.Errorf("%w: there is no node %d among %d", ErrSystem, i, nodes)
		}
	}
	return nil
}
