package main

import (
	"bytes"
	"errors"
	"os"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// findings checks every combination. It compares the verdicts with the data, or writes data and
// pages.
func findings(check bool) error {
	root, err := mutation.Root()
	if err != nil {
		return err
	}
	d, err := compute(scenariosOf(Rows()))
	if err != nil {
		return err
	}
	text, err := d.text()
	if err != nil {
		return err
	}
	if check {
		kept, err := os.ReadFile(dataFile(root))
		if err != nil {
			return err
		}
		if !bytes.Equal(kept, text) {
			return errors.New("docs/findings.json has other verdicts than the models; make tables WHAT=findings writes it again")
		}
		return nil
	}
	if err := os.WriteFile(dataFile(root), text, 0o644); err != nil {
		return err
	}
	pages, err := madePages(root, Rows(), d)
	if err != nil {
		return err
	}
	return writePages(root, pages)
}
