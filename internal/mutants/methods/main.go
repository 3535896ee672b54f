package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutants"
)

// errUsage is wrapped by what is wrong with the command line.
var errUsage = errors.New("see -help")

type flags struct {
	every  int
	shard  string
	skip   string
	json   bool
	render bool
	caps   caps
}

func main() {
	var f flags
	flag.IntVar(&f.every, "every", 1, "without names, only every so `many`-th mutant")
	flag.StringVar(&f.shard, "shard", "1/1", "of the mutants only the share `I/N`")
	flag.StringVar(
		&f.skip,
		"skip",
		"",
		"leave out what these `files` of JSON lines (with commas between them) have; one that is not there has nothing",
	)
	flag.BoolVar(&f.json, "json", false, "print a line of JSON for each mutant, as soon as it is measured")
	flag.BoolVar(&f.render, "render", false, "measure nothing; print the table of the files of JSON lines that are named")
	flag.Uint64Var(&f.caps.states, "states", 1_000_000, "of each check at most so many `states`")
	flag.Uint64Var(&f.caps.walks, "walks", 5000, "at most so many `walks` of each kind")
	flag.Uint64Var(&f.caps.seeds, "seeds", 200, "at most so many `seeds` of each scenario")
	flag.StringVar(
		&f.caps.kind,
		"scenario",
		"",
		"of the scenarios of a mutant's family only the one of this `kind`: bursts, for FAMILY/bursts",
	)
	flag.DurationVar(&f.caps.time, "time", 0, "stop each method after this `time`; 0 means never")
	flag.Parse()
	if err := run(f, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "methods:", err)
		os.Exit(1)
	}
}

func run(f flags, args []string, to io.Writer) error {
	if f.render {
		lines, err := readAll(args)
		if err != nil {
			return err
		}
		return render(to, mutants.All(), lines)
	}
	chosen, err := choose(f, args)
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprint(to, header)
	}
	for _, m := range chosen {
		e, err := measure(m, f.caps)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if !f.json {
			fmt.Fprintln(to, row(m, e))
			continue
		}
		if err := json.NewEncoder(to).Encode(line{m.Name, e}); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the mutants that are to be measured: those that are named, or a share of all,
// without those that are measured already.
func choose(f flags, names []string) ([]mutants.Mutant, error) {
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
		lines, err := read(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for _, l := range lines {
			measured[l.Mutant] = true
		}
	}
	return measured, nil
}
