package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/catalog"
)

// maxStates bounds the check of one combination.
const maxStates = 300_000

// The verdicts of one property, a letter for each interpretation.
const (
	fails = 'F'
	holds = '.'
	open  = '?'
)

// data has the verdicts on each scenario, property by property, a letter for each name of
// [catalog.Interpretations].
type data map[string]verdicts

// verdicts are those on a scenario, by property.
type verdicts map[string]string

// tally counts the interpretations in which a property fails on one of the two networks.
type tally struct{ failing, open, all int }

// tallies counts the verdicts on both networks.
func (d data) tallies(r Row) (unordered, ordered tally) {
	verdicts := d[r.scenario()][r.Property]
	half := len(verdicts) / 2
	return countVerdicts(verdicts[:half]), countVerdicts(verdicts[half:])
}

func countVerdicts(verdicts string) tally {
	return tally{strings.Count(verdicts, string(fails)), strings.Count(verdicts, string(open)), len(verdicts)}
}

// String is the text of a cell: "8 of 16".
func (t tally) String() string {
	text := fmt.Sprintf("%d of %d", t.failing, t.all)
	if t.open > 0 {
		text += fmt.Sprintf(", %d open", t.open)
	}
	return text
}

// everywhere reports whether the property fails in all interpretations.
func (t tally) everywhere() bool { return t.failing > 0 && t.failing == t.all }

// needsOvertaking reports whether the row's own interpretation holds on ordered links.
func (d data) needsOvertaking(r Row) bool {
	names, verdicts := catalog.Interpretations(r.Model), d[r.scenario()][r.Property]
	own := slices.Index(names, r.Model)
	unordered := own >= 0 && own < len(names)/2
	return unordered && len(verdicts) == len(names) && verdicts[own+len(names)/2] == holds
}

// compute checks every combination of the scenarios, as many at a time as there are processors.
func compute(scenarios []scenario) (data, error) {
	type job struct {
		scenario
		interpreted string
		index, of   int
	}
	all := data{}
	jobs := make(chan job)
	var (
		mutex   sync.Mutex
		workers sync.WaitGroup
		first   error
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := range jobs {
				found, err := verdictsOn(j.interpreted, j.properties)
				mutex.Lock()
				if err != nil && first == nil {
					first = fmt.Errorf("check %s: %w", j.interpreted, err)
				}
				all[j.name].set(j.index, j.of, found)
				mutex.Unlock()
			}
		})
	}
	for _, s := range scenarios {
		mutex.Lock()
		all[s.name] = verdicts{}
		mutex.Unlock()
		names := catalog.Interpretations(s.name)
		for i, name := range names {
			jobs <- job{s, name, i, len(names)}
		}
	}
	close(jobs)
	workers.Wait()
	for _, v := range all {
		v.decide()
	}
	return all, first
}

// decide closes what the check on ordered links decides: each of their runs is a run of the other
// network, too.
func (v verdicts) decide() {
	for property, letters := range v {
		text, half := []byte(letters), len(letters)/2
		for i := range half {
			if text[i] == open && text[i+half] == fails {
				text[i] = fails
			}
		}
		v[property] = string(text)
	}
}

// set records the verdicts on one of a number of interpretations.
func (v verdicts) set(index, of int, found map[string]byte) {
	for property, verdict := range found {
		letters := []byte(v[property])
		if len(letters) == 0 {
			letters = []byte(strings.Repeat(string(holds), of))
		}
		letters[index] = verdict
		v[property] = string(letters)
	}
}

// narrowed is a model with some of its properties. The search for a property that fails in all
// interpretations ends with its first counterexample.
type narrowed struct {
	checker.Model
	kept []int // places in the list of the model
}

// narrow keeps the properties of these names.
func narrow(m checker.Model, names []string) narrowed {
	n := narrowed{Model: m}
	for i, p := range m.Properties() {
		if slices.Contains(names, p.Name) {
			n.kept = append(n.kept, i)
		}
	}
	return n
}

// Properties lists the remaining properties.
func (n narrowed) Properties() []checker.Property {
	var kept []checker.Property
	for _, i := range n.kept {
		kept = append(kept, n.Model.Properties()[i])
	}
	return kept
}

// NewWorker returns a worker that numbers the properties by the shorter list.
func (n narrowed) NewWorker() checker.Worker { return narrowedWorker{n.Model.NewWorker(), n.kept} }

type narrowedWorker struct {
	checker.Worker
	kept []int
}

// Holds evaluates the predicate of a property that is kept.
func (w narrowedWorker) Holds(property int, state []uint32) bool {
	return w.Worker.Holds(w.kept[property], state)
}

// Triggers reports whether an obligation of a property that is kept begins.
func (w narrowedWorker) Triggers(property int, state []uint32) bool {
	return w.Worker.Triggers(w.kept[property], state)
}

// verdictsOn checks some properties of a published model in one interpretation.
func verdictsOn(name string, properties []string) (map[string]byte, error) {
	m, err := catalog.Interpreted(name)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("there is no such model")
	}
	report, err := checker.Check(context.Background(), narrow(m.Model(), properties), checker.Options{
		ContinueAfterViolation: true, MaxStates: maxStates, Workers: 1,
	})
	if err != nil {
		return nil, err
	}
	all := map[string]byte{}
	for _, o := range report.Outcomes {
		switch {
		case o.Verdict == checker.Violated:
			all[o.Property.Name] = fails
		case o.Verdict == checker.Inconclusive:
			all[o.Property.Name] = open
		}
	}
	return all, nil
}

func dataFile(root string) string { return filepath.Join(root, "docs", "findings.json") }

func readData(root string) (data, error) {
	text, err := os.ReadFile(dataFile(root))
	if err != nil {
		return nil, fmt.Errorf("%w; make tables WHAT=findings writes it", err)
	}
	var d data
	return d, json.Unmarshal(text, &d)
}

func (d data) text() ([]byte, error) {
	text, err := json.MarshalIndent(d, "", "\t")
	return append(text, '\n'), err
}
