package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
)

func main() {
	if err := run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "assurance:", err)
		os.Exit(1)
	}
}

// run reads a report of "canvass check --json" and writes check.json and the table.
func run(report io.Reader) error {
	root, err := mutation.Root()
	if err != nil {
		return err
	}
	check, err := readCheck(report)
	if err != nil {
		return err
	}
	if rest := missing(check); len(rest) > 0 {
		return fmt.Errorf("no row for %s; add it to rows in internal/assurance/table.go", strings.Join(rest, ", "))
	}
	text, err := table(root, check)
	if err != nil {
		return err
	}
	page, err := page(root)
	if err != nil {
		return err
	}
	if err := writeChecked(root, check); err != nil {
		return err
	}
	return os.WriteFile(pagePath(root), []byte(page.before+text+page.after), 0o644)
}

// The table stands between these lines of docs/verification.md.
const (
	begin = "<!-- assurance: begin; make assurance writes this table -->\n\n"
	end   = "\n<!-- assurance: end -->\n"
)

func pagePath(root string) string { return filepath.Join(root, "docs", "verification.md") }

// around is the page without the table, which is apart.
type around struct{ before, table, after string }

func page(root string) (around, error) {
	text, err := os.ReadFile(pagePath(root))
	if err != nil {
		return around{}, err
	}
	before, rest, begins := strings.Cut(string(text), begin)
	table, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return around{}, fmt.Errorf("docs/verification.md has no place for the table, between %q and %q", begin, end)
	}
	return around{before + begin, table, end + after}, nil
}
