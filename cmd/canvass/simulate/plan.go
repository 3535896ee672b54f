package simulate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/sim"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
	"github.com/canvass-grid/canvass/traces"
)

const (
	planEnding = ".plan.json"
	pageEnding = ".html"
)

// planLimit bounds the file of a plan.
const planLimit = 64 << 20

// onePlan runs the plan of a file.
func (s *simulation) onePlan(ctx context.Context) error {
	file := filepath.ToSlash(s.flags.plan)
	plan, err := readPlan(file)
	if err != nil {
		return fmt.Errorf("--plan: %w; plans of findings are in the folder of --finding-dir (out/findings), *%s",
			err, planEnding)
	}
	plan.Scenario = scenarios.CurrentName(plan.Scenario)
	w := ScenarioNamed(s.tool.Scenarios(), plan.Scenario)
	if w == nil {
		return fmt.Errorf("--plan: %s: %s", file, NoScenario(s.tool.Scenarios(), plan.Scenario))
	}
	if _, measured, _ := sim.ParseMeasured(plan.Latency); s.delays != nil && (s.delays.file == nil || !measured) {
		return cli.Usagef("--latency beside --plan can only say where the plan's file of measured latencies is: " +
			"\"measured FILE\"")
	}
	if err := Measure(s.files, plan, s.delays, "say where it is with --latency \"measured FILE\""); err != nil {
		return fmt.Errorf("--plan: %s: %w", file, err)
	}
	command := "canvass simulate --plan " + file
	if s.delays != nil {
		command += fmt.Sprintf(" --latency %q", s.delays.text)
	}
	scenario := *w
	scenario.Draw = func(uint64) *sim.Plan { return plan.Clone() }
	s.campaign.Scenarios = []*sim.Scenario{&scenario}
	s.planned = &planned{command, nameOfPlan(file)}
	s.campaign.Seeds, s.campaign.AgainEvery, s.campaign.First, s.campaign.ShardCount = 1, 1, plan.Seed, 0
	s.flags.found = ""
	return s.run(ctx)
}

// nameOfPlan is the name of the files about the run of a plan, up to the property. The trace of a
// run that a trace was the plan of has another name than that one.
func nameOfPlan(file string) string {
	base := filepath.Base(file)
	name, _, _ := strings.Cut(base, ".")
	if strings.HasSuffix(base, verdict.TraceEnding) {
		name += "-again"
	}
	return cli.FileName(name)
}

// readPlan reads a plan, or that of a trace of a scenario.
func readPlan(file string) (*sim.Plan, error) {
	text, err := fileio.Read(file, planLimit)
	if err != nil {
		return nil, err
	}
	plan, err := decodePlan(text)
	if err == nil {
		return plan, nil
	}
	if t, bad := traces.Read(bytes.NewReader(text)); bad == nil {
		if !strings.HasPrefix(t.Header.Model, ModelPrefix) {
			return nil, fmt.Errorf("%s: %w: it is a trace of the model %s and has no plan; show it with: canvass "+
				"replay %s",
				file, sim.ErrPlan, t.Header.Model, file)
		}
		plan, err = sim.DecodePlan(t.Header.Bounds)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return plan, nil
}

func decodePlan(text []byte) (*sim.Plan, error) {
	return sim.DecodePlan(strings.TrimSpace(string(text)))
}

// IsPlan reports whether a file that is not a trace is a plan, perhaps a damaged one.
func IsPlan(file string) bool {
	text, err := fileio.Read(file, planLimit)
	if err == nil {
		_, err = decodePlan(text)
	}
	return err == nil || strings.HasSuffix(file, planEnding)
}

// planned says where the only plan of a simulation comes from.
type planned struct {
	command string // that runs it
	name    string // of the files about it, up to the property
}
