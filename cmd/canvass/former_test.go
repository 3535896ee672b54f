package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/sim"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// A trace of an earlier release, which names its model by the former name, replays under the
// present one.
func TestFormerModels(t *testing.T) {
	for file, now := range map[string]string{
		"row3-leave-early.CancelledStays.itf.json": "published/can/row3/leave-early@current",
		"reptask-cross@tells.NoOrphan.itf.json":    "published/reptask/cross@tells",
	} {
		var out, diagnostics bytes.Buffer
		args := []string{"replay", filepath.Join("testdata", "former", file)}
		code := run(catalog.All, scenarios.All, args, strings.NewReader(""), &out, &diagnostics)
		assert.Zero(t, code, "%s: %s", file, diagnostics.String())
		assert.True(t, strings.HasPrefix(out.String(), now+": "), "%s: %s", file, out.String())
	}
	const former = "as" + "printed/"
	for name, now := range map[string]string{
		former + "row3/leave-early":                `"published/can/row3/leave-early@current"`,
		former + "refine/*":                        `"published/refine/*"`,
		former + "row4/leave-leave@fixed":          `"published/can/row4/leave-leave"`,
		"published/can/row3/join-dup@fixed+clears": `"published/can/row3/join-dup@clears"`,
	} {
		var diagnostics bytes.Buffer
		args := []string{"check", name}
		code := run(catalog.All, scenarios.All, args, strings.NewReader(""), &bytes.Buffer{}, &diagnostics)
		assert.Equal(t, cli.CodeUsage, code)
		assert.Equal(t, "canvass: \""+name+"\" is called "+now+" now\n", diagnostics.String())
	}
}

// A trace and a plan of an earlier release, which call the scenario a world and name it by its
// former name, replay under the present one.
func TestFormerScenarios(t *testing.T) {
	present := func() []*sim.Scenario {
		return []*sim.Scenario{countScenario{name: "reptask/small", limit: 4}.scenario()}
	}
	command := func(args ...string) (code int, out, diagnostics string) {
		var stdout, stderr bytes.Buffer
		code = run(toys, present, args, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	folder := t.TempDir()
	code, _, diagnostics := command("simulate", "-q", "--seed", "4", "--seeds", "1",
		"--trace-dir", folder, "--finding-dir", folder)
	require.Equal(t, cli.CodeSafety, code, diagnostics)
	former := func(name string) string {
		file := filepath.Join(folder, "sim-reptask-small-seed4.Small"+name)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		old := strings.NewReplacer("reptask/small", "tasks/small", `\"scenario\"`, `\"world\"`, `"scenario"`, `"world"`)
		require.Contains(t, string(text), "scenario")
		require.NoError(t, os.WriteFile(file, []byte(old.Replace(string(text))), 0o666))
		return file
	}
	trace, plan := former(".itf.json"), former(".plan.json")
	code, out, diagnostics := command("replay", trace)
	assert.Zero(t, code, diagnostics)
	assert.True(t, strings.HasPrefix(out, "sim/reptask/small: two nodes count\n"), out)
	for _, file := range []string{plan, trace} {
		code, out, diagnostics = command("simulate", "-q", "--plan", file, "--trace-dir", "")
		assert.Equal(t, cli.CodeSafety, code, diagnostics)
		assert.True(t, strings.HasPrefix(out, "reptask/small: VIOLATED "), out)
	}
	code, _, diagnostics = command("simulate", "tasks/small")
	assert.Equal(t, cli.CodeUsage, code)
	assert.Equal(t, "canvass: \"tasks/small\" is called \"reptask/small\" now\n", diagnostics)
}
