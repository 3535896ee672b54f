package muster

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{runs(), halts(), outputs(), faults(), limits()} {
		for _, s := range list {
			c, err := model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
				under := s
				under.budget = b
				return under.system().Compile()
			})
			if err != nil {
				panic(fmt.Sprintf("the catalogue is broken: %v", err))
			}
			all = append(all, c)
		}
	}
	return all
}

// runs are attempts that start.
func runs() []scenario {
	return []scenario{
		{
			name: "one/run", doc: "A is the only host and represents itself",
			hosts: "A", rep: "A", fates: []Fate{Ends | Fails | Unfits}, policy: true,
			witness: completed | failed | unfit,
		},
		{
			name: "one/remote", doc: "A is the only host, B represents the attempt; one message dropped, one duplicated",
			hosts: "A", rep: "B", fates: []Fate{Ends | Fails, 0}, policy: true,
			budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: completed | failed,
		},
		{
			name: "pair/run", doc: "A and B run, A represents the attempt; one message dropped, one duplicated",
			hosts: "AB", rep: "A", fates: []Fate{Ends, Ends | Fails},
			budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: completed | failed,
		},
		{
			name: "apart/run", doc: "A and B run, C represents the attempt; one message dropped, one duplicated",
			hosts: "AB", rep: "C", fates: []Fate{Ends, Ends | Fails, 0},
			budget: model.Budget{Drop: 1, Duplicate: 1}, witness: completed | failed,
		},
		{
			name: "three/run", doc: "A, B and C run, B represents the attempt; one message dropped",
			hosts: "ABC", rep: "B", fates: []Fate{Ends, Ends, Ends | Fails},
			budget: model.Budget{Drop: 1}, witness: completed | failed,
		},
	}
}

// halts are attempts that are halted.
func halts() []scenario {
	return []scenario{
		{
			name: "pair/failure", doc: "B fails, which halts A; two messages dropped, one duplicated, one timeout premature",
			hosts: "AB", rep: "A", fates: []Fate{0, Fails}, policy: true,
			budget: model.Budget{Drop: 2, Duplicate: 1, Spurious: 1}, witness: failed | endedByHalt,
		},
		{
			name: "apart/failure", doc: "A or B fails, which halts the other; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{Fails, Ends | Fails, 0}, policy: true,
			budget: model.Budget{Drop: 1}, witness: failed | endedByHalt,
		},
		{
			name: "apart/unfit", doc: "B may be unable to start its task; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{Ends, Ends | Unfits, 0}, policy: true,
			budget: model.Budget{Drop: 1}, witness: completed | failed | endedByHalt | unrun | unfit,
		},
		{
			name: "pair/unfit", doc: "B may be unfit, which halts nobody that runs; one message dropped, one duplicated",
			hosts: "AB", rep: "A", fates: []Fate{Ends, Ends | Unfits},
			budget: model.Budget{Drop: 1, Duplicate: 1}, witness: completed | failed | unrun | unfit,
		},
		{
			name: "one/lost", doc: "A may lose its task, B represents the attempt; one message dropped, one duplicated",
			hosts: "A", rep: "B", fates: []Fate{Ends | Fails | Loses, 0}, policy: true,
			budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: completed | failed | lost | lostRunning,
		},
		{
			name: "apart/lost", doc: "B may lose its task, which halts A, or A fails; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{Ends | Fails, Ends | Loses, 0}, policy: true,
			budget:  model.Budget{Drop: 1},
			witness: completed | failed | endedByHalt | unrun | lost | lostRunning,
		},
		{
			name: "pair/lost", doc: "B may lose its task, which halts A though a failure does not; one message dropped, " +
				"one duplicated",
			hosts: "AB", rep: "A", fates: []Fate{0, Loses},
			budget:  model.Budget{Drop: 1, Duplicate: 1},
			witness: endedByHalt | unrun | lost | lostRunning,
		},
		{
			name: "apart/refused", doc: "the custodian may refuse; one message dropped, one duplicated",
			hosts: "AB", rep: "C", fates: []Fate{Ends, Ends, 0}, refuses: true, safety: true,
			budget: model.Budget{Drop: 1, Duplicate: 1}, witness: completed | unrun | refused,
		},
		{
			name: "apart/cancel", doc: "the client may cancel; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{0, Ends, 0}, cancels: true, endless: true,
			budget: model.Budget{Drop: 1}, witness: endedByHalt | unrun,
		},
		{
			name: "pair/cancel", doc: "the client may cancel; one message dropped, one duplicated, one timeout premature",
			hosts: "AB", rep: "A", fates: []Fate{0, Ends}, cancels: true, endless: true,
			budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: endedByHalt | unrun,
		},
		{
			name: "apart/reasons", doc: "B fails, the client may cancel, and the attempt may run for too long",
			hosts: "AB", rep: "C", fates: []Fate{0, Fails, 0}, policy: true, cancels: true, timesOut: true,
			witness: failed | endedByHalt | unrun,
		},
		{
			name: "three/cancel", doc: "A, B and C run until the client cancels",
			hosts: "ABC", rep: "B", fates: []Fate{0, 0, 0}, cancels: true, endless: true,
			witness: endedByHalt | unrun,
		},
		{
			name: "three/failure", doc: "C fails, which halts A and B; one message dropped",
			hosts: "ABC", rep: "B", fates: []Fate{0, Ends, Fails}, policy: true, safety: true,
			budget: model.Budget{Drop: 1}, witness: failed | endedByHalt,
		},
	}
}

// outputs are attempts whose tasks have outputs.
func outputs() []scenario {
	return []scenario{
		{
			name: "one/outputs", doc: "A has outputs that can be kept or not, B represents; one message dropped, one duplicated",
			hosts: "A", rep: "B", fates: []Fate{Ends | Fails | Keeps | Unkeeps, 0}, policy: true,
			budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: completed | failed | unkept,
		},
		{
			name: "apart/outputs", doc: "A and B have outputs, and B may be unable to keep its own; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{Ends | Keeps, Ends | Keeps | Unkeeps, 0}, policy: true,
			budget: model.Budget{Drop: 1}, witness: completed | failed | unkept | endedByHalt,
		},
		{
			name: "pair/outputs", doc: "A and B have outputs, the client may cancel, and A or B crashes",
			hosts: "AB", rep: "A", fates: []Fate{Ends | Keeps, Ends | Keeps | Unkeeps}, cancels: true,
			budget: model.Budget{Crash: 1, Duplicate: 1}, witness: completed | unkept | killed | endedByHalt | unrun,
		},
	}
}

// faults are attempts that the task layer ends.
func faults() []scenario {
	crash := model.Budget{Crash: 1}
	return []scenario{
		{
			name: "pair/crash", doc: "A or B crashes; one message dropped, one duplicated, one timeout premature",
			hosts: "AB", rep: "A", fates: []Fate{Ends, Ends},
			budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1, Spurious: 1}, witness: killed,
		},
		{
			name: "apart/crash", doc: "any node crashes; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{0, Ends, 0}, endless: true, budget: model.Budget{Crash: 1, Drop: 1},
			witness: killed,
		},
		{
			name: "three/crash", doc: "any node crashes; B represents the attempt",
			hosts: "ABC", rep: "B", fates: []Fate{Ends, Ends, 0}, endless: true, budget: crash, witness: killed,
		},
		{
			name: "apart/crash-cancel", doc: "any node crashes while the client may cancel",
			hosts: "AB", rep: "C", fates: []Fate{Ends, 0, 0}, cancels: true, endless: true, budget: crash,
			witness: killed | endedByHalt | unrun,
		},
		{
			name: "apart/revoke", doc: "the task layer may end the attempt at B or C, at any time; one message dropped",
			hosts: "AB", rep: "C", fates: []Fate{Ends, Ends, 0}, revokes: "BC",
			budget: model.Budget{Drop: 1}, witness: killed | completed,
		},
	}
}

// limits are expected failures: each drops an assumption.
func limits() []scenario {
	return []scenario{{
		name: "limit-no-end", doc: "B crashes, and the task layer does not notice",
		hosts: "AB", rep: "A", fates: []Fate{Ends, Ends}, crashers: "B", budget: model.Budget{Crash: 1}, noEnd: true,
		safety: true, witness: completed,
		expect: []model.Expectation{{
			Property: "NobodyWaits", Violated: true, Why: "only the task layer knows that a host has crashed",
		}},
	}}
}
