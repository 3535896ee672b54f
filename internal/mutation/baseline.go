package mutation

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bench is the binaries of a campaign: one with all models and scenarios, and one for the tests of
// each package, all of instrumented cores.
type bench struct {
	root, folder string
	overlay      string
	scratch      string // for files that tests write
	trial        string
	tests        []testBinary
}

type testBinary struct {
	name   string // folder below the root
	binary string
	tests  []testCase // the quickest first
}

type testCase struct {
	name     string
	millis   int64           // of processor time of a run without a mutant, which does not depend on the load
	infected map[uint32]bool // the mutants that make a difference in it
}

// quick is how many milliseconds a test takes at most that is run together with others.
const quick = 150

// tested are the packages whose tests are tried: also those of the scripts.
var tested = append(slices.Clone(Packages), "protocol/drive/drivetest")

// simulated are packages whose tests run whole daemons, for the packages that they drive.
var simulated = map[string][]string{"daemon/node": {"sim/daemon"}}

// buildBench builds the binaries: the one for models and scenarios if there are any, and those of
// the tests whose result the mutants can change.
func buildBench(root, folder, overlay, scratch string, trials bool, mutants []Mutant) (*bench, error) {
	b := &bench{root: root, folder: folder, overlay: overlay, scratch: scratch, trial: filepath.Join(folder, "trial")}
	if trials {
		if err := b.buildTrial(); err != nil {
			return nil, err
		}
	}
	reached, err := b.reached(mutants)
	if err != nil {
		return nil, err
	}
	for _, name := range reached {
		t, err := b.buildTests(name)
		if err != nil {
			return nil, err
		}
		b.tests = append(b.tests, *t)
	}
	return b, nil
}

// buildTrial builds the program that runs models and scenarios.
func (b *bench) buildTrial() error {
	return b.goTool("build", "-overlay", b.overlay, "-o", b.trial, "./internal/mutation/run")
}

// buildTests builds the tests of a package.
func (b *bench) buildTests(name string) (*testBinary, error) {
	binary := filepath.Join(b.folder, strings.ReplaceAll(name, "/", "_")+".test")
	return &testBinary{name: name, binary: binary},
		b.goTool("test", "-vet=off", "-c", "-overlay", b.overlay, "-o", binary, "./"+name)
}

// reached lists the tested packages whose tests are linked with a package of the mutants.
func (b *bench) reached(mutants []Mutant) (reached []string, err error) {
	mutated := map[string]bool{}
	for _, m := range mutants {
		mutated[path.Join(module, m.Package)] = true
	}
	for _, name := range tested {
		cmd := exec.Command("go", "list", "-test", "-deps", "-f", "{{.ImportPath}}", "./"+name)
		cmd.Dir = b.root
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list -test ./%s: %w", name, err)
		}
		if slices.ContainsFunc(strings.Fields(string(out)), func(dep string) bool {
			return mutated[dep] && concerns(name, strings.TrimPrefix(dep, module+"/"))
		}) {
			reached = append(reached, name)
		}
		if mutated[path.Join(module, name)] {
			reached = append(reached, simulated[name]...)
		}
	}
	return reached, nil
}

// runners is the folder of packages that have tests enough of their own: those of whole daemons
// take long.
const runners = "daemon/runner"

// concerns reports whether the mutants of a package are tried in these tests.
func concerns(tests, mutated string) bool {
	return !strings.HasPrefix(mutated, runners) || strings.HasPrefix(tests, runners)
}

func (b *bench) goTool(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// run runs some tests of a binary with a variable set. It reports whether they pass in time, and
// returns how much processor time they took.
func (b *bench) run(
	t *testBinary, tests []string, variable string, most time.Duration,
) (passed bool, out string, took time.Duration) {
	cmd := t.command(b.scratch, "-test.run", "^("+strings.Join(tests, "|")+")$",
		"-test.short", "-test.failfast", "-test.timeout", most.String())
	cmd.Dir = filepath.Join(b.root, filepath.FromSlash(t.name))
	cmd.Env = append(os.Environ(), "TMPDIR="+b.scratch, "GOMAXPROCS=1", "RAPID_NOFAILFILE=true",
		"RAPID_SHRINKTIME=1ms", mostMemory, variable)
	text, err := cmd.CombinedOutput()
	if s := cmd.ProcessState; s != nil {
		took = s.UserTime() + s.SystemTime()
	}
	return err == nil, string(text), took
}

// recordTests notes which mutants make a difference in each test.
func (b *bench) recordTests(log io.Writer, workers int) error {
	for i := range b.tests {
		t := &b.tests[i]
		list, err := exec.Command(t.binary, "-test.list", ".").Output()
		if err != nil {
			return fmt.Errorf("list the tests of %s: %w", t.name, err)
		}
		names := slices.DeleteFunc(strings.Fields(string(list)), func(name string) bool {
			return strings.HasPrefix(name, "Benchmark")
		})
		found, failed := make([]testCase, len(names)), make([]error, len(names))
		var recording sync.WaitGroup
		places := make(chan struct{}, workers)
		for i, name := range names {
			places <- struct{}{}
			recording.Go(func() {
				found[i], failed[i] = b.recordTest(t, name)
				<-places
			})
		}
		recording.Wait()
		for i, err := range failed {
			switch {
			case errors.Is(err, errFails):
				fmt.Fprintf(log, "left out: %v\n", err)
			case err != nil:
				return err
			default:
				t.tests = append(t.tests, found[i])
			}
		}
		slices.SortStableFunc(t.tests, func(a, b testCase) int { return cmp.Compare(a.millis, b.millis) })
	}
	return nil
}

// errFails reports that a test cannot judge mutants.
var errFails = errors.New("fails without a mutant")

func (b *bench) recordTest(t *testBinary, name string) (testCase, error) {
	test := testCase{name: name, infected: map[uint32]bool{}}
	file := filepath.Join(b.scratch, "infected-"+strings.ReplaceAll(t.name, "/", "_")+"-"+name)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return test, err
	}
	if err := os.Chmod(file, 0o666); err != nil { // for processes of other users
		return test, err
	}
	passed, out, took := b.run(t, []string{name}, "CANVASS_MUTANT_RECORD="+file, 5*time.Minute)
	if !passed {
		return test, fmt.Errorf("%s of %s %w:\n%s", name, t.name, errFails, out)
	}
	test.millis = took.Milliseconds()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return test, err
	}
	for line := range strings.Lines(string(text)) {
		id, err := strconv.ParseUint(strings.TrimSpace(line), 10, 32)
		if err != nil {
			return test, fmt.Errorf("%s: %w", file, err)
		}
		test.infected[uint32(id)] = true
	}
	return test, nil
}

// batches lists the tests in which a mutant makes a difference, in the order in which they are
// tried: the quick ones in one process, then each of the others.
func (t *testBinary) batches(mutant uint32) (all []batch) {
	for _, test := range t.tests {
		if !test.infected[mutant] {
			continue
		}
		if n := len(all); n == 0 || test.millis > quick {
			all = append(all, batch{})
		}
		last := &all[len(all)-1]
		last.tests, last.millis = append(last.tests, test.name), last.millis+test.millis
	}
	return all
}

// batch is tests that are run in one process, and how long they take without a mutant.
type batch struct {
	tests  []string
	millis int64
}

// failed returns the name of the first test that fails in the output of a test binary.
func failed(out string) string {
	for line := range strings.Lines(out) {
		if _, name, found := strings.Cut(line, "--- FAIL: "); found {
			return strings.Fields(name)[0]
		}
	}
	return "panic"
}

// packageOf is the name of a package for people.
func packageOf(folder string) string { return path.Base(folder) }
