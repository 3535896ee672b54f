package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Reason says why a mutant may survive.
type Reason struct {
	Class Class
	Text  string
	Place string // file and line of the reason
}

// Class is a class of survivors.
type Class string

// The classes.
const (
	// Equivalent mutants compute the same in every state that a core can be in.
	Equivalent Class = "equivalent"
	// Undetectable mutants differ in behaviour that no property covers, by design: tuning,
	// diagnostics, or an optimisation.
	Undetectable Class = "undetectable"
)

// reasonsFolder holds a file for each package.
const reasonsFolder = "internal/mutation/reasons"

// ReadReasons reads the reasons, by the key of the mutant. In a file, one or more keys, a line
// each, are followed by an indented line with their class, a colon and the reason.
func ReadReasons(root string) (map[string]Reason, error) {
	all := map[string]Reason{}
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(reasonsFolder), "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := parseReasons(filepath.Base(path), string(text), all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func parseReasons(name, text string, all map[string]Reason) error {
	var keys []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		place := fmt.Sprintf("%s:%d", name, n)
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(line, "#"):
		case line[0] != '\t':
			keys = append(keys, trimmed)
		default:
			class, reason, found := strings.Cut(trimmed, ": ")
			if !found || Class(class) != Equivalent && Class(class) != Undetectable || len(keys) == 0 {
				return fmt.Errorf("%s: want the keys of mutants, then an indented \"equivalent: …\" or \"undetectable: …\"", place)
			}
			for _, key := range keys {
				if before, twice := all[key]; twice {
					return fmt.Errorf("%s: %s has a reason at %s already", place, key, before.Place)
				}
				all[key] = Reason{Class(class), reason, place}
			}
			keys = nil
		}
	}
	if len(keys) > 0 {
		return fmt.Errorf("%s: %s has no reason", name, keys[0])
	}
	return nil
}
