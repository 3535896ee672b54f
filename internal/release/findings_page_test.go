package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
)

var rewrite = flag.Bool("rewrite", false, "write the tables and counts of the pages again; read the difference")

// The tables and the counts of the pages are those of the rows and the data.
func TestPage(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	d, err := readData(root)
	require.NoError(t, err)
	pages, err := madePages(root, Rows(), d)
	require.NoError(t, err)
	if *rewrite {
		require.NoError(t, writePages(root, pages))
		return
	}
	for path, want := range pages {
		have, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		assert.True(t, want == string(have), "%s: go test ./internal/release -run TestPage -rewrite makes it again", path)
	}
}

// Each page says each of its counts between marks, and no number beside them.
func TestCountsAreMarked(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	marks := 0
	for _, path := range findingPages() {
		text, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		marks += len(counted.FindAll(text, -1))
	}
	assert.Positive(t, marks)
	_, err = withCounts("<!--n:nothing-->1<!--/n-->", map[string]int{"rows": 1})
	require.Error(t, err)
	page, err := withCounts("<!--n:rows--><!--/n--> rows", map[string]int{"rows": 7})
	require.NoError(t, err)
	assert.Equal(t, "<!--n:rows-->7<!--/n--> rows", page)
}

// Rows name models of the catalogue that are expected to fail so, each once.
func TestRowsNameModels(t *testing.T) {
	models, seen := map[string]model.Info{}, map[string]bool{}
	for _, m := range catalog.All() {
		models[m.Info().Name] = m.Info()
	}
	for _, r := range Rows() {
		if r.Test != "" {
			assert.Empty(t, r.Model)
			continue
		}
		key := r.Model + " " + r.Property
		assert.False(t, seen[key], "two rows of %s", key)
		seen[key] = true
		info, known := models[r.Model]
		require.True(t, known, "no model %s", r.Model)
		expected := false
		for _, e := range info.Expected {
			expected = expected || e.Violated && e.Property == r.Property
		}
		assert.True(t, expected, "%s is not expected to violate %s", r.Model, r.Property)
	}
}

// The data has every combination of every scenario, and says of each class what the class means.
func TestClasses(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	d, err := readData(root)
	require.NoError(t, err)
	assert.Len(t, d, len(scenariosOf(Rows())), "make tables WHAT=findings")
	for _, r := range Rows() {
		if r.Model == "" {
			continue
		}
		require.Len(t, d[r.scenario()][r.Property], len(catalog.Interpretations(r.Model)), "%s: make tables WHAT=findings",
			r.trace())
		unordered, ordered := d.tallies(r)
		assert.Positive(t, unordered.failing, "%s", r.trace())
		switch r.Class {
		case Flaw:
			assert.True(t, unordered.everywhere(), "%s fails in %v interpretations", r.trace(), unordered)
			assert.True(t, ordered.everywhere(), "%s fails in %v interpretations on ordered links", r.trace(), ordered)
			assert.Empty(t, r.Mended)
		case Interpretation:
			mended := unordered.failing+unordered.open < unordered.all || d.needsOvertaking(r) || r.Other
			assert.True(t, mended, "%s: no interpretation mends it (%v, ordered %v)", r.trace(), unordered, ordered)
			assert.NotEmpty(t, r.Mended, "%s", r.trace())
		}
	}
}

// A test that a row names as its evidence exists.
func TestEvidenceExists(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	for _, r := range Rows() {
		for _, m := range regexp.MustCompile("`(Test\\w+)` in `([\\w/]+)`").FindAllStringSubmatch(r.Test, -1) {
			files, err := filepath.Glob(filepath.Join(root, m[2], "*_test.go"))
			require.NoError(t, err)
			found := false
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				found = found || strings.Contains(string(text), "func "+m[1]+"(")
			}
			assert.True(t, found, "no test %s in %s", m[1], m[2])
		}
		assert.Equal(t, r.Test == "", r.Model != "")
	}
}

func TestTallies(t *testing.T) {
	d := data{"published/can/row1/join": {"P": strings.Repeat("F", 32) + strings.Repeat(".", 30) + "?F"}}
	r := Row{Model: "published/can/row1/join", Property: "P", Fault: "none"}
	unordered, ordered := d.tallies(r)
	assert.Equal(t, "32 of 32", unordered.String())
	assert.Equal(t, "1 of 32, 1 open", ordered.String())
	assert.True(t, unordered.everywhere())
	assert.False(t, ordered.everywhere())
	assert.Equal(t, "a message overtakes another on one link", fault(r, d))
	r.Fault = "one crash"
	assert.Equal(t, "one crash; a message overtakes another on one link", fault(r, d))
	v := verdicts{}
	v.set(1, 3, map[string]byte{"Q": fails})
	v.set(2, 3, map[string]byte{"Q": open})
	assert.Equal(t, verdicts{"Q": ".F?"}, v)
}

// The cheapest scenario is computed as its data says.
func TestComputed(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	d, err := readData(root)
	require.NoError(t, err)
	const cheap = "published/can/row1/join"
	again, err := compute([]scenario{{cheap, []string{"NobodyBusy"}}})
	require.NoError(t, err)
	assert.Equal(t, d[cheap], again[cheap], "make tables WHAT=findings")
	_, err = compute([]scenario{{"published/can/row1/nothing", nil}})
	require.ErrorContains(t, err, "there is no such model")
}
