package mutation

import (
	"maps"
	"path"
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
// picks mutants. It returns all of them, the picked ones, and the path of the overlay that replaces
// the packages of the picked ones by copies: all others need no new build. With one of a runner's
// packages goes the runner, which starts shims and hands the mutant on to them.
func Instrument(
	root, folder string, pick func(all []Mutant) ([]Mutant, error),
) (all, picked []Mutant, overlay string, err error) {
	sources, err := load(root)
	if err != nil {
		return nil, nil, "", err
	}
	copies := map[string]string{}
	for i := range sources {
		copies[sources[i].path] = collect(&sources[i], &all).file()
	}
	if picked, err = pick(all); err != nil {
		return nil, nil, "", err
	}
	maps.DeleteFunc(copies, func(file, _ string) bool {
		return !slices.ContainsFunc(picked, func(m Mutant) bool {
			of := path.Dir(file)
			return m.Package == of || of == runners && strings.HasPrefix(m.Package, runners)
		})
	})
	overlay, err = writeOverlay(root, folder, copies)
	return all, picked, overlay, err
}
