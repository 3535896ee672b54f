package mutation

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Results are the results of this run and of earlier ones, in a file with a line of JSON each.
type Results struct {
	file *os.File
	all  map[string]Result
}

// OpenResults opens a file of results, or makes one. The later of two results of a mutant counts.
func OpenResults(path string, fresh bool) (*Results, error) {
	mode := os.O_APPEND | os.O_CREATE | os.O_RDWR
	if fresh {
		mode |= os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Results{f, map[string]Result{}}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var one Result
		if json.Unmarshal(lines.Bytes(), &one) == nil { // else the line was cut off
			r.all[one.Key] = one
		}
	}
	return r, nil
}

// All returns the results by key.
func (r *Results) All() map[string]Result { return r.all }

// Of returns the result of a mutant, if its function has not changed since.
func (r *Results) Of(m Mutant) (Result, bool) {
	one, tried := r.all[m.Key()]
	return one, tried && one.Hash == m.Hash
}

// Add adds a result.
func (r *Results) Add(one Result) error {
	r.all[one.Key] = one
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	if _, err := r.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	return nil
}

// Close closes the file.
func (r *Results) Close() error { return r.file.Close() }
