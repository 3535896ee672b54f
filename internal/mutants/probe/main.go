package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/sim"
	worlds "github.com/canvass-grid/canvass/sim/catalog"
)

func main() {
	name := flag.String("model", "", "walk through this `model`")
	walks := flag.Uint64("walks", 5_000, "take at most so many `walks` of each kind")
	family := flag.String("family", "", "run the worlds whose names begin with `prefix/`")
	seeds := flag.Uint64("seeds", 200, "run at most so many `seeds` of each world")
	flag.Parse()
	var found mutants.Effort
	for _, m := range catalog.All() {
		if m.Info().Name == *name {
			found.PCT, found.RandomWalk = walk(m, checker.PCT, *walks), walk(m, checker.RandomWalk, *walks)
		}
	}
	found.Seeds, found.World = simulate(*family, *seeds)
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
}

// walk returns how many walks it took until a property was violated that the model does not declare, or 0.
func walk(m model.Checkable, order checker.Order, most uint64) (walks uint64) {
	declared := map[string]bool{}
	for _, e := range m.Info().Expected {
		declared[e.Property] = e.Violated
	}
	defer func() {
		if recover() != nil {
			walks = 1 // the core panics in making the first state
		}
	}()
	report, err := checker.Check(context.Background(), m.Model(), checker.Options{Order: order, MaxWalks: most, MaxDepth: 400})
	if p := (*checker.PanicError)(nil); errors.As(err, &p) {
		return most // somewhere on the way: which walk it was is not told
	}
	if err != nil {
		return 0
	}
	for _, o := range report.Outcomes {
		if o.Verdict == checker.Violated && !declared[o.Property.Name] && (walks == 0 || o.Walk+1 < walks) {
			walks = o.Walk + 1
		}
	}
	return walks
}

// simulate returns how many seeds of a world it took, and of which, or 0.
func simulate(family string, most uint64) (uint64, string) {
	all := slices.DeleteFunc(worlds.All(), func(w sim.World) bool {
		return !strings.HasPrefix(w.Name(), family+"/") || w.Declares()
	})
	for seed := uint64(1); seed <= most; seed++ {
		for _, w := range all {
			if violates(w, seed) {
				return seed, w.Name()
			}
		}
	}
	return 0, ""
}

func violates(w sim.World, seed uint64) (broken bool) {
	defer func() { broken = broken || recover() != nil }()
	r, err := w.Run(w.Draw(seed), sim.RunOptions{})
	return err == nil && r.Verdict == sim.Violated
}
