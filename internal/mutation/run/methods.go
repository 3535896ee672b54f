package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

// errUsage is wrapped by errors of the command line.
var errUsage = errors.New("see -help")

type methodFlags struct {
	every  int
	shard  string
	skip   string
	kind   string // of the scenarios of a mutant's core only that of this kind; "": all
	json   bool
	render bool
	bounds mutation.Measure
}

// methods measures how hard mutants are to find: for each named one, or for every nth, the states
// that the checker needs, and the walks and seeds that the methods that draw need. It prints a
// table in Markdown; or a line of JSON for each mutant, so that a run that was stopped is
// continued, and those of several runs make one table.
func methods(args []string, to io.Writer) error {
	var m methodFlags
	f := flag.NewFlagSet("mutation methods", flag.ContinueOnError)
	f.IntVar(&m.every, "every", 1, "without names, only every so `many`-th mutant")
	f.StringVar(&m.shard, "shard", "1/1", "only the share `I/N` of the mutants")
	f.StringVar(&m.skip, "skip", "", "leave out the mutants in these `files` of JSON lines, separated by commas; "+
		"a missing file counts as empty")
	f.BoolVar(&m.json, "json", false, "print a line of JSON for each mutant, as soon as it is measured")
	f.BoolVar(&m.render, "render", false, "measure nothing; print the table of the named files of JSON lines")
	f.Uint64Var(&m.bounds.States, "states", 1_000_000, "the most `states` of each check")
	f.Uint64Var(&m.bounds.Walks, "walks", 5000, "the most `walks` of each kind")
	f.Uint64Var(&m.bounds.Seeds, "seeds", 200, "the most `seeds` of each scenario")
	f.StringVar(&m.kind, "scenario", "",
		"of the scenarios of a mutant's family only the one of this `kind`: bursts, for FAMILY/bursts")
	f.DurationVar(&m.bounds.Time, "time", 0, "stop each method after this `time`; 0 means never")
	if err := f.Parse(args); err != nil {
		return err
	}
	if m.render {
		lines, err := readAll(f.Args())
		if err != nil {
			return err
		}
		return render(to, mutants.All(), lines)
	}
	chosen, err := choose(m, f.Args())
	if err != nil || len(chosen) == 0 {
		return err
	}
	return m.measure(chosen, to)
}

// choose returns the mutants to measure: the named ones, or a share of all, without those measured
// already.
func choose(f methodFlags, names []string) ([]mutants.Mutant, error) {
	var i, n int
	if _, err := fmt.Sscanf(f.shard, "%d/%d", &i, &n); err != nil || i < 1 || i > n ||
		f.shard != fmt.Sprintf("%d/%d", i, n) {
		return nil, fmt.Errorf("-shard %q is not I/N with I from 1 to N: %w", f.shard, errUsage)
	}
	measured, err := measuredIn(f.skip)
	if err != nil {
		return nil, err
	}
	all := mutants.All()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(m mutants.Mutant) bool { return m.Name == name }) {
			return nil, fmt.Errorf("no mutant is named %q: %w", name, errUsage)
		}
	}
	var chosen []mutants.Mutant
	at := 0
	for k, m := range all {
		if len(names) > 0 && !slices.Contains(names, m.Name) || len(names) == 0 && k%max(f.every, 1) != 0 {
			continue
		}
		if at++; (at-1)%n == i-1 && !measured[m.Name] {
			chosen = append(chosen, m)
		}
	}
	return chosen, nil
}

// measuredIn says which mutants some files have.
func measuredIn(files string) (map[string]bool, error) {
	measured := map[string]bool{}
	for name := range strings.SplitSeq(files, ",") {
		if name == "" {
			continue
		}
		lines, err := readLines(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for _, l := range lines {
			measured[l.Mutant] = true
		}
	}
	return measured, nil
}
