package mutants_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
)

var rewrite = flag.Bool("rewrite", false, "write the tables of docs/mutants.md again; read the difference")

// The tables stand between these lines.
const (
	pageBegin = "<!-- mutants of the driver: begin; TestPage of internal/mutants writes these -->\n"
	pageEnd   = "<!-- mutants of the driver: end -->\n"
)

// The tables of the page are those of the mutants.
func TestPage(t *testing.T) {
	file := filepath.Join(root(t), "docs", "mutants.md")
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, begins := strings.Cut(string(page), pageBegin)
	old, after, ends := strings.Cut(rest, pageEnd)
	require.True(t, begins && ends, "docs/mutants.md has no place for the tables")
	tables := "\n" + tablesOf(mutants.Driver(), canaries(t)) + "\n"
	if *rewrite {
		require.NoError(t, os.WriteFile(file, []byte(before+pageBegin+tables+pageEnd+after), 0o600))
		return
	}
	assert.True(t, tables == old, "go test ./internal/mutants -run TestPage -rewrite makes the tables again")
}

// tablesOf are the tables of the page: first the mutants that break a rule of a driver, by rule.
func tablesOf(all []mutants.Tested, canaries map[string]bool) string {
	var rules []string
	byRule := map[string][]mutants.Tested{}
	for _, m := range all {
		if byRule[m.Rule] == nil && m.Rule != "" {
			rules = append(rules, m.Rule)
		}
		byRule[m.Rule] = append(byRule[m.Rule], m)
	}
	var b strings.Builder
	b.WriteString("| rule | mutant | failure | noticed by |\n|---|---|---|---|\n")
	for _, rule := range rules {
		first := rule
		for _, m := range byRule[rule] {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", first, m.Name, m.Why, noticedBy(m, canaries))
			first = ""
		}
	}
	b.WriteString("\nMistakes in a daemon's decisions about jobs:\n\n")
	b.WriteString("| mutant | failure | noticed by |\n|---|---|---|\n")
	for _, m := range byRule[""] {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, m.Why, noticedBy(m, canaries))
	}
	return b.String()
}

// noticedBy describes the test that notices a mutant.
func noticedBy(m mutants.Tested, canaries map[string]bool) string {
	how := "unit test"
	switch m.Package() {
	case "sim/daemon":
		how = "simulated daemons"
	case "cmd/canvass/jobs":
		how = "real daemons"
	}
	text := fmt.Sprintf("%s, `%s` in `%s`", how, m.Test, m.Package())
	if canaries[m.Name] {
		text += "; nemesis"
	}
	return text
}

// canaries are the mutants that the Makefile runs against the nemesis.
func canaries(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^CANARIES = ((?:.*\\\n)*.*)$`).FindSubmatch(text)
	require.NotNil(t, line)
	known := map[string]bool{}
	for _, m := range mutants.AllTested() {
		known[m.Name] = true
	}
	names := map[string]bool{}
	for canary := range strings.FieldsSeq(strings.ReplaceAll(string(line[1]), "\\\n", " ")) {
		name, _, _ := strings.Cut(canary, ":")
		assert.True(t, known[name], "the Makefile names a canary %s, which is no mutant", name)
		names[name] = true
	}
	return names
}

// Each duty of a driver has the mutant that its contract asks for.
func TestDuties(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "duties.txt"))
	require.NoError(t, err)
	rules := map[string]string{}
	for _, m := range mutants.Driver() {
		rules[m.Name] = m.Rule
	}
	names := strings.Fields(string(text))
	assert.Len(t, names, 15)
	for _, name := range names {
		assert.NotEmpty(t, rules[name], "there is no mutant %s, or it names no rule", name)
	}
}
