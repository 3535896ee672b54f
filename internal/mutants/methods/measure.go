package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/canvass-grid/canvass/internal/mutants"
)

// caps is how far each method goes.
type caps struct {
	states, walks, seeds uint64
	time                 time.Duration
	kind                 string // of the scenarios only this; "": all
}

// measure builds the mutant, once, and tries every method on it: on its model, or, if it is for
// scenarios to find, on all models of its core.
func measure(m mutants.Mutant, most caps) (e mutants.Effort, err error) {
	folder, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return e, err
	}
	defer os.RemoveAll(folder)
	root, err := os.Getwd()
	if err != nil {
		return e, err
	}
	overlay, err := m.Overlay(root, folder)
	if err != nil {
		return e, err
	}
	binary := filepath.Join(folder, "probe.exe")
	build := exec.Command("go", mutants.BuildArgs(binary, overlay, m.Probe())...)
	if out, err := build.CombinedOutput(); err != nil {
		return e, fmt.Errorf("%w: %s", err, out)
	}
	models, scenarios := m.Model, m.Core()
	switch {
	case m.Scenario != "":
		models, scenarios = m.Core(), m.Scenario
	case most.kind != "":
		scenarios += "/" + most.kind
	}
	probe := exec.Command(binary, "-models", models, "-scenarios", scenarios, fmt.Sprint("-states=", most.states),
		fmt.Sprint("-walks=", most.walks), fmt.Sprint("-seeds=", most.seeds), fmt.Sprint("-time=", most.time))
	probe.Stderr = os.Stderr
	out, err := probe.Output()
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(out, &e)
}
