package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// ErrPlan is wrapped by every error about a plan that cannot be run.
var ErrPlan = errors.New("not a plan")

// Plan determines a run completely. It is drawn from a seed, and can be shrunk, saved and run
// again.
type Plan struct {
	Scenario string `json:"scenario"`
	Seed     uint64 `json:"seed"` // of draws during the run: latencies, choices, durations
	// Nodes is the number of nodes; Founders of them are members from the beginning.
	Nodes    int    `json:"nodes"`
	Founders int    `json:"founders,omitempty"`
	Shape    uint64 `json:"shape,omitempty"` // for derived values: dimensions, sizes, coordinates
	// Latency is a text for [ParseLatency] or [ParseMeasured]. Measured latencies must be in Sites.
	Latency string `json:"latency"`
	Sites   Sites  `json:"-"`
	// Rates of message faults, in a million, and the longest extra delay.
	Drop        uint32 `json:"lose,omitempty"`
	Duplicate   uint32 `json:"duplicate,omitempty"`
	Delay       uint32 `json:"delay,omitempty"`
	DelayMicros int64  `json:"delay_micros,omitempty"`
	DriftPPM    int64  `json:"drift_ppm,omitempty"`
	// Faults, if not null, replace the rates.
	Faults []Fault `json:"faults"`
	Ops    []Op    `json:"ops"`
	// UntilMicros is when faults stop. Then the run must become quiescent within SettleMicros.
	UntilMicros  int64 `json:"until_micros"`
	SettleMicros int64 `json:"settle_micros,omitempty"`
}

// Op is an operation on the simulation at some time.
type Op struct {
	AtMicros int64  `json:"at"`
	Do       string `json:"do"`
	Node     int    `json:"node"`
	Arg      uint64 `json:"arg,omitempty"`
}

// StepPrefix marks operations that are steps: they do not act on the run, they say which action it
// takes next.
const StepPrefix = "step "

// IsStep reports whether an operation is a step.
func (op Op) IsStep() bool { return strings.HasPrefix(op.Do, StepPrefix) }

// The limits of a plan.
const (
	maxPlanNodes  = 1 << 20
	maxPlanOps    = 1 << 16
	maxPlanMicros = int64(1e15)
)

// Clone returns a copy that shares nothing with the plan.
func (p *Plan) Clone() *Plan {
	c := *p
	c.Ops = slices.Clone(p.Ops)
	c.Faults = slices.Clone(p.Faults)
	return &c
}

// String writes a plan in one line, as [DecodePlan] reads it.
func (p *Plan) String() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic("sim: encode a plan: " + err.Error())
	}
	return string(text)
}

// DecodePlan reads a plan as String writes it. Unknown fields and impossible numbers are errors
// that wrap [ErrPlan].
func DecodePlan(text string) (*Plan, error) {
	var read struct {
		Plan
		World string `json:"world"` // the scenario, in plans of earlier releases
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&read); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlan, fileio.JSONError(nil, err))
	}
	if dec.More() {
		return nil, fmt.Errorf("%w: more text follows the plan", ErrPlan)
	}
	p := &read.Plan
	switch {
	case p.Scenario != "" && read.World != "":
		return nil, fmt.Errorf("%w: it names a scenario and a world; a plan names one scenario", ErrPlan)
	case p.Scenario == "":
		p.Scenario = read.World
	}
	return p, p.Validate()
}

// Validate returns an error if the plan is impossible in every scenario.
func (p *Plan) Validate() error {
	_, measured, err := ParseMeasured(p.Latency)
	if !measured {
		_, err = ParseLatency(p.Latency)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPlan, err)
	}
	switch {
	case p.Nodes < 1 || p.Nodes > maxPlanNodes:
		return fmt.Errorf("%w: %d nodes; it must be from 1 to %d", ErrPlan, p.Nodes, maxPlanNodes)
	case p.Founders < 0 || p.Founders > p.Nodes:
		return fmt.Errorf("%w: %d founders; it must be from 0 to the %d nodes", ErrPlan, p.Founders, p.Nodes)
	case p.UntilMicros < 0 || p.UntilMicros > maxPlanMicros || p.SettleMicros < 0 || p.SettleMicros > maxPlanMicros:
		return fmt.Errorf("%w: until_micros and settle_micros must be from 0 to %d", ErrPlan, maxPlanMicros)
	case p.Drop > million || p.Duplicate > million || p.Delay > million || p.DelayMicros < 0 || p.DelayMicros > maxLatency:
		return fmt.Errorf("%w: lose, duplicate and delay are at most a million, delay_micros is at most a day", ErrPlan)
	case p.DriftPPM < 0 || p.DriftPPM > million/2:
		return fmt.Errorf("%w: drift_ppm is %d; it must be from 0 to %d", ErrPlan, p.DriftPPM, million/2)
	case len(p.Ops) > maxPlanOps:
		return fmt.Errorf("%w: %d operations; at most %d are possible", ErrPlan, len(p.Ops), maxPlanOps)
	}
	for i, op := range p.Ops {
		if op.Node < 0 || op.Node >= p.Nodes || op.AtMicros < 0 || op.AtMicros > maxPlanMicros {
			return fmt.Errorf(
				"%w: operation %d (%s) names node %d of %d, or an impossible time",
				ErrPlan,
				i,
				op.Do,
				op.Node,
				p.Nodes,
			)
		}
	}
	return nil
}

// Brief describes a plan in one line, for people: its nodes, its operations, and the faults of
// messages and clocks. Scenarios without a clock have a description of their own: see
// [Scenario.Bounds].
func (p *Plan) Brief() string {
	parts := []string{english.Count(p.Nodes, "node")}
	if p.Founders > 0 && p.Founders < p.Nodes {
		parts[0] += fmt.Sprintf(", %d of them members from the beginning", p.Founders)
	}
	if done := p.done(); done != "" {
		parts = append(parts, done)
	}
	parts = append(parts, "latency "+p.Latency+" (microseconds)")
	for _, rate := range []struct {
		what      string
		inMillion uint32
	}{{"dropped", p.Drop}, {"duplicated", p.Duplicate}, {"delayed", p.Delay}} {
		if rate.inMillion > 0 && p.Faults == nil {
			parts = append(parts, fmt.Sprintf("%.2g %% of messages %s", float64(rate.inMillion)/10_000, rate.what))
		}
	}
	if n := len(p.Faults); n > 0 {
		parts = append(parts, english.Count(n, "message")+" dropped, duplicated or delayed")
	}
	if p.DriftPPM > 0 {
		parts = append(parts, fmt.Sprintf("clocks wrong by up to %d ppm", p.DriftPPM))
	}
	return strings.Join(parts, "; ")
}

// done counts the operations of each kind.
func (p *Plan) done() string {
	var kinds []string
	times := map[string]int{}
	for _, op := range p.Ops {
		if !slices.Contains(kinds, op.Do) {
			kinds = append(kinds, op.Do)
		}
		times[op.Do]++
	}
	for i, kind := range kinds {
		if n := times[kind]; n > 1 {
			kinds[i] = fmt.Sprintf("%d × %s", n, kind)
		}
	}
	return strings.Join(kinds, ", ")
}
