package main

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
)

// change is a difference between two APIs.
type change struct {
	pkg          string // its name in guarded
	message      string // "System.Settled: removed"
	incompatible bool
}

func (c change) String() string {
	kind := "compatible"
	if c.incompatible {
		kind = "INCOMPATIBLE"
	}
	return fmt.Sprintf("%-12s %s.%s", kind, filepath.Base(c.pkg), c.message)
}

var (
	typeArguments = regexp.MustCompile(`\[[^\]]*\]`)
	receiver      = regexp.MustCompile(`\(\*([^)]*)\)`)
)

// symbol is the name that CHANGELOG.md must mention: model.System.Settled.
func (c change) symbol() string {
	if c.message == removedPackage {
		return filepath.Base(c.pkg)
	}
	name, _, _ := strings.Cut(c.message, ": ")
	name = receiver.ReplaceAllString(typeArguments.ReplaceAllString(name, ""), "$1")
	name, _, _ = strings.Cut(name, ",")
	return filepath.Base(c.pkg) + "." + name
}

const removedPackage = "the package: removed"

// compareRelease lists the changes since a release, package by package.
func compareRelease(root, dir string) ([]change, error) {
	files, others, err := parseRelease(dir)
	if err != nil {
		return nil, err
	}
	now, err := buildGuarded(root, others...)
	if err != nil {
		return nil, err
	}
	then := &release{now: now, guards: map[string]*types.Package{}}
	var changes []change
	for _, f := range files {
		old, err := f.check(then)
		if err != nil {
			return nil, err
		}
		then.guards[f.path] = old
		fresh, err := now.Import(f.path)
		if err != nil {
			return nil, err
		}
		changes = append(changes, compare(strings.TrimPrefix(f.path, module), old, fresh)...)
	}
	return changes, nil
}

// compare lists the changes of one package, the incompatible ones first.
func compare(name string, old, fresh *types.Package) []change {
	var changes []change
	for _, c := range apidiff.Changes(old, fresh).Changes {
		changes = append(changes, change{name, c.Message, !c.Compatible})
	}
	return changes
}

// unnamed lists the symbols of incompatible changes without a mention in the changelog.
func unnamed(changes []change, changelog string) []string {
	text := sectionOf(sectionOf(changelog, "## Unreleased"), "### Incompatible")
	var missing []string
	for _, c := range changes {
		if c.incompatible && !strings.Contains(text, "`"+c.symbol()+"`") {
			missing = append(missing, c.symbol())
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// sectionOf returns what follows a heading, up to the next one of its level or above.
func sectionOf(text, heading string) string {
	level, inside := strings.Index(heading, " "), false
	var b strings.Builder
	for line := range strings.Lines(text) {
		hashes := len(line) - len(strings.TrimLeft(line, "#"))
		if hashes > 0 && hashes <= level {
			inside = strings.TrimSpace(line) == heading
			continue
		}
		if inside {
			b.WriteString(line)
		}
	}
	return b.String()
}

func list(symbols []string) string {
	return "  - `" + strings.Join(symbols, "`\n  - `") + "`"
}

var versionName = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// lastRelease returns the version of the recorded API, "" if there is none.
func lastRelease(releases string) (string, error) {
	entries, err := os.ReadDir(releases)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	var versions []string
	for _, e := range entries {
		if e.IsDir() && versionName.MatchString(e.Name()) {
			versions = append(versions, e.Name())
		}
	}
	if len(versions) > 1 {
		return "", fmt.Errorf(
			"%s has the APIs of %d releases: %s; leave the last one",
			releases,
			len(versions),
			strings.Join(versions, ", "),
		)
	}
	return strings.Join(versions, ""), nil
}

// record writes the API of this checkout down as that of a release, in place of the former one.
func record(root, releases, version string, stdout io.Writer) error {
	if !versionName.MatchString(version) {
		return fmt.Errorf("record %q: a version is like v0.1.0", version)
	}
	now, err := buildGuarded(root)
	if err != nil {
		return err
	}
	former, err := lastRelease(releases)
	if err != nil {
		return err
	}
	texts := map[string][]byte{}
	for _, name := range guarded {
		pkg, err := now.Import(module + name)
		if err != nil {
			return err
		}
		texts[fileOf(name)] = declare(pkg)
	}
	if former != "" {
		if err := os.RemoveAll(filepath.Join(releases, former)); err != nil {
			return err
		}
	}
	dir := filepath.Join(releases, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "api: recorded %s: %d packages in %s\n", version, len(texts), dir)
	return err
}
