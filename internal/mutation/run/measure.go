package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

// measure measures mutants and prints the efforts.
func (f methodFlags) measure(chosen []mutants.Mutant, to io.Writer) error {
	root, err := mutation.Root()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var edits []mutation.Edit
	for _, m := range chosen {
		edits = append(edits, m.Edit())
	}
	built, err := mutation.NewEdited(root, folder, edits)
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprint(to, header)
	}
	for _, m := range chosen {
		e, err := f.effort(built, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if !f.json {
			fmt.Fprintln(to, row(m, e))
			continue
		}
		if err := json.NewEncoder(to).Encode(line{m.Name, e}); err != nil {
			return err
		}
	}
	return nil
}

// patience is how long the methods may take together that are not stopped.
const patience = 24 * time.Hour

// effort tries every method on a mutant: on its model, or, if it is for scenarios to find, on all
// models of its core.
func (f methodFlags) effort(built *mutation.Edited, m mutants.Mutant) (e mutation.Effort, err error) {
	asked := f.bounds
	asked.Models, asked.Scenarios = m.Model, m.Core()
	switch {
	case m.Scenario != "":
		asked.Models, asked.Scenarios = m.Core(), m.Scenario
	case f.kind != "":
		asked.Scenarios += "/" + f.kind
	}
	answers, silent, err := built.Ask(m.Name, mutation.Request{Measure: &asked}, patience)
	switch {
	case err != nil:
		return e, err
	case silent || len(answers) == 0:
		return e, errors.New("the program that tries it died")
	case answers[0].Effort == nil: // it cannot even make the models
		return mutation.Effort{Checker: mutation.Search{Found: 1, Where: answers[0].Name, Property: answers[0].Killed}}, nil
	}
	return *answers[0].Effort, nil
}
