package experiment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Cell is one way to run a workload: every setting that can change a result, as text. The seed is
// apart. An empty setting means its default.
type Cell struct {
	Workload   string `json:"workload"`
	Predict    string `json:"predict,omitempty"`
	Select     string `json:"select"`
	Platform   string `json:"platform"`
	Pool       string `json:"pool"`
	Clustering string `json:"clustering"`
	Policy     string `json:"policy"`
	Choice     string `json:"choice"`
	Passes     string `json:"passes"`
	Estimate   string `json:"estimate"`
	Over       string `json:"over_provisioning"`
	Moves      string `json:"moves"`
	Minimum    string `json:"minimum"`
	Position   string `json:"position"`
	Reach      string `json:"reach"`
	Demands    string `json:"demands"`
	Latency    string `json:"latency"`
	Between    string `json:"between"`
	Balance    string `json:"balance"`
	News       string `json:"news"`
	Fidelity   string `json:"fidelity"`
	Apart      string `json:"apart"`
	Churn      string `json:"churn"`
	Loss       string `json:"loss"`
	Trim       string `json:"trim"`
	ZeroRun    string `json:"zero_run"`
	NoProcs    string `json:"no_processors"`
	Overrun    string `json:"overrun"`
	Processors string `json:"processors"`
	Status     string `json:"status"`
	Unit       string `json:"unit"`
	SkipBad    string `json:"skip_bad"`
}

// Setting describes a setting of a cell.
type Setting struct {
	Name    string
	Default string
	Doc     string // one line: its effect and its values
	field   func(*Cell) *string
}

// Settings lists the settings of a cell, in the order of help and of keys.
func Settings() []Setting {
	return slices.Concat([]Setting{
		{"workload", "", "the jobs: swf:FILE, lublin:…, sharcnet-like:… or poisson:…",
			func(c *Cell) *string { return &c.Workload }},
		{"predict", "", "run no jobs but predict latencies, by METHOD of INPUT (canvass lab predict lists them): " +
			"dtm of tree:300, or vivaldi:128000 of umiacs-like; or find clusters: clusters:64 of sharcnet-latency",
			func(c *Cell) *string { return &c.Predict }},
		{"select", "", "selections, one after the other, as in canvass help selections: " +
			"filter:parallel,window:densest:1000",
			func(c *Cell) *string { return &c.Select }},
		{"platform", "", "the clusters: sharcnet, das2, metacentrum, pool:N, uniform:CxN, hetero:SEED,N, graded:C or a " +
			"JSON file; by default a pool as large as the log's machine",
			func(c *Cell) *string { return &c.Platform }},
		{"pool", "no", "treat the platform as one machine: yes or no", func(c *Cell) *string { return &c.Pool }},
		{"clustering", "actual", "the clusters as they are (actual) or cut into groups (disjoint:N); for decentralised " +
			"policies also a window of N nodes for each (overlap:N), clusters from predicted latencies (dyn:N; dyn-sym:N " +
			"with symmetry), or from canvass lab cluster (file:PATH)",
			func(c *Cell) *string { return &c.Clustering }},
		{"policy", "easy", "the scheduler: canvass lab list names them", func(c *Cell) *string { return &c.Policy }},
		{"choice", "best", "the cluster for a job that fits several: best, first, fastest or random",
			func(c *Cell) *string { return &c.Choice }},
		{"passes", "instant", "one scheduling pass an instant, or one an event: instant or event",
			func(c *Cell) *string { return &c.Passes }},
		{"estimate", "requested", "run times that a policy counts on: requested, exact, factor:F or user2",
			func(c *Cell) *string { return &c.Estimate }},
		{"trim", "none", "jobs left out of statistics: none, standard or FIRST:LAST",
			func(c *Cell) *string { return &c.Trim }},
		{"zero-run", "drop", "jobs without a run time: drop, one-second or keep",
			func(c *Cell) *string { return &c.ZeroRun }},
		{"no-processors", "drop", "jobs without processors: drop, or give them one",
			func(c *Cell) *string { return &c.NoProcs }},
		{"overrun", "kill", "jobs that ran longer than requested: kill, keep or exchange",
			func(c *Cell) *string { return &c.Overrun }},
		{"processors", "requested", "the size of a job: requested or allocated processors",
			func(c *Cell) *string { return &c.Processors }},
		{"status", "ran", "jobs by their status in the log: ran, completed or any",
			func(c *Cell) *string { return &c.Status }},
		{"unit", "cpu", "meaning of a node: cpu or node", func(c *Cell) *string { return &c.Unit }},
		{"skip-bad", "no", "count and skip lines that are not of the format: yes or no",
			func(c *Cell) *string { return &c.SkipBad }},
	}, decentralisedSettings())
}

// Set gives a setting a value. A workload that has the name of a log is that log, with swf: or
// without.
func (c *Cell) Set(name, value string) error {
	var names []string
	for _, s := range Settings() {
		if s.Name == name {
			if name == "workload" && isLog(value) && !strings.HasPrefix(value, "swf:") {
				value = "swf:" + value
			}
			*s.field(c) = value
			return nil
		}
		names = append(names, s.Name)
	}
	return usage.Errorf("no setting is called %q; %s", name, Meant(name, names))
}

// Get returns the value of a setting, or its default; "" if there is no such setting.
func (c *Cell) Get(name string) string {
	for _, s := range Settings() {
		if s.Name == name {
			return s.value(c)
		}
	}
	return ""
}

// Given returns the value that a cell was given for the setting; "" if it has its default.
func (s Setting) Given(c *Cell) string { return *s.field(c) }

// Meant ends an error about an unknown name: with the names that were probably meant, or with all.
func Meant(name string, all []string) string { return usage.Question(usage.Nearest(name, all), all) }

func (s Setting) value(c *Cell) string {
	return cmp.Or(s.Given(c), s.Default)
}

// Resolved returns the cell with all defaults filled in.
func (c *Cell) Resolved() Cell {
	var r Cell
	for _, s := range Settings() {
		*s.field(&r) = s.value(c)
	}
	return r
}

// String lists the settings that differ from their defaults.
func (c *Cell) String() string {
	var all []string
	for _, s := range Settings() {
		if v := s.value(c); v != s.Default {
			all = append(all, s.Name+"="+v)
		}
	}
	return strings.Join(all, " ")
}

// yes reports what a setting of yes or no says.
func (c *Cell) yes(name string) (bool, error) {
	switch v := c.Get(name); v {
	case "yes", "no":
		return v == "yes", nil
	default:
		return false, usage.Errorf("%s is %q: use yes or no", name, v)
	}
}
