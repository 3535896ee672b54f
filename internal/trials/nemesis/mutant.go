package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/canvass-grid/canvass/internal/mutants"
)

// BuildMutant builds canvass with one of the mistakes of [mutants.AllTested], from the repository
// in the working directory, and returns the program.
func BuildMutant(ctx context.Context, name, folder string) (program string, err error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	for _, m := range mutants.AllTested() {
		if m.Name != name {
			continue
		}
		overlay, err := m.Edit().Overlay(root, folder)
		if err != nil {
			return "", fmt.Errorf("build the mutant %s: %w; run it at the root of the repository", name, err)
		}
		program := filepath.Join(folder, "canvass")
		build := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", program, "./cmd/canvass")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make builds the program
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build the mutant %s: %w\n%s", name, err, out)
		}
		return program, nil
	}
	return "", fmt.Errorf("there is no mutant %q in internal/mutants/driver.go and the files beside it", name)
}
