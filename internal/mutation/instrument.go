package mutation

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// Instrument writes copies of the cores in which every mutant can be switched on into a folder. It
// returns the mutants and the path of the overlay that puts the copies in place of the cores.
func Instrument(root, folder string) (all []Mutant, overlay string, err error) {
	sources, err := load(root)
	if err != nil {
		return nil, "", err
	}
	replace := map[string]string{}
	for i := range sources {
		m := collect(&sources[i], &all)
		// Not .go: a command that takes all packages of the work tree must not find these.
		copied := filepath.Join(folder, fmt.Sprintf("%03d.txt", i))
		if err := os.WriteFile(copied, []byte(m.file()), 0o600); err != nil {
			return nil, "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(sources[i].path))] = copied
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return nil, "", err
	}
	overlay = filepath.Join(folder, "overlay.json")
	return all, overlay, os.WriteFile(overlay, text, 0o600)
}
