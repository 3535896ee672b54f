package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// The module, and its packages whose API is guarded. A package comes after its imports.
const module = "github.com/canvass-grid/canvass/"

var guarded = []string{
	"protocol", "checker", "traces", "model", "model/checktest", "sim", "scheduler", "scheduler/central",
	"cmd/canvass/lab",
}

// api compares the public API with that of the last release, or records that of a release.
func api(args []string, stdout io.Writer) error {
	root, err := mutation.Root()
	if err != nil {
		return err
	}
	releases := filepath.Join(root, "internal", "release", "testdata")
	switch {
	case len(args) == 0:
		return guard(root, releases, stdout)
	case len(args) == 2 && args[0] == "record":
		return record(root, releases, args[1], stdout)
	}
	return fmt.Errorf("api takes no arguments, or: record VERSION")
}

// guard compares the API with that of the last release.
func guard(root, releases string, stdout io.Writer) error {
	version, err := lastRelease(releases)
	if err != nil {
		return err
	}
	if version == "" {
		_, err := fmt.Fprintln(stdout,
			"api: no release is recorded yet; record one: go run ./internal/release api record VERSION")
		return err
	}
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	changes, err := compareRelease(root, filepath.Join(releases, version))
	if err != nil {
		return err
	}
	missing := unnamed(changes, string(changelog))
	for _, c := range changes {
		if _, err := fmt.Fprintf(stdout, "%s\n", c); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%d incompatible changes since %s are not named in CHANGELOG.md; take them back, "+
			"or add to \"### Incompatible\" of \"## Unreleased\":\n%s", len(missing), version, list(missing))
	}
	_, err = fmt.Fprintf(
		stdout,
		"api: compared with %s: %d changes, all incompatible ones are in CHANGELOG.md\n",
		version,
		len(changes),
	)
	return err
}
