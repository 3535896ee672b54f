package mutation

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bench is what a campaign tries mutants with: one binary with all models and scenarios, and one
// for the tests of each package, all of instrumented cores.
type bench struct {
	root, folder string
	trial        string
	tests        []testBinary
}

type testBinary struct {
	name     string // folder below the root
	binary   string
	millis   int64           // of a run without a mutant
	infected map[uint32]bool // the mutants that make a difference in it
}

// tested are the packages whose tests are tried: also those of the scripts.
var tested = append(slices.Clone(Packages), "protocol/drive/drivetest")

// build builds the binaries.
func build(root, folder, overlay string) (*bench, error) {
	b := &bench{root: root, folder: folder, trial: filepath.Join(folder, "trial")}
	if err := b.goTool("build", "-overlay", overlay, "-o", b.trial, "./internal/mutation/trial"); err != nil {
		return nil, err
	}
	for _, name := range tested {
		binary := filepath.Join(folder, strings.ReplaceAll(name, "/", "_")+".test")
		if err := b.goTool("test", "-c", "-overlay", overlay, "-o", binary, "./"+name); err != nil {
			return nil, err
		}
		b.tests = append(b.tests, testBinary{name: name, binary: binary})
	}
	return b, nil
}

func (b *bench) goTool(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// run runs a test binary with a variable set, and reports whether the tests pass in time.
func (b *bench) run(t *testBinary, variable string, most time.Duration) (passed bool, out string) {
	cmd := exec.Command(t.binary, "-test.short", "-test.failfast", "-test.timeout", most.String())
	cmd.Dir = filepath.Join(b.root, filepath.FromSlash(t.name))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "RAPID_NOFAILFILE=true", "RAPID_SHRINKTIME=1ms", mostMemory, variable)
	text, err := cmd.CombinedOutput()
	return err == nil, string(text)
}

// recordTests notes which mutants make a difference in the tests of each package.
func (b *bench) recordTests() error {
	for i := range b.tests {
		t := &b.tests[i]
		file := t.binary + ".infected"
		if err := os.RemoveAll(file); err != nil {
			return err
		}
		began := time.Now()
		if passed, out := b.run(t, "CANVASS_MUTANT_RECORD="+file, 5*time.Minute); !passed {
			return fmt.Errorf("the tests of %s fail without a mutant:\n%s", t.name, out)
		}
		t.millis = time.Since(began).Milliseconds()
		t.infected = map[uint32]bool{}
		text, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		for line := range strings.Lines(string(text)) {
			id, err := strconv.ParseUint(strings.TrimSpace(line), 10, 32)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			t.infected[uint32(id)] = true
		}
	}
	return nil
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
