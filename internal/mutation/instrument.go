package mutation

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// List returns the mutants.
func List(root string) ([]Mutant, error) {
	sources, err := load(root)
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for i := range sources {
		collect(&sources[i], &all)
	}
	return all, nil
}

// Instrument writes copies of the cores in which every mutant can be switched on into a folder, and
// picks mutants. It returns all of them, those that were picked, and the path of the overlay that
// puts copies in place of the packages of these: all else need not be built anew. With one of a
// runner's packages goes the runner, which starts shims and hands the mutant on to them.
func Instrument(
	root, folder string, pick func(all []Mutant) ([]Mutant, error),
) (all, picked []Mutant, overlay string, err error) {
	sources, err := load(root)
	if err != nil {
		return nil, nil, "", err
	}
	copies := map[string]string{}
	for i := range sources {
		m := collect(&sources[i], &all)
		// Not .go: a command that takes all packages of the work tree must not find these.
		copied := filepath.Join(folder, fmt.Sprintf("%03d.txt", i))
		if err := os.WriteFile(copied, []byte(m.file()), 0o600); err != nil {
			return nil, nil, "", err
		}
		copies[sources[i].path] = copied
	}
	if picked, err = pick(all); err != nil {
		return nil, nil, "", err
	}
	replace := map[string]string{}
	for file, copied := range copies {
		if slices.ContainsFunc(picked, func(m Mutant) bool {
			of := path.Dir(file)
			return m.Package == of || of == runners && strings.HasPrefix(m.Package, runners)
		}) {
			replace[filepath.Join(root, filepath.FromSlash(file))] = copied
		}
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return nil, nil, "", err
	}
	overlay = filepath.Join(folder, "overlay.json")
	return all, picked, overlay, os.WriteFile(overlay, text, 0o600)
}
