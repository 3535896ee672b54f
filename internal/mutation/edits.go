package mutation

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/mutation/active"
)

// Edited is the repository with all of some edits in it, each of which can be switched on. Programs
// are built when they are first asked for, once each.
type Edited struct {
	*bench
	numbers map[string]uint32 // by name
	program func() error      // builds that for models and scenarios
	lock    sync.Mutex
	tests   map[string]func() (*testBinary, error) // by folder
}

// NewEdited writes the overlay of a build into a folder.
func NewEdited(root, folder string, edits []Edit) (*Edited, error) {
	e := &Edited{numbers: map[string]uint32{}, tests: map[string]func() (*testBinary, error){}}
	copies, err := alternatives(root, edits, e.numbers)
	if err != nil {
		return nil, err
	}
	overlay, err := writeOverlay(root, folder, copies)
	if err != nil {
		return nil, err
	}
	e.bench = &bench{root: root, folder: folder, overlay: overlay, trial: filepath.Join(folder, "trial")}
	e.program = sync.OnceValue(e.buildTrial)
	return e, nil
}

// alternatives returns files in which each of the edits can be switched on, by their place from the
// root, and numbers the edits from 1. With edits of a daemon go the files of the runner that start
// shims.
func alternatives(root string, edits []Edit, numbers map[string]uint32) (map[string]string, error) {
	byFile := map[string][]numbered{}
	for i, e := range edits {
		numbers[e.Name] = uint32(i + 1)
		byFile[e.File] = append(byFile[e.File], numbered{e, uint32(i + 1)})
	}
	texts := map[string]string{}
	for file := range byFile {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		texts[file] = string(text)
	}
	started, err := starting(root)
	if err != nil {
		return nil, err
	}
	if hasDaemon(byFile) {
		maps.Copy(texts, started)
	}
	copies := map[string]string{}
	for file, text := range texts {
		if copies[file], err = withAlternatives(file, text, byFile[file]); err != nil {
			return nil, err
		}
	}
	return copies, nil
}

func hasDaemon(byFile map[string][]numbered) bool {
	for file := range byFile {
		if strings.HasPrefix(file, "daemon/") {
			return true
		}
	}
	return false
}

// starting returns the files of a runner that start processes with variables of their own.
func starting(root string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(runners), "*.go"))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file := runners + "/" + filepath.Base(path)
		handed, err := handedOn(file, string(text))
		if err != nil {
			return nil, err
		}
		if handed != string(text) && !strings.HasSuffix(file, "_test.go") {
			found[file] = string(text)
		}
	}
	return found, nil
}

// Ask tries an edit, or none if the name is empty, in models and scenarios, and returns the
// answers. Each edit runs in a separate process, so that it is on from the beginning. Silent
// reports that a model or a scenario did not end in time.
func (e *Edited) Ask(name string, r Request, most time.Duration) (answers []Answer, silent bool, err error) {
	if err := e.program(); err != nil {
		return nil, false, err
	}
	if r.Mutant, err = e.number(name); err != nil {
		return nil, false, err
	}
	w := &worker{binary: e.trial, environment: fmt.Sprintf("%s=%d", active.Variable, r.Mutant)}
	defer w.stop()
	err = w.ask(r, func(int) time.Duration { return most }, func(a Answer) { answers = append(answers, a) })
	if errors.Is(err, errSilent) {
		return answers, true, nil
	}
	return answers, false, err
}

func (e *Edited) number(name string) (uint32, error) {
	number, known := e.numbers[name]
	if !known && name != "" {
		return 0, fmt.Errorf("no mutant %q was built", name)
	}
	return number, nil
}

// Test runs the tests of a package that match a pattern with an edit on, or none, and reports
// whether they pass in time. For a test that fails only the failure matters.
func (e *Edited) Test(name, folder, pattern string, most time.Duration) (passed bool, out string, err error) {
	t, err := e.test(folder)
	if err != nil {
		return false, "", err
	}
	number, err := e.number(name)
	if err != nil {
		return false, "", err
	}
	cmd := exec.Command(t.binary, "-test.run", pattern, "-test.v", "-test.timeout", most.String())
	cmd.Dir = filepath.Join(e.root, filepath.FromSlash(t.name))
	cmd.Env = append(os.Environ(), "RAPID_SHRINKTIME=1ms", "RAPID_NOFAILFILE=true",
		fmt.Sprintf("%s=%d", active.Variable, number))
	cmd.WaitDelay = time.Minute // for processes that the tests have started
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return false, string(text), err
	}
	return err == nil, string(text), nil
}

// test returns the tests of a package.
func (e *Edited) test(folder string) (*testBinary, error) {
	e.lock.Lock()
	build := e.tests[folder]
	if build == nil {
		build = sync.OnceValues(func() (*testBinary, error) { return e.buildTests(folder) })
		e.tests[folder] = build
	}
	e.lock.Unlock()
	return build()
}
