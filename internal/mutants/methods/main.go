package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/canvass-grid/canvass/internal/mutants"
)

func main() {
	every := flag.Int("every", 1, "without names, only every so many-th mutant")
	seeds := flag.Uint64("seeds", 200, "seeds of each world at most")
	walks := flag.Uint64("walks", 5000, "walks of each kind at most")
	flag.Parse()
	fmt.Println("| mutant | model | checker: states | PCT: walks | random: walks | virtual time: seeds |")
	fmt.Println("|---|---|---|---|---|---|")
	for i, m := range mutants.All() {
		named := slices.Contains(flag.Args(), m.Name)
		if !named && (flag.NArg() > 0 || i%max(*every, 1) != 0) {
			continue
		}
		if err := measure(m, *walks, *seeds); err != nil {
			fmt.Fprintf(os.Stderr, "methods: %s: %v\n", m.Name, err)
			os.Exit(1)
		}
	}
}

func measure(m mutants.Mutant, walks, seeds uint64) error {
	folder, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	overlay, err := m.Overlay(root, folder)
	if err != nil {
		return err
	}
	var e mutants.Effort
	args := []string{"-family", m.Family(), fmt.Sprint("-seeds=", seeds), fmt.Sprint("-walks=", walks)}
	if m.Model != "" {
		args = append(args, "-model", m.Model)
	}
	if err := ask(folder, overlay, "./internal/mutants/probe", args, &e); err != nil {
		return err
	}
	states := "a script"
	if m.Model != "" {
		var v mutants.Verdict
		if err := ask(folder, overlay, m.Program(), []string{"-states=1000000", m.Model}, &v); err != nil {
			return err
		}
		states = fmt.Sprint(v.States)
	}
	fmt.Printf("| %s | %s | %s | %s | %s | %s |\n", m.Name, m.Model, states, number(e.PCT, ""), number(e.RandomWalk, ""), number(e.Seeds, e.World))
	return nil
}

// ask builds a program with the mutant in it and reads what it prints.
func ask(folder, overlay, program string, args []string, answer any) error {
	binary := filepath.Join(folder, filepath.Base(program)+".exe")
	build := exec.Command("go", "build", "-o", binary, "-overlay", overlay, program)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	out, err := exec.Command(binary, args...).Output()
	if err != nil {
		return err
	}
	return json.Unmarshal(out, answer)
}

func number(n uint64, of string) string {
	switch {
	case n == 0:
		return "–"
	case of == "":
		return fmt.Sprint(n)
	}
	return fmt.Sprint(n, " (", of, ")")
}
