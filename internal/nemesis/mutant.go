package nemesis

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutants/tested"
)

// BuildMutant builds canvass with one of the mistakes of package tested, from the repository in the
// working directory, and returns the program.
func BuildMutant(ctx context.Context, name, folder string) (program string, err error) {
	for _, m := range tested.All() {
		if m.Name != name {
			continue
		}
		text, err := os.ReadFile(m.File)
		if err != nil {
			return "", fmt.Errorf("build the mutant %s: %w; run it at the root of the repository", name, err)
		}
		if strings.Count(string(text), m.Old) != 1 {
			return "", fmt.Errorf("the mutant %s does not fit %s any more", name, m.File)
		}
		changed, program := filepath.Join(folder, "mutant.go"), filepath.Join(folder, "canvass")
		if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.Old, m.New, 1)), 0o600); err != nil {
			return "", err
		}
		file, err := filepath.Abs(m.File)
		if err != nil {
			return "", err
		}
		overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
		if err != nil {
			return "", err
		}
		layer := filepath.Join(folder, "overlay.json")
		if err := os.WriteFile(layer, overlay, 0o600); err != nil {
			return "", err
		}
		build := exec.CommandContext(ctx, "go", "build", "-overlay", layer, "-o", program, "./cmd/canvass")
		out, err := build.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("build the mutant %s: %w\n%s", name, err, out)
		}
		return program, nil
	}
	return "", fmt.Errorf("there is no mutant %q in internal/mutants/tested", name)
}
