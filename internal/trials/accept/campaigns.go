package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/trials"
)

// module is the folder of the repository, in which the program was built.
func (t *trial) module() string { return filepath.Dir(filepath.Dir(t.binary)) }

// inModule runs a line of the shell in the repository, and demands that it succeeds.
func (t *trial) inModule(line string, args ...any) string {
	line = fmt.Sprintf(line, args...)
	cmd := exec.CommandContext(t.Context, "sh", "-c", line)
	cmd.Dir = t.module()
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	t.Demand(err == nil, "%s: %v: …%s", line, err, text[max(0, len(text)-600):])
	return text
}

func cutOff(t *trial) string {
	t.inModule("go run ./internal/trials/nemesis -plan internal/trials/nemesis/testdata/cut-off.txt")
	return "isolated for 10 s, then 10 s one way, with jobs on both sides: all judges of the nemesis hold"
}

func witnessesStopped(t *trial) string {
	g := t.Grid(4)
	id := g.Must("canvass submit -- %s", t.Beats(75*time.Second))
	t.Until(20*time.Second, "running", t.IsBeating)
	for _, n := range []int{2, 3} {
		g.Signal(n, syscall.SIGSTOP)
	}
	stopped := t.Until(8*time.Second, "all stopped", func() bool { return t.Recorded().LastBeat() > time.Second })
	t.told(g, "why", id, noMajority)
	t.told(g, "status", id, noMajority)
	g.Signal(2, syscall.SIGCONT)
	resumed := t.Until(time.Minute, "running again", t.IsBeating)
	g.Signal(3, syscall.SIGCONT)
	g.Must("timeout 20 canvass cancel %s", id)
	t.OnceAtATime()
	return fmt.Sprintf("nothing runs after %.1f s, why and status say %q, and with one of them back it runs again after "+
		"%.1f s; not there: a dashboard", stopped.Seconds()-1, noMajority, resumed.Seconds())
}

// checkLimit is the time limit for the models of the three cores on two processors.
const checkLimit = 3 * time.Minute

func modelsHold(t *trial) string {
	begin := time.Now()
	check := trials.LastLine(t.inModule("%s check 'lease/*' 'custody/*' 'muster/*'", t.Canvass))
	took := time.Since(begin)
	t.Demand(took <= checkLimit, "the models took %v, not %v at most: %s", took, checkLimit, check)
	const simulate = "%s simulate 'lease/*' 'custody/*' 'muster/*' 'daemon/*' --seeds 1000"
	worlds := trials.LastLine(t.inModule(simulate, t.Canvass))
	return fmt.Sprintf("in %.0f s: %s; 1,000 seeds a scenario, of whole daemons too: %s; mutants that are caught: %s",
		took.Seconds(), check, worlds, t.coreMutants())
}

// clocksJump runs daemons through two years: simulated ones with clocks that jump, and real ones
// with certificates that have expired long ago or are about to expire.
func clocksJump(t *trial) string {
	worlds := trials.LastLine(t.inModule("%s simulate daemon/calendar --seeds 200", t.Canvass))
	t.inModule("go test -count=1 -run 'TestTwoYears|TestPrepare' ./daemon/renewal")
	t.inModule("go test -count=1 -run 'TestScripts/(years|certificates)$' ./cmd/canvass/jobs")
	return "a grid of three that was made two years ago runs a job; a job runs while certificates are " +
		"renewed; simulated: " + worlds
}

// fewestMutants is the least number of mutants of each of the three cores.
const fewestMutants = 12

// coreMutants tries mutants of the three cores: all, or of each as many as the runs are.
func (t *trial) coreMutants() string {
	var counts, tried []string
	for _, core := range []string{"lease", "custody", "muster"} {
		var all []string
		for _, m := range mutants.All() {
			if m.Core() == core {
				all = append(all, m.Name)
			}
		}
		t.Demand(len(all) >= fewestMutants, "%s has %d mutants, not %d", core, len(all), fewestMutants)
		some := all
		if !t.full {
			some = all[:min(t.runs, len(all))]
		}
		tried = append(tried, some...)
		counts = append(counts, fmt.Sprintf("%d of %d of %s", len(some), len(all), core))
	}
	const test = "CANVASS_MUTANTS=%s go test -count=1 -timeout 60m -v -run TestMutants ./internal/mutants"
	out := t.inModule(test, strings.Join(tried, ","))
	passed := len(caught.FindAllString(out, -1))
	t.Demand(passed == len(tried), "%d of %d mutants: %s", passed, len(tried), out)
	return strings.Join(counts, ", ")
}

// caught is a mutant in the output of a test.
var caught = regexp.MustCompile(`(?m)^    --- PASS: Test(?:Mutants|Noticed)/([^/\s]+) `)

func mutantsCaught(t *trial) string {
	var all []string
	for _, m := range mutants.Driver() {
		all = append(all, m.Name)
	}
	const test = "CANVASS_MUTANTS=%s go test -count=1 -timeout 30m -v -run TestNoticed ./internal/mutants"
	out := t.inModule(test, strings.Join(all, ","))
	var names []string
	for _, m := range caught.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	t.Demand(len(names) == len(all), "%d of %d mutants: %s", len(names), len(all), out)
	canaries := canariesOf(t.inModule("make --no-print-directory nemesis CANARY=all"))
	return fmt.Sprintf("tests catch %d mutants of the driver and of the records of a daemon (%s); "+
		"the nemesis notices %d canaries (%s)", len(names),
		strings.Join(names, " "), len(canaries), strings.Join(canaries, "; "))
}

// violated is a judge that is red, and noticed the end of the run of a canary.
var (
	violated = regexp.MustCompile(`^(J\d+b?) \S+ +violated `)
	noticed  = regexp.MustCompile(`^the mutant (\S+) was noticed`)
)

// canariesOf lists the canaries in the output of their runs, with the judges that noticed them.
func canariesOf(out string) (canaries []string) {
	var judges []string
	for line := range strings.Lines(out) {
		if m := violated.FindStringSubmatch(line); m != nil {
			judges = append(judges, m[1])
		}
		if m := noticed.FindStringSubmatch(line); m != nil {
			canaries = append(canaries, m[1]+" by "+strings.Join(judges, ", "))
			judges = nil
		}
	}
	return canaries
}

const (
	seeds        = 3
	manyFaults   = 30 // minutes after which each fault must have happened
	reportBegins = `{"seed":`
)

// nemesisReport is the part of a report that matters here.
type nemesisReport struct {
	Faults []struct {
		Kind     string `json:"kind"`
		Happened int    `json:"happened"`
	} `json:"faults"`
	Acknowledged int `json:"jobs_acknowledged"`
	Fences       int `json:"fences"`
	Certificates int `json:"certificates"`
}

// longFaults runs the nemesis on three seeds.
func longFaults(t *trial) string {
	each := time.Duration(t.minutes) * time.Minute / seeds
	happened := map[string]int{}
	var kinds []string
	var jobs, ended, fences int
	for seed := range seeds {
		const run = "go run ./internal/trials/nemesis -json -seed %d -minutes %g -nodes %d"
		out := t.inModule(run, 70+seed, each.Minutes(), 4+2*seed)
		var r nemesisReport
		_, text, _ := strings.Cut("\n"+out, "\n"+reportBegins)
		err := json.NewDecoder(strings.NewReader(reportBegins + text)).Decode(&r)
		t.Demand(err == nil, "the report of seed %d: %v", 70+seed, err)
		for _, c := range r.Faults {
			if happened[c.Kind] += c.Happened; seed == 0 {
				kinds = append(kinds, c.Kind)
			}
		}
		jobs, ended, fences = jobs+r.Acknowledged, ended+r.Certificates, fences+r.Fences
	}
	var counts []string
	for _, k := range kinds {
		counts = append(counts, fmt.Sprintf("%s %d", k, happened[k]))
		t.Demand(happened[k] > 0 || t.minutes < manyFaults, "no fault %s happened in %d minutes", k, t.minutes)
	}
	return fmt.Sprintf("%d seeds of %v each, all judges hold; %d jobs, %d lives certified dead, %d fenced themselves; %s",
		seeds, each, jobs, ended, fences, strings.Join(counts, ", "))
}
