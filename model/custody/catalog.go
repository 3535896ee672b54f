package custody

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{ones(), twos(), threes(), limits()} {
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

var (
	once  = []Attempt{{Try: 1, Hosts: 1}}
	pair  = []Attempt{{Try: 1, Hosts: 2}}
	twice = []Attempt{{Try: 1, Hosts: 1}, {Try: 2, Hosts: 1}}
	twins = []Attempt{{Try: 1, Hosts: 2}, {Try: 1, Hosts: 1}, {Try: 2, Hosts: 1}, {Try: 3, Hosts: 1}}
)

// ones are jobs with one custodian.
func ones() []scenario {
	return []scenario{
		{
			name: "one/run", doc: "A keeps the job alone; two attempts, the first with a twin",
			copies: 1, attempts: twins, limit: 2, world: Agent{GivesUp: true}, witness: ended | retried | exhausted,
		},
		{
			name: "one/crash", doc: "A crashes and comes back",
			copies: 1, attempts: twice, budget: model.Budget{Crash: 1, Restart: 1},
			witness: ended | heirEnded | retried | exhausted,
		},
	}
}

// twos are jobs with two custodians.
func twos() []scenario {
	crash, restart := model.Budget{Crash: 1}, model.Budget{Crash: 1, Restart: 1}
	return []scenario{
		{
			name: "two/run", doc: "A and B keep the job; one message dropped, one duplicated, one timeout premature",
			copies: 2, attempts: pair, budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: ended | exhausted,
		},
		{
			name: "two/cancel", doc: "the client cancels; one message dropped",
			copies: 2, attempts: twice, world: Agent{Cancels: true}, budget: model.Budget{Drop: 1},
			witness: ended | retried | wished,
		},
		{
			name: "two/crash", doc: "a custodian crashes and does not come back; one message dropped, one duplicated",
			copies: 2, attempts: twice, budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1},
			witness: ended | heirEnded | retried | exhausted,
		},
		{
			name: "two/crash-cancel", doc: "a custodian crashes, and the client cancels",
			copies: 2, attempts: twice, world: Agent{Cancels: true}, budget: crash,
			witness: ended | heirEnded | retried | wished,
		},
		{
			name: "two/restart", doc: "a custodian crashes and comes back",
			copies: 2, attempts: once, budget: restart, witness: ended | heirEnded | exhausted,
		},
		{
			name: "two/forget", doc: "a custodian crashes and comes back, and the record may be forgotten",
			copies: 2, attempts: once, world: Agent{Forgets: true}, budget: restart,
			witness: ended | heirEnded | exhausted | forgot,
		},
		{
			name: "two/last", doc: "A and B crash, and one of them comes back",
			copies: 2, attempts: once, budget: model.Budget{Crash: 2, Restart: 1}, witness: ended | heirEnded | exhausted,
		},
		{
			name: "two/back", doc: "A and B crash and come back, and nothing else happens",
			copies: 2, limit: 1, budget: model.Budget{Crash: 2, Restart: 2}, later: true,
		},
		{
			name: "two/heir", doc: "A and B crash, one of them comes back, and B takes the job if A has not",
			copies: 2, attempts: once, heirs: true, budget: model.Budget{Crash: 2, Restart: 1},
			witness: ended | heirEnded | exhausted,
		},
		{
			name: "two/outage", doc: "A and B crash and come back",
			copies: 2, attempts: once, budget: model.Budget{Crash: 2, Restart: 2}, witness: ended | heirEnded | exhausted,
			deep: true, safety: true,
		},
	}
}

// threes are jobs with three custodians.
func threes() []scenario {
	return []scenario{
		{
			name: "three/run", doc: "A, B and C keep the job; one message dropped",
			copies: 3, attempts: once, budget: model.Budget{Drop: 1}, witness: ended | exhausted,
		},
		{
			name: "three/crash", doc: "a custodian crashes and does not come back",
			copies: 3, attempts: once, budget: model.Budget{Crash: 1},
			witness: ended | heirEnded | exhausted,
		},
		{
			name: "three/second", doc: "B crashes and comes back, and then the client cancels",
			copies: 3, limit: 1, world: Agent{Cancels: true, Afterwards: true}, crashers: "B",
			budget:  model.Budget{Crash: 1, Restart: 1},
			witness: wished, later: true, safety: true,
		},
		{
			name: "three/heir", doc: "A crashes, and B takes the job if A has not",
			copies: 3, attempts: once, heirs: true, crashers: "A", budget: model.Budget{Crash: 1},
			witness: ended | heirEnded | heirTakes | exhausted,
		},
		{
			name: "three/lone", doc: "A and C crash, and B takes the job if A has not and C is there",
			copies: 3, limit: 1, heirs: true, crashers: "AC", budget: model.Budget{Crash: 2},
			witness: heirTakes,
		},
		{
			name: "three/late", doc: "B crashes before the job is accepted and comes back, and A crashes after that",
			copies: 3, limit: 1, crashers: "AB", budget: model.Budget{Crash: 2, Restart: 1, Drop: 1}, inTurn: true, safety: true,
			deep: true,
		},
		{
			name: "three/two", doc: "B and C crash, one of them comes back, and nothing else happens",
			copies: 3, limit: 1, crashers: "BC", budget: model.Budget{Crash: 2, Restart: 1}, later: true, safety: true,
		},
		{
			name: "three/both", doc: "A and B crash and come back, and nothing else happens",
			copies: 3, limit: 1, world: Agent{Views: 6}, crashers: "AB", budget: model.Budget{Crash: 2, Restart: 2},
			later: true, safety: true,
		},
	}
}

// limits are expected failures: each drops an assumption.
func limits() []scenario {
	return []scenario{
		{
			name: "limit-last-to-fail", doc: "both crash, and the operator accepts the loss of the disk that failed last",
			copies: 2, attempts: once, world: Agent{Loses: true}, budget: model.Budget{Crash: 2, Restart: 1}, safety: true,
			expect: []model.Expectation{{
				Property: "AckedKept", Violated: true, Why: "only the disk that failed last has the last decision",
			}, {
				Property: "OneOutcome", Violated: true, Why: "the other one does not know how the job ended",
			}, {
				Property: "OverStays", Violated: true, Why: "and submits it again",
			}},
		},
		{
			name: "limit-false-death", doc: "a certificate of death may be false",
			copies: 2, attempts: once, world: Agent{WrongDead: true}, budget: model.Budget{Suspect: 2}, safety: true,
			expect: []model.Expectation{{
				Property: "PrimaryOnce", Violated: true, Why: "each of two custodians takes the other one for dead",
			}, {
				Property: "AckedKept", Violated: true, Why: "the other one has no record of its decisions",
			}, {
				Property: "OneOutcome", Violated: true, Why: "each of them ends the job in its own way",
			}, {
				Property: "OverStays", Violated: true, Why: "or submits a job that the other one has ended",
			}},
		},
	}
}
