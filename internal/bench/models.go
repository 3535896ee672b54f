package main

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/paxos"
	"github.com/canvass-grid/canvass/examples/philosophers"
	"github.com/canvass-grid/canvass/examples/twophase"
)

// twin is a model of ours and the Promela model that is the same.
type twin struct {
	name   string
	file   string
	macro  string // of the size
	others []string
	start  uint64 // states that the Promela model adds by starting up
	ours   func(size int) (checker.Model, error)
}

// twins lists the models that both sides have.
func twins() []twin {
	philosophersBy := func(rule philosophers.Rule) func(int) (checker.Model, error) {
		return func(size int) (checker.Model, error) { return philosophers.New(size, rule) }
	}
	commit := func(size int) (checker.Model, error) { return twophase.New(size) }
	consensus := func(size int) (checker.Model, error) {
		system, err := paxos.New(size)
		if err != nil {
			return nil, err
		}
		return system.Model(), nil
	}
	return []twin{
		{name: "twophase", file: "twophase.pml", macro: "N", ours: commit},
		{name: "twophase/processes", file: "twophase-processes.pml", macro: "N", ours: commit},
		{name: "paxos", file: "paxos.pml", macro: "C", start: 1, ours: consensus},
		{name: "paxos/processes", file: "paxos-processes.pml", macro: "C", ours: consensus},
		{
			name:   "philosophers/left-first",
			file:   "philosophers.pml",
			macro:  "N",
			others: []string{"RULE=0"},
			start:  1,
			ours:   philosophersBy(philosophers.LeftFirst),
		},
		{
			name:   "philosophers/ordered",
			file:   "philosophers.pml",
			macro:  "N",
			others: []string{"RULE=1"},
			start:  1,
			ours:   philosophersBy(philosophers.Ordered),
		},
		{
			name:   "philosophers/courteous",
			file:   "philosophers.pml",
			macro:  "N",
			others: []string{"RULE=2"},
			start:  1,
			ours:   philosophersBy(philosophers.Courteous),
		},
	}
}

func twinOf(name string) (twin, error) {
	for _, t := range twins() {
		if t.name == name {
			return t, nil
		}
	}
	return twin{}, fmt.Errorf("there is no model %q", name)
}

// twinFolder holds the Promela models, seen from the root of the repository.
const twinFolder = "spec/examples/"

// build says how to make the verifier of a size.
func (t twin) build(size int, more ...string) Build {
	macros := append([]string{fmt.Sprintf("%s=%d", t.macro, size)}, t.others...)
	return Build{File: twinFolder + t.file, Macros: append(macros, more...)}
}
