package latency

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// ErrName says that a text names no input or no method.
var ErrName = errors.New("unknown")

// Name is what [Parse] or [Predict] accepts, and a sentence about it.
type Name struct{ Name, Sentence string }

// Inputs lists what [Parse] accepts.
func Inputs() []Name {
	return []Name{
		{"tree:N", "the vertices of a random tree of N hosts"},
		{"umiacs-like", "151 hosts of one department, made up"},
		{"planetlab:N", "the first N of the 490 PlanetLab nodes in a random order; by default all"},
		{"sharcnet-latency", "SHARCNET's clusters at ten random sites; settings: sites=median, mean, lowest or plane; " +
			"round=yes; every=K keeps one host in K"},
	}
}

// Parse makes the input that a text names: "tree:300", "sharcnet-latency:sites=plane,every=3".
// Measured latencies are looked for in a folder, in its folder latency and in one beside it.
func Parse(text, folder string, seed uint64) (*Grid, error) {
	name, settings, _ := strings.Cut(text, ":")
	switch name {
	case "tree":
		n, err := strconv.Atoi(settings)
		if err != nil || n < 2 || n > maxHosts {
			return nil, fmt.Errorf("input %q: want a number of hosts from 2 to %d, as in tree:300", text, maxHosts)
		}
		return &Grid{Input: Tree(n, seed)}, nil
	case "umiacs-like":
		if settings != "" {
			return nil, fmt.Errorf("input %q: umiacs-like has no settings", text)
		}
		return &Grid{Input: Umiacs(seed)}, nil
	case "planetlab":
		n := maxHosts
		if settings != "" {
			var err error
			if n, err = strconv.Atoi(settings); err != nil || n < 2 {
				return nil, fmt.Errorf("input %q: want a number of hosts from 2, as in planetlab:151", text)
			}
		}
		m, err := Sites(folder, "median")
		if err != nil {
			return nil, err
		}
		return &Grid{Input: First(m.Input("planetlab"), n, seed)}, nil
	case "sharcnet-latency":
		return parseSharcnet(text, settings, folder, seed)
	}
	var names []string
	for _, n := range Inputs() {
		known, _, _ := strings.Cut(n.Name, ":")
		names = append(names, known)
	}
	return nil, fmt.Errorf("%w input %q; %s", ErrName, name, usage.Question(usage.Nearest(name, names), names))
}

// maxHosts bounds an input: the errors of all pairs of this many hosts take 400 MB.
const maxHosts = 10_000

func parseSharcnet(text, settings, folder string, seed uint64) (*Grid, error) {
	sites, every, round := "median", 1, false
	for setting := range strings.SplitSeq(settings, ",") {
		var err error
		switch name, value, _ := strings.Cut(setting, "="); {
		case setting == "" && settings == "":
		case name == "sites":
			sites = value
		case name == "every":
			every, err = strconv.Atoi(value)
		case name == "round" && (value == "yes" || value == "no"):
			round = value == "yes"
		default:
			err = ErrName
		}
		if err != nil || every < 1 {
			return nil, fmt.Errorf("input %q: %q is no setting; use sites=median, mean, lowest or plane, round=yes, "+
				"every=K",
				text, setting)
		}
	}
	p, err := platform.Parse("sharcnet")
	if err != nil {
		return nil, err
	}
	return placed(p, sites, folder, every, round, seed)
}

// At puts a platform at sites, as [SitesOf] names them.
func At(p *scheduler.Platform, sites, folder string, seed uint64) (*Grid, error) {
	return placed(p, sites, folder, 1, false, seed)
}

func placed(p *scheduler.Platform, sites, folder string, every int, round bool, seed uint64) (*Grid, error) {
	at, err := SitesOf(sites, folder, seed)
	if err != nil {
		return nil, err
	}
	if len(p.Clusters) > at.Hosts {
		return nil, fmt.Errorf("platform %s has %d clusters, and there are %d sites; use a platform with fewer "+
			"clusters",
			p.Name, len(p.Clusters), at.Hosts)
	}
	if round {
		at = Rounded(at)
	}
	return Place(p, at, every, seed), nil
}

// SitesOf returns the latencies among sites: made-up ones for "plane", otherwise measured ones as
// [Sites] reads them.
func SitesOf(what, folder string, seed uint64) (*Input, error) {
	if what == "plane" {
		return Plane(seed), nil
	}
	m, err := Sites(folder, what)
	if err != nil {
		return nil, err
	}
	return m.Input("planetlab"), nil
}
