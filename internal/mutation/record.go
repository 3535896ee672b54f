package mutation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Verdict is the recorded result of a mutant, in one letter.
type Verdict byte

// The verdicts. A mutant that survives has a reason, or fails the run.
const (
	KilledByCheck    Verdict = 'c'
	KilledByTest     Verdict = 't'
	KilledByScenario Verdict = 's'
	Surviving        Verdict = '-'
)

// verdictOf returns what is recorded of a result.
func verdictOf(k Killer) Verdict {
	switch k {
	case ByCheck:
		return KilledByCheck
	case ByTest:
		return KilledByTest
	case ByScenario:
		return KilledByScenario
	}
	return Surviving
}

// Record holds the results of the mutants of each function.
type Record struct {
	functions map[string]function // by package and name
}

// function holds the results of the mutants of one function: a letter each, in their order, for the
// text of the function with the hash.
type function struct{ hash, verdicts string }

// recordFolder holds a file for each package.
const recordFolder = "internal/mutation/record"

func recordFile(root, folder string) string {
	return filepath.Join(root, filepath.FromSlash(recordFolder), strings.ReplaceAll(folder, "/", "_")+".txt")
}

func functionKey(folder, name string) string { return folder + "." + name }

// ReadRecord reads the files of the repository. A file that is missing is empty.
func ReadRecord(root string) (*Record, error) {
	r := &Record{functions: map[string]function{}}
	for _, folder := range Packages {
		path := recordFile(root, folder)
		text, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] == "#" {
				continue
			}
			if len(words) != 3 {
				return nil, fmt.Errorf("%s: want a function, a hash and letters, not %q", path, line)
			}
			r.functions[functionKey(folder, words[0])] = function{words[1], words[2]}
		}
	}
	return r, nil
}

// Write writes the files, with the functions that these mutants are of.
func (r *Record) Write(root string, mutants []Mutant) error {
	lines := map[string][]string{}
	last := ""
	for _, m := range mutants {
		key := functionKey(m.Package, m.Function)
		if f, known := r.functions[key]; known && key != last {
			lines[m.Package] = append(lines[m.Package], strings.Join([]string{m.Function, f.hash, f.verdicts}, " "))
		}
		last = key
	}
	if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(recordFolder)), 0o755); err != nil {
		return err
	}
	for _, folder := range Packages {
		text := "# Function, hash of its text, and a letter for each of its mutants in their order: killed by\n" +
			"# check (c), by a test (t) or by a scenario (s), or survives (-) with a reason.\n" +
			strings.Join(lines[folder], "\n") + "\n"
		if err := os.WriteFile(recordFile(root, folder), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Of returns what is known of a mutant, if its function has not changed since.
func (r *Record) Of(m Mutant) (Verdict, bool) {
	f, known := r.functions[functionKey(m.Package, m.Function)]
	if !known || f.hash != m.Hash || m.Index >= len(f.verdicts) {
		return Surviving, false
	}
	return Verdict(f.verdicts[m.Index]), true
}

// Add adds results. A function with a mutant without a result is left out.
func (r *Record) Add(mutants []Mutant, results *Results) {
	letters := map[string][]byte{}
	hashes := map[string]string{}
	for _, m := range mutants {
		key := functionKey(m.Package, m.Function)
		verdict, known := r.Of(m)
		if result, tried := results.Of(m); tried {
			verdict, known = verdictOf(result.Killer), true
		}
		if !known {
			verdict = unknown
		}
		letters[key], hashes[key] = append(letters[key], byte(verdict)), m.Hash
	}
	for key, all := range letters {
		if !slices.Contains(all, byte(unknown)) {
			r.functions[key] = function{hashes[key], string(all)}
		}
	}
}

// unknown is the verdict on a mutant that was never tried.
const unknown Verdict = '?'
