package lab

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/scheduler/program"
	"github.com/canvass-grid/canvass/scheduler/swf"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// known are the systems of the laboratory. A new one needs its name here.
var known = newSystems(central.System{}, parallel.System{}, program.System{}, actual{})

// systems have all policies, and all settings of a cell.
type systems struct {
	all      []scheduler.System
	settings []scheduler.Setting // in the order of help and of keys
	inRows   []scheduler.Setting // in the order of rows
	defaults map[string]string
	named    map[string]string // by name in rows
}

func newSystems(all ...scheduler.System) *systems {
	s := &systems{all: all, defaults: map[string]string{}, named: map[string]string{}}
	var own []scheduler.Setting
	for _, system := range all {
		own = append(own, system.Settings()...)
	}
	s.settings = slices.Concat(runSettings, jobSettings, own)
	s.inRows = slices.Concat(runSettings, own, jobSettings)
	for _, setting := range s.settings {
		s.defaults[setting.Name] = setting.Default
		s.named[inRow(setting.Name)] = setting.Name
	}
	return s
}

// setting finds a setting.
func (s *systems) setting(name string) (scheduler.Setting, error) {
	var names []string
	for _, setting := range s.settings {
		if setting.Name == name {
			return setting, nil
		}
		names = append(names, setting.Name)
	}
	return scheduler.Setting{}, usage.Errorf("no setting is called %q; %s", name, Meant(name, names))
}

// policies lists all policies, in the order of help.
func (s *systems) policies() []scheduler.Policy {
	var all []scheduler.Policy
	for _, system := range s.all {
		all = append(all, system.Policies()...)
	}
	return all
}

// unlisted is a system whose policies cannot be listed, since users write them.
type unlisted interface {
	Policy(name string) (p scheduler.Policy, is bool)
}

// policy finds a policy and its system.
func (s *systems) policy(name string) (scheduler.Policy, scheduler.System, error) {
	var names []string
	for _, system := range s.all {
		for _, p := range system.Policies() {
			if p.Name == name {
				return p, system, nil
			}
			names = append(names, p.Name)
		}
		if users, is := system.(unlisted); is {
			if p, is := users.Policy(name); is {
				return p, system, nil
			}
		}
	}
	if strings.Contains(name, "/") {
		return scheduler.Policy{}, nil, usage.Errorf("policy %q is not known; a program is written exec:%s", name, name)
	}
	return scheduler.Policy{}, nil, usage.Errorf("policy %q is not known; %s", name, Meant(name, names))
}

// unused refuses settings of other systems than that of the cell.
func (s *systems) unused(c Cell, of scheduler.System) error {
	for _, system := range s.all {
		if system == of {
			continue
		}
		for _, setting := range system.Settings() {
			if c.Get(setting.Name) != setting.Default {
				return usage.Errorf("%s has no effect on policy %s; leave it out, or use %s", setting.Name, c.Get("policy"),
					oneOf(system.Policies()))
			}
		}
	}
	return nil
}

// overlapping names the policies whose clusters may overlap.
func (s *systems) overlapping() string {
	return oneOf(slices.DeleteFunc(s.policies(), func(p scheduler.Policy) bool { return !p.Overlaps }))
}

// withTasks lists the policies that run jobs whose tasks have an order.
func (s *systems) withTasks() []scheduler.Policy {
	return slices.DeleteFunc(s.policies(), func(p scheduler.Policy) bool { return !p.Tasks })
}

// oneOf names policies as a choice: "static, dlb or qb".
func oneOf(policies []scheduler.Policy) string {
	var names []string
	for _, p := range policies {
		names = append(names, p.Name)
	}
	return choice(names)
}

// choice lists names as a choice: "kill, keep or exchange".
func choice(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Policies lists all policies, in the order of help.
func Policies() []scheduler.Policy { return known.policies() }

// yesOrNo are the values of a setting that is on or off.
var yesOrNo = []string{"yes", "no"}

// checkPlatform returns an error unless the text names a platform or a file. Runs read the file.
func checkPlatform(text string) error {
	if platform.FileOf(text) != "" {
		return nil
	}
	_, err := platform.Parse(text)
	return err
}

// checkClustering returns an error unless the text is a clustering.
func checkClustering(text string) error {
	_, err := readClustering(text)
	return err
}

// runSettings are common to all systems.
var runSettings = []scheduler.Setting{
	{Name: "workload", Doc: "the jobs: swf:FILE, gwf:FILE, sacct:FILE, lublin:…, sharcnet-like:… or poisson:…"},
	{
		Name: "predict", Doc: "run no jobs but predict latencies, by METHOD of INPUT (canvass lab predict lists them): " +
			"dtm of tree:300, or vivaldi:128000 of umiacs-like; or find clusters: clusters:64 of sharcnet-latency",
	},
	{
		Name: "select", Check: workload.CheckSelection,
		Doc: "selections, one after the other, as in canvass help selections: " +
			"filter:parallel,window:densest:1000",
	},
	{
		Name: "platform", Check: checkPlatform,
		Doc: "the clusters: sharcnet, das2, metacentrum, pool:N, uniform:CxN, hetero:SEED,N, graded:C " +
			"or a JSON file; by default a pool as large as the log's machine",
	},
	{Name: "pool", Default: "no", Values: yesOrNo, Doc: "treat the platform as one machine: yes or no"},
	{
		Name: "clustering", Default: "actual", Check: checkClustering,
		Doc: "the clusters as they are (actual) or cut into groups (disjoint:N); for decentralised " +
			"policies also a window of N nodes for each (overlap:N), groups of N for a share of the nodes (split:N,share=50%) " +
			"that others advertise, too (nested:N,share=50%), clusters from predicted latencies (dyn:N; dyn-sym:N " +
			"with symmetry), or from canvass lab cluster (file:PATH)",
		Reading: &scheduler.Reading{
			Published: "actual, and others", Section: "4.1, 4.3.4",
			Reason: "clusters as they are; tables and figures compare the others",
		},
	},
	{Name: "policy", Default: "easy", Doc: "the scheduler: canvass lab list names them; or exec:PROGRAM, a " +
		"program of your own"},
	{
		Name: "choice", Default: "best", Values: central.Choices(),
		Doc: "the cluster for a job that fits several: best, first, fastest or random",
	},
	{
		Name: "passes", Default: "instant", Values: central.Passes(),
		Doc: "one scheduling pass an instant, or one an event: instant or event",
	},
	{
		Name: "estimate", Default: "requested", Check: workload.CheckEstimate,
		Doc: "run times that a policy counts on: requested, exact, factor:F or user2",
	},
}

// jobSettings are about which jobs are read and measured. They are common to all systems, too.
var jobSettings = []scheduler.Setting{
	{
		Name: "trim", Default: "none", Check: metric.CheckTrim,
		Doc: "jobs left out of statistics: none, standard or FIRST:LAST",
	},
	{
		Name: "zero-run", Default: "drop", Values: swf.Choices("zero-run"),
		Doc: "jobs without a run time: drop, one-second or keep",
	},
	{
		Name: "no-processors", Default: "drop", Values: swf.Choices("no-processors"),
		Doc: "jobs without processors: drop, or give them one",
	},
	{
		Name: "overrun", Default: "kill", Values: swf.Choices("overrun"),
		Doc: "jobs that ran longer than requested: kill, keep or exchange",
	},
	{
		Name: "processors", Default: "requested", Values: swf.Choices("processors"),
		Doc: "the size of a job: requested or allocated processors",
	},
	{
		Name: "status", Default: "ran", Values: swf.Choices("status"),
		Doc: "jobs by their status in the log: ran, completed or any",
	},
	{
		Name: "unit", Default: "cpu", Values: swf.Choices("unit"),
		Doc: "meaning of a node: cpu or node",
	},
	{
		Name: "round", Default: "no", Values: yesOrNo,
		Doc: "round times of more than six decimals to whole microseconds: yes or no",
	},
	{
		Name: "skip-bad", Default: "no", Values: yesOrNo,
		Doc: "count and skip lines that are not of the format: yes or no",
	},
}
