package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The tables stand between these lines of docs/findings.md.
const (
	findingsBegin = "<!-- findings: begin; TestPage of internal/release writes these tables -->\n"
	findingsEnd   = "<!-- findings: end -->\n"
)

// families are the algorithms, in the order of the page.
func families() []struct{ prefix, title string } {
	return []struct{ prefix, title string }{
		{"published/can/", "Conflict detection in a CAN (chapter 6)"},
		{"published/refine/", "Refinement of clusters (section 5.1, appendix A)"},
		{"published/reptask/", "Representative and dependent tasks (section 4.2, Algorithms 1 and 2)"},
		{"", "Claims that need no model"},
	}
}

// section is the part of the page about one class.
type section struct {
	class        Class
	title, intro string
	last         string // the head of the last column
}

func sections() []section {
	return []section{
		{Flaw, "Flaws in any reading",
			"These fail in every interpretation of the text, also if every link keeps the order of its messages.",
			"correction"},
		{Interpretation, "Flaws in a stated interpretation",
			"Each of these fails in an interpretation that the text allows. The column *mended by* names the\n" +
				"interpretation, or the order of messages, in which it does not.",
			"correction"},
		{Silent, "Faults that the text does not mention",
			"The text says nothing of dropped or duplicated messages, and chapter 4 nothing of crashes: their\n" +
				"author nowhere claims to tolerate them. Of stale information chapter 4 says that it \"works in\n" +
				"practice\". These rows name gaps that a reader must fill, not mistakes of the author.",
			"gap that a reader must fill"},
	}
}

// findingTables returns what stands between the marks.
func findingTables(root string, rows []Row, d data) (string, error) {
	var b strings.Builder
	for _, s := range sections() {
		var of []Row
		for _, r := range rows {
			if r.Class == s.class {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", s.title, s.intro)
		for i, f := range families() {
			if err := findingTable(&b, root, s, i, f.title, of, d); err != nil {
				return "", err
			}
		}
	}
	return b.String() + "\n", nil
}

// familyOf is the index of the family of a row.
func familyOf(r Row) int {
	all := families()
	for i, f := range all {
		if r.Model != "" && f.prefix != "" && strings.HasPrefix(r.Model, f.prefix) {
			return i
		}
	}
	return len(all) - 1
}

// findingTable writes the rows of one class and one family, if there are any.
func findingTable(b *strings.Builder, root string, s section, family int, title string, rows []Row, d data) error {
	begun := false
	for _, r := range rows {
		if familyOf(r) != family {
			continue
		}
		if !begun {
			fmt.Fprintf(b, "\n#### %s\n\n%s", title, findingHead(s))
			begun = true
		}
		line, err := findingLine(root, s, r, d)
		if err != nil {
			return err
		}
		b.WriteString(line)
	}
	return nil
}

func findingHead(s section) string {
	columns := []string{"property", "fault", "steps", "failure", "fails in", "with ordered links"}
	if s.class == Interpretation {
		columns = append(columns, "mended by")
	}
	columns = append(columns, "trace in `traces/corpus/`", s.last)
	return "| " + strings.Join(columns, " | ") + " |\n|" + strings.Repeat("---|", len(columns)) + "\n"
}

// findingLine is the line of a row.
func findingLine(root string, s section, r Row, d data) (string, error) {
	cells := []string{r.Property, r.Fault, "", r.What, "", "", "`" + r.trace() + "`"}
	if r.Test != "" {
		cells[6] = r.Test
	} else {
		steps, err := r.steps(root)
		if err != nil {
			return "", err
		}
		unordered, ordered := d.tallies(r)
		cells[1], cells[2], cells[4], cells[5] = fault(r, d), fmt.Sprint(steps), unordered.String(), ordered.String()
	}
	if s.class == Interpretation {
		cells = append(cells[:6], r.Mended, cells[6])
	}
	return "| " + strings.Join(append(cells, r.Correction), " | ") + " |\n", nil
}

// fault describes the faults of the run: the fault of the row, and a message that overtakes another
// if the run does not happen on ordered links.
func fault(r Row, d data) string {
	const overtakes = "a message overtakes another on one link"
	switch {
	case !d.needsOvertaking(r):
		return r.Fault
	case r.Fault == "none":
		return overtakes
	}
	return r.Fault + "; " + overtakes
}

// counts are the numbers that pages name, by the word after "n:".
func counts(root string, rows []Row) (map[string]int, error) {
	own, err := ownRows(root)
	if err != nil {
		return nil, err
	}
	n := map[string]int{"rows": len(rows), "own": own}
	for _, r := range rows {
		n[[...]string{"flaws", "interpretations", "silent"}[r.Class]]++
	}
	return n, nil
}

// ownRows counts the rows of the table of the mistakes in the cores.
func ownRows(root string) (int, error) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "findings.md"))
	if err != nil {
		return 0, err
	}
	_, own, found := strings.Cut(string(page), "\n## In the cores of Canvass\n")
	if !found {
		return 0, fmt.Errorf("docs/findings.md has no section on the cores of Canvass")
	}
	return strings.Count(own, "\n| `protocol/"), nil
}

// counted is a number on a page: <!--n:flaws-->12<!--/n-->.
var counted = regexp.MustCompile(`<!--n:([a-z]+)-->[^<]*<!--/n-->`)

// withCounts enters the numbers into a page.
func withCounts(page string, n map[string]int) (string, error) {
	var err error
	text := counted.ReplaceAllStringFunc(page, func(mark string) string {
		word := counted.FindStringSubmatch(mark)[1]
		if _, known := n[word]; !known {
			err = fmt.Errorf("%s: no number has this name", mark)
		}
		return fmt.Sprintf("<!--n:%s-->%d<!--/n-->", word, n[word])
	})
	return text, err
}

// findingPages are those with counts. The first has the tables, too.
func findingPages() []string {
	return []string{"docs/findings.md", "README.md", "docs/verification.md"}
}

// madePages returns the pages as they should be, by path.
func madePages(root string, rows []Row, d data) (map[string]string, error) {
	n, err := counts(root, rows)
	if err != nil {
		return nil, err
	}
	written, err := findingTables(root, rows, d)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for i, path := range findingPages() {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		page := string(text)
		if i == 0 {
			before, rest, begins := strings.Cut(page, findingsBegin)
			_, after, ends := strings.Cut(rest, findingsEnd)
			if !begins || !ends {
				return nil, fmt.Errorf("%s has no place for the tables, between %q and %q", path, findingsBegin, findingsEnd)
			}
			page = before + findingsBegin + written + findingsEnd + after
		}
		if all[path], err = withCounts(page, n); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}

// writePages writes the pages.
func writePages(root string, pages map[string]string) error {
	for path, text := range pages {
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
