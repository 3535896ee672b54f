package main

import (
	"fmt"
	"os"
	"strings"
)

// The table stands between these lines of the page.
const (
	page  = "docs/protocols/can.md"
	begin = "<!-- cost: begin; make bench-can writes this table -->\n\n"
	end   = "\n<!-- cost: end -->\n"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "canbench:", err)
		os.Exit(1)
	}
}

// run measures everything, prints the table and writes it into the page.
func run() error {
	all, err := rows()
	if err != nil {
		return err
	}
	text := table(all)
	fmt.Print(text)
	whole, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("read the page (run this from the root of the repository): %w", err)
	}
	before, _, after, err := parts(string(whole))
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+text+after), 0o644)
}

// parts are the page before its table, the table, and the page after it.
func parts(whole string) (before, table, after string, err error) {
	before, rest, begins := strings.Cut(whole, begin)
	table, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return "", "", "", fmt.Errorf("%s has no place for the table, between %q and %q", page, begin, end)
	}
	return before + begin, table, end + after, nil
}
