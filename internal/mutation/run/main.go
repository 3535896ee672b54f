package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/mutation"
	models "github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

func main() {
	err := command(os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

// command carries out a command line. A campaign runs this program again, with mutants in it, as a
// trial.
func command(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "trial":
		return trial(os.Stdin, os.Stdout)
	case len(args) > 0 && args[0] == "methods":
		return methods(args[1:], os.Stdout)
	}
	s, err := parse(args)
	if err != nil {
		return err
	}
	return s.run()
}

// settings are those of the command line.
type settings struct {
	options  mutation.Options
	pick     mutation.Pick
	folder   string
	among    string
	check    time.Duration
	test     time.Duration
	simulate time.Duration
	fresh    bool
	write    bool
}

func parse(args []string) (*settings, error) {
	s := &settings{}
	f := flag.NewFlagSet("mutation", flag.ContinueOnError)
	f.StringVar(&s.folder, "out", "out/mutation", "`folder` for binaries and results")
	f.StringVar(&s.pick.Prefix, "only", "", "try only mutants whose key has this `prefix`: can.node.propose")
	f.BoolVar(&s.pick.Touched, "touched", false,
		"try only mutants of functions that differ from their record, and a sample")
	f.IntVar(&s.pick.Sample, "sample", 0, "with -touched: the `number` of others to try")
	f.StringVar(&s.pick.Seed, "seed", "", "with -sample: the seed that chooses them, for example a commit's hash")
	f.BoolVar(&s.pick.Survivors, "survivors", false, "try only survivors without a reason")
	f.StringVar(&s.among, "among", "", "use only the models and scenarios of these cores: `can,peer`")
	f.StringVar(&s.pick.Shard, "shard", "", "try only the share `i/n`")
	f.IntVar(&s.options.Workers, "workers", runtime.GOMAXPROCS(0), "processes")
	f.Uint64Var(&s.options.States, "states", 20_000, "leave out models with more `states`; 0: none")
	f.DurationVar(&s.check, "check", 4*time.Second,
		"leave out models that take longer than this `duration` without a mutant; 0: none")
	f.DurationVar(&s.test, "test", 0, "leave out tests that take longer than this `duration`; 0: none")
	f.Uint64Var(&s.options.Seeds, "seeds", 5, "seeds of each scenario")
	f.DurationVar(&s.simulate, "simulate", 4*time.Second,
		"leave out scenarios that take longer than this `duration`; 0: none")
	f.DurationVar(&s.options.Timeout, "timeout", 0, "start no mutant after this `duration`; 0: no limit")
	f.BoolVar(&s.fresh, "fresh", false, "forget the results of earlier runs")
	f.BoolVar(&s.write, "write", false, "record the results in the repository")
	return s, f.Parse(args)
}

func (s *settings) run() error {
	root, err := mutation.Root()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.folder, 0o750); err != nil {
		return err
	}
	folder, err := filepath.Abs(s.folder)
	if err != nil {
		return err
	}
	known, err := mutation.ReadRecord(root)
	if err != nil {
		return err
	}
	results, err := mutation.OpenResults(filepath.Join(folder, "results.jsonl"), s.fresh)
	if err != nil {
		return err
	}
	defer results.Close()
	reasons, err := mutation.ReadReasons(root)
	if err != nil {
		return err
	}
	pick := func(all []mutation.Mutant) ([]mutation.Mutant, error) {
		return s.pick.From(all, known, results, reasons)
	}
	all, chosen, overlay, err := mutation.Instrument(root, folder, pick)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d of %d mutants to try\n", len(chosen), len(all))
	if len(chosen) > 0 {
		if err := s.try(root, folder, overlay, chosen, results); err != nil {
			return err
		}
	}
	known.Add(all, results)
	if s.write {
		if err := known.Write(root, all); err != nil {
			return err
		}
	}
	return s.conclude(root, all, chosen, known, results, reasons)
}

// try tries the chosen mutants. An interrupt ends the run; its results are saved, and a later run
// continues after them.
func (s *settings) try(root, folder, overlay string, chosen []mutation.Mutant, results *mutation.Results) error {
	o := s.options
	o.CheckMillis, o.TestMillis, o.SceneMillis = s.check.Milliseconds(), s.test.Milliseconds(), s.simulate.Milliseconds()
	o.Log = os.Stderr
	o.Interrupt = make(chan os.Signal, 1)
	signal.Notify(o.Interrupt, os.Interrupt)
	for _, m := range models.All() {
		if info := m.Info(); !info.Deep && s.wants(info.Name) {
			o.Models = append(o.Models, info.Name)
		}
	}
	for _, scenario := range scenarios.All() {
		if s.wants(scenario.Name) {
			o.Scenarios = append(o.Scenarios, scenario.Name)
		}
	}
	began, done, counts := time.Now(), 0, map[mutation.Killer]int{}
	return o.Run(root, folder, overlay, chosen, func(r mutation.Result) error {
		counts[r.Killer]++
		if done++; done%50 == 0 || done == len(chosen) {
			fmt.Fprintf(os.Stderr, "%d of %d after %s: %d by check, %d by tests, %d by scenarios, %d survive\n",
				done, len(chosen), time.Since(began).Round(time.Second), counts[mutation.ByCheck],
				counts[mutation.ByTest], counts[mutation.ByScenario], counts[mutation.Survives])
		}
		return results.Add(r)
	})
}

// wants reports whether mutants are tried in a model or a scenario of this name.
func (s *settings) wants(name string) bool {
	core, _, _ := strings.Cut(name, "/")
	return core != "published" && (s.among == "" || slices.Contains(strings.Split(s.among, ","), core))
}

// conclude prints the survivors without a reason.
func (s *settings) conclude(
	root string, all, chosen []mutation.Mutant, known *mutation.Record, results *mutation.Results,
	reasons map[string]mutation.Reason,
) error {
	open, untried := 0, 0
	for _, m := range chosen {
		r, tried := results.Of(m)
		_, known := reasons[m.Key()]
		switch {
		case !tried:
			untried++
		case r.Killer == mutation.Survives && !known:
			open++
			fmt.Printf("%s:%d: %s\n", m.File, m.Line, m.Key())
		}
	}
	if untried > 0 {
		fmt.Fprintf(os.Stderr, "%d mutants were not tried within %v\n", untried, s.options.Timeout)
	}
	if s.write {
		if err := mutation.WriteTable(root, all, known, reasons); err != nil {
			return err
		}
	}
	if open > 0 {
		return fmt.Errorf("%d mutants survive without a reason; write a test or a model that kills them, or a reason", open)
	}
	return nil
}
