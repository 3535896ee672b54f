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
	twins = []Attempt{{Try: 1, Hosts: 1}, {Try: 1, Hosts: 1}, {Try: 2, Hosts: 1}, {Try: 3, Hosts: 1}}
)

// ones are jobs with one custodian.
func ones() []scenario {
	return []scenario{
		{
			name: "one/run", doc: "A keeps the job alone; two attempts, the first with a twin",
			copies: 1, attempts: twins, limit: 2, world: Agent{GivesUp: true}, witness: ended | retried | exhausted,
		},
		{
			name: "one/crash", doc: "A crashes twice and comes back",
			copies: 1, attempts: twice, budget: model.Budget{Crash: 1, Restart: 1},
			witness: ended | heirEnded | retried | exhausted,
		},
	}
}

// twos are jobs with two custodians.
func twos() []scenario {
	return []scenario{
		{
			name: "two/run", doc: "A and B keep the job; one message dropped, one duplicated",
			copies: 2, attempts: once, world: Agent{Forgets: true},
			budget: model.Budget{Drop: 1, Duplicate: 1}, witness: ended | exhausted | forgot,
		},
		{
			name: "two/crash", doc: "A or B crashes and does not come back",
			copies: 2, attempts: twice, budget: model.Budget{Crash: 1},
			witness: ended | heirEnded | retried | exhausted,
		},
		{
			name: "two/restart", doc: "A or B crashes and comes back",
			copies: 2, attempts: once, budget: model.Budget{Crash: 1, Restart: 1},
			witness: ended | heirEnded,
		},
		{
			name: "two/outage", doc: "both may be down at once, and come back",
			copies: 2, attempts: once, budget: model.Budget{Crash: 2, Restart: 2},
			witness: ended | heirEnded,
		},
	}
}

// threes are jobs with three custodians.
func threes() []scenario {
	return []scenario{
		{
			name: "three/run", doc: "A, B and C keep the job",
			copies: 3, attempts: once, witness: ended | exhausted,
		},
		{
			name: "three/crash", doc: "a custodian crashes and does not come back",
			copies: 3, attempts: once, budget: model.Budget{Crash: 1},
			witness: ended | heirEnded | exhausted,
		},
		{
			name: "three/restart", doc: "a custodian crashes and comes back",
			copies: 3, attempts: once, budget: model.Budget{Crash: 1, Restart: 1},
			witness: ended | heirEnded | exhausted,
		},
	}
}

// limits are expected failures: each drops an assumption.
func limits() []scenario { return nil }
