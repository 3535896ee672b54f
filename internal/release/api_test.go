package main

import (
	"bytes"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// The API is that of the last release, except for changes in CHANGELOG.md.
func TestTheAPIIsAsReleased(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, api(nil, &out))
	t.Log(out.String())
}

// The record of a package is equal to the package, and recording the record gives it again.
func TestWhatIsRecordedIsTheAPI(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	now, err := buildGuarded(root)
	require.NoError(t, err)
	then := &release{now: now, guards: map[string]*types.Package{}}
	for _, name := range guarded {
		pkg, err := now.Import(module + name)
		require.NoError(t, err)
		text := declare(pkg)
		f, err := parseRecorded(module+name, text)
		require.NoError(t, err)
		old, err := f.check(then)
		require.NoError(t, err, string(text))
		then.guards[f.path] = old
		assert.Empty(t, compare(name, old, pkg), name)
		assert.Equal(t, string(text), string(declare(old)), name)
		assert.Greater(t, strings.Count(string(text), "\n"), 15, name)
	}
}

// parsed makes a package of source.
func parsed(t *testing.T, source string) *types.Package {
	t.Helper()
	f, err := parseRecorded(module+"model", []byte("package model\n"+source))
	require.NoError(t, err)
	pkg, err := f.check(nil)
	require.NoError(t, err)
	return pkg
}

// The record of a package has all its exported declarations, so comparing records finds every
// change.
func TestChangesAreFound(t *testing.T) {
	tests := []struct{ name, before, after, symbol string }{
		{"nothing", "type T struct { A int; b string }", "type T struct { A int; c []int16; b string }", "model.T"},
		{"a func is removed", "func F() {}", "", "model.F"},
		{"a func has another type", "func F(int) {}", "func F(string) {}", "model.F"},
		{"a field is removed", "type T struct { A, B int }", "type T struct { A int }", "model.T.B"},
		{"a method is removed", "type T[S any] struct{}; func (*T[S]) M(S) {}", "type T[S any] struct{}", "model.T.M"},
		{"a method of a value", "type T int; func (T) M() {}", "type T int", "model.T.M"},
		{"an interface has one more", "type I interface { A() }", "type I interface { A(); B() }", "model.I.B"},
		{"a constant", "const C = 2.5", "const C = 2.25", "model.C"},
		{"a constant of a type", "type K uint8; const C K = 1", "type K uint8; const C K = 2", "model.C"},
		{"an alias", "type A = []int", "type A = []string", "model.A"},
		{"a hidden type", "type t struct { A int }; func F() t {}", "type t struct { B int }; func F() t {}", "model.t.A"},
		{
			"an embedded type",
			"type t struct { A int }; type T struct { t }",
			"type t struct { }; type T struct { t }",
			"model.T.A",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := parseRecorded(module+"model", declare(parsed(t, test.before)))
			require.NoError(t, err)
			old, err := f.check(nil)
			require.NoError(t, err)
			changes := compare("model", old, parsed(t, test.after))
			assert.Contains(t, unnamed(changes, ""), test.symbol, changes)
			changelog := "## Unreleased\n\n### Incompatible\n\n- `" + strings.Join(
				unnamed(changes, ""),
				"`, `",
			) + "`: because.\n"
			assert.Empty(t, unnamed(changes, changelog))
		})
	}
}

func TestWhatIsAddedIsCompatible(t *testing.T) {
	changes := compare("model", parsed(t, "type T struct { A int }"), parsed(t, "type T struct { A, B int }; func F() {}"))
	assert.Len(t, changes, 2)
	assert.Empty(t, unnamed(changes, ""))
}

// Only the section of unreleased incompatible changes counts.
func TestTheChangelogNamesSymbols(t *testing.T) {
	removed := []change{{"model/checktest", "(*T[S]).M: removed", true}}
	for changelog, named := range map[string]bool{
		"## Unreleased\n### Incompatible\n- `checktest.T.M` is gone.\n":                        true,
		"## Unreleased\n\nText.\n\n### Incompatible\n\n- `checktest.T.M` is gone.\n## 0.1.0\n": true,
		"## Unreleased\n### Incompatible\n- checktest.T.M is gone.\n":                          false,
		"## Unreleased\n### Incompatible\n- `checktest.T.Max` is gone.\n":                      false,
		"## Unreleased\n### Added\n- `checktest.T.M`\n":                                        false,
		"## Unreleased\n## 0.1.0\n### Incompatible\n- `checktest.T.M` is gone.\n":              false,
		"": false,
	} {
		if named {
			assert.Empty(t, unnamed(removed, changelog), changelog)
		} else {
			assert.Equal(t, []string{"checktest.T.M"}, unnamed(removed, changelog), changelog)
		}
	}
}

// A release is recorded in place of the former one, and in the same way each time.
func TestRecord(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	releases := t.TempDir()
	texts := map[string]string{}
	for _, version := range []string{"v0.1.0", "v0.2.0"} {
		var out bytes.Buffer
		require.NoError(t, record(root, releases, version, &out))
		last, err := lastRelease(releases)
		require.NoError(t, err)
		assert.Equal(t, version, last)
		for _, name := range guarded {
			text, err := os.ReadFile(filepath.Join(releases, version, fileOf(name)))
			require.NoError(t, err)
			if former, ok := texts[name]; ok {
				assert.Equal(t, former, string(text), name)
			}
			texts[name] = string(text)
		}
	}
	var out bytes.Buffer
	require.NoError(t, guard(root, releases, &out))
	assert.Equal(t, "api: compared with v0.2.0: 0 changes, all incompatible ones are in CHANGELOG.md\n", out.String())

	// A symbol that the release had and this checkout has not.
	file := filepath.Join(releases, "v0.2.0", fileOf("model"))
	require.NoError(t, os.WriteFile(file, []byte(texts["model"]+"\nfunc Former() {}\n"), 0o600))
	out.Reset()
	require.ErrorContains(t, guard(root, releases, &out), "  - `model.Former`")
	assert.Equal(t, "INCOMPATIBLE model.Former: removed\n", out.String())

	require.ErrorContains(t, record(root, releases, "0.3", &out), "a version is like v0.1.0")
	require.NoError(t, os.Mkdir(filepath.Join(releases, "v0.3.0"), 0o700))
	_, err = lastRelease(releases)
	require.ErrorContains(t, err, "leave the last one")
}

func TestBadUse(t *testing.T) {
	for _, args := range [][]string{{"record"}, {"compare"}, {"record", "v0.1.0", "x"}} {
		require.Error(t, api(args, &bytes.Buffer{}))
		require.Error(t, command(args))
	}
}
