package parallel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
)

// The values of settings by which something is not done.
const (
	sameLatency = "same" // of between: all messages take equally long
	noDemands   = "none" // jobs run on machines of any speed
	noChurn     = "none"
)

// Settings implements [scheduler.System]. The last four are about runs of the cores; all of them
// are settings of both engines, so that a run says which engine it was.
func (System) Settings() []scheduler.Setting {
	return withReadings(withChecks([]scheduler.Setting{
		{
			Name: "over-provisioning", Default: "total",
			Doc: "dependent tasks of a job that is scheduled by static, dlb, qb or qb+dlb: total, none, or a factor such as 1.5",
		},
		{Name: "moves", Default: "once", Doc: "a job moves once, or each algorithm may move it once: once or each"},
		{Name: "minimum", Default: "pareto", Doc: "the smaller of two clusters: pareto, or strict as published"},
		{
			Name: "position", Default: "average",
			Doc: "the queue position that QB compares: average as published, or kth",
		},
		{
			Name: "reach", Default: ReachBoth,
			Doc: "the neighbours to which jobs move: direct, both (and theirs), 3 or 4 steps, or global",
		},
		{
			Name: "demands", Default: noDemands, Doc: "the speed of machines that a job requires, where clusters differ in " +
				"it: none, or drawn, that of a drawn node",
		},
		{
			Name: "virtual-dimensions", Default: "1", Doc: "dimensions of the map in which coordinates are drawn, " +
				"to keep equal nodes apart: 1 as published, up to 5 for shorter ways",
		},
		{Name: "latency", Default: "1ms", Doc: "time of a message between two nodes"},
		{
			Name: "between", Default: sameLatency, Doc: "time of a message between two clusters, at least the latency: same, " +
				"a time, or half of the round trip between drawn sites, plane (made up), median, mean or lowest (measured), as " +
				"in median*10",
		},
		{Name: "balance", Default: "1s", Doc: "the period in which a node tries to move a job"},
		{Name: "news", Default: "1s", Doc: "the period in which nodes report their queues; 0s if they are always known"},
		{
			Name: "fidelity", Default: "bulk", Values: []string{"bulk", "cores"},
			Doc: "the engine of decentralised policies: bulk, or cores, in which each message is a step of the " +
				"checked protocols",
		},
		{
			Name: "apart", Default: "no",
			Doc: "with fidelity cores, let owner and representative of a job be two nodes: yes or no",
		},
		{
			Name: "churn", Default: noChurn, Doc: "with fidelity cores, mean times until a node leaves, until it fails, and " +
				"until it is back: leave=2h,fail=4h,away=5m, of which leave or fail may be left out",
		},
		{Name: "loss", Default: "0%", Doc: "with fidelity cores, messages that are lost: 1% or 0.5%"},
	}))
}

// withChecks lets each setting refuse the values that [Read] refuses when the others have their
// defaults.
func withChecks(all []scheduler.Setting) []scheduler.Setting {
	defaults := map[string]string{"policy": Policies()[0].Name}
	for _, s := range all {
		defaults[s.Name] = s.Default
	}
	for i := range all {
		if all[i].Values != nil {
			continue
		}
		all[i].Check = func(text string) error {
			_, err := Read(func(setting string) string {
				if setting == all[i].Name {
					return text
				}
				return defaults[setting]
			})
			return err
		}
	}
	return all
}

// Settings are the settings of a run, read.
type Settings struct {
	Options Options // but for Between and Seed, which each run has
	Virtual int     // virtual dimensions of the map
	Trouble Trouble
	between between
}

// Trouble has the faults in a run of the cores.
type Trouble struct {
	Apart bool   // owner and representative of a job are two nodes, where that is possible
	Loss  uint32 // messages that are lost, in a million

	// Mean times until a node leaves, until it fails, and until a node that is gone is back; 0: never.
	LeaveMicros, FailMicros, AwayMicros int64
}

// Read reads the settings of a run from their texts.
func Read(value func(setting string) string) (s Settings, err error) {
	if s.Trouble, err = readTrouble(value); err != nil {
		return s, err
	}
	s.Options = Defaults()
	o := &s.Options
	o.Moves, o.Minimum, o.Position, o.Reach = value("moves"), value("minimum"), value("position"), value("reach")
	if o.Policy, err = Find(value("policy")); err != nil {
		return s, err
	}
	if o.Over, err = readOver(value("over-provisioning")); err != nil {
		return s, err
	}
	if o.Demands, err = either("demands", value("demands"), "drawn", noDemands, noDemands+" or drawn"); err != nil {
		return s, err
	}
	for name, at := range map[string]*int64{
		"latency": &o.LatencyMicros, "balance": &o.BalanceMicros, "news": &o.NewsMicros,
	} {
		if *at, err = micros(name, value(name)); err != nil {
			return s, err
		}
	}
	if s.Virtual, err = strconv.Atoi(value("virtual-dimensions")); err != nil || s.Virtual < 1 || s.Virtual > MostVirtual {
		return s, fmt.Errorf("virtual-dimensions is %q: use 1 to %d", value("virtual-dimensions"), MostVirtual)
	}
	if s.between, err = readBetween(value("between")); err != nil {
		return s, err
	}
	return s, o.Validate()
}

// On makes the grid and the options of a run on a ground.
func (s Settings) On(g *scheduler.Ground, seed uint64) (*Grid, Options, error) {
	o := s.Options
	o.Seed = seed
	var err error
	if o.Between, err = s.between.on(g, o.LatencyMicros, seed); err != nil {
		return nil, o, err
	}
	grid, err := NewGrid(g.Platform, g.Lists, s.Virtual, seed)
	return grid, o, err
}

// either reads a setting with two values.
func either(setting, value, yes, no, use string) (bool, error) {
	if value != yes && value != no {
		return false, fmt.Errorf("%s is %q: use %s", setting, value, use)
	}
	return value == yes, nil
}

// readOver reads a degree of over-provisioning: total, none, or a factor with up to three decimals.
func readOver(text string) (reptask.Over, error) {
	switch text {
	case "total":
		return reptask.OverTotal, nil
	case "none":
		return reptask.OverNone, nil
	}
	whole, rest, _ := strings.Cut(text, ".")
	value, err := strconv.ParseUint(whole+(rest + "000")[:3], 10, 32)
	if err != nil || len(rest) > 3 || len(whole) > 6 || value < uint64(reptask.OverNone) {
		return 0, fmt.Errorf("over-provisioning is %q: use total, none, or a factor from 1 to 999999 "+
			"with at most three decimals", text)
	}
	return reptask.Over(value), nil
}

// readTrouble reads the faults of a run.
func readTrouble(value func(setting string) string) (t Trouble, err error) {
	if t.Apart, err = either("apart", value("apart"), "yes", "no", "yes or no"); err != nil {
		return t, err
	}
	text := value("loss")
	percent, found := strings.CutSuffix(text, "%")
	whole, rest, _ := strings.Cut(percent, ".")
	loss, err := strconv.ParseUint(whole+(rest + "0000")[:4], 10, 32)
	if err != nil || !found || whole == "" || len(whole) > 2 || len(rest) > 4 {
		return t, fmt.Errorf("loss is %q: use a percentage with at most four decimals, such as 1%%", text)
	}
	t.Loss = uint32(loss)
	text = value("churn")
	if text == noChurn {
		return t, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		at := map[string]*int64{"leave": &t.LeaveMicros, "fail": &t.FailMicros, "away": &t.AwayMicros}[name]
		d, err := time.ParseDuration(value)
		if err != nil || at == nil || *at != 0 || d <= 0 || d%time.Microsecond != 0 {
			return t, fmt.Errorf("churn is %q: use none, or times of whole microseconds, each once, such as "+
				"leave=2h,fail=4h,away=5m", text)
		}
		*at = d.Microseconds()
	}
	return t, nil
}

// between says how long messages between two clusters take: as long as within one if it is zero.
type between struct {
	timed  bool
	micros int64 // if timed

	sites string // or if there is a kind, half of the round trip between the sites of the clusters,
	times int64  // so many times
}

// mostTimes bounds how many times as far apart sites can be.
const mostTimes = 1_000

// kinds are the kinds of sites.
var kinds = []string{"plane", "median", "mean", "lowest"}

// readBetween reads the latency between clusters.
func readBetween(text string) (b between, err error) {
	if text == sameLatency {
		return b, nil
	}
	if _, err := time.ParseDuration(text); err == nil {
		b.timed = true
		b.micros, err = micros("between", text)
		return b, err
	}
	kind, factor, scaled := strings.Cut(text, "*")
	b = between{sites: kind, times: 1}
	if scaled {
		if b.times, err = strconv.ParseInt(factor, 10, 64); err != nil || b.times < 1 || b.times > mostTimes {
			return b, fmt.Errorf("between is %q: use a whole number of times from 1 to %d, as in median*10", text, mostTimes)
		}
	}
	if !slices.Contains(kinds, kind) {
		return b, fmt.Errorf("between is %q: use same, a time such as 50ms, or the sites plane, median, mean or lowest, "+
			"as in median or median*10", text)
	}
	return b, nil
}

// on returns the latencies between the clusters of a ground; nil if they are those within.
func (b between) on(g *scheduler.Ground, withinMicros int64, seed uint64) (func(a, b int) int64, error) {
	switch {
	case b.timed:
		return func(int, int) int64 { return b.micros }, nil
	case b.sites == "":
		return nil, nil
	}
	roundTrip, err := g.Sites(b.sites, seed)
	if err != nil {
		return nil, err
	}
	return func(x, y int) int64 { return max(withinMicros, b.times*roundTrip(x, y)/2_000) }, nil
}

// micros reads a time of whole microseconds.
func micros(setting, text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d%time.Microsecond != 0 {
		return 0, fmt.Errorf("%s is %q: use a time of whole microseconds, such as 50ms or 1s", setting, text)
	}
	return d.Microseconds(), nil
}
