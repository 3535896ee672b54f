package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// line is the stored result of a mutant.
type line struct {
	Mutant string          `json:"mutant"`
	Effort mutation.Effort `json:"effort"`
}

// readLines returns the lines of a file. The last line may be incomplete if the run was stopped
// while it was written; it is ignored.
func readLines(name string) ([]line, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	whole := strings.SplitAfter(string(text), "\n")
	var lines []line
	for i, t := range whole[:len(whole)-1] {
		var l line
		if err := json.Unmarshal([]byte(t), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// readAll returns the lines of some files.
func readAll(names []string) ([]line, error) {
	var all []line
	for _, name := range names {
		lines, err := readLines(name)
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return all, nil
}
