package main

import (
	"fmt"
	"os"
	"strings"
)

// The table stands between these lines of the page.
const (
	canPage  = "docs/protocols/can.md"
	canBegin = "<!-- cost: begin; make tables WHAT=can writes this table -->\n\n"
	canEnd   = "\n<!-- cost: end -->\n"
)

// changesOfTheMap measures everything, prints the table and writes it into the page.
func changesOfTheMap() error {
	all, err := rows()
	if err != nil {
		return err
	}
	text := canTable(all)
	fmt.Print(text)
	whole, err := os.ReadFile(canPage)
	if err != nil {
		return fmt.Errorf("read the page (run this from the root of the repository): %w", err)
	}
	before, _, after, err := canParts(string(whole))
	if err != nil {
		return err
	}
	return os.WriteFile(canPage, []byte(before+text+after), 0o644)
}

// canParts are the page before its table, the table, and the page after it.
func canParts(whole string) (before, table, after string, err error) {
	before, rest, begins := strings.Cut(whole, canBegin)
	table, after, ends := strings.Cut(rest, canEnd)
	if !begins || !ends {
		return "", "", "", fmt.Errorf("%s has no place for the table, between %q and %q", canPage, canBegin, canEnd)
	}
	return before + canBegin, table, canEnd + after, nil
}
