package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// assurance reads a report of "canvass check --json" and writes check.json and the table.
func assurance(report io.Reader) error {
	root, err := mutation.Root()
	if err != nil {
		return err
	}
	check, err := readCheck(report)
	if err != nil {
		return err
	}
	if rest := missingRows(check); len(rest) > 0 {
		return fmt.Errorf("no row for %s; add it to rows in internal/release/assurance_table.go", strings.Join(rest, ", "))
	}
	text, err := assuranceTable(root, check)
	if err != nil {
		return err
	}
	page, err := assurancePage(root)
	if err != nil {
		return err
	}
	if err := writeChecked(root, check); err != nil {
		return err
	}
	return os.WriteFile(assuranceFile(root), []byte(page.before+text+page.after), 0o644)
}

// The table stands between these lines of docs/verification.md.
const (
	assuranceBegin = "<!-- assurance: begin; make tables WHAT=assurance writes this table -->\n\n"
	assuranceEnd   = "\n<!-- assurance: end -->\n"
)

func assuranceFile(root string) string { return filepath.Join(root, "docs", "verification.md") }

// around is the page without the table, which is apart.
type around struct{ before, table, after string }

func assurancePage(root string) (around, error) {
	text, err := os.ReadFile(assuranceFile(root))
	if err != nil {
		return around{}, err
	}
	before, rest, begins := strings.Cut(string(text), assuranceBegin)
	table, after, ends := strings.Cut(rest, assuranceEnd)
	if !begins || !ends {
		return around{}, fmt.Errorf("docs/verification.md has no place for the table, between %q and %q",
			assuranceBegin, assuranceEnd)
	}
	return around{before + assuranceBegin, table, assuranceEnd + after}, nil
}
