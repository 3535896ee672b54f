package lease

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{deaths(), grids(), limits()} {
		for _, s := range list {
			c, err := model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
				under := s
				under.budget = b
				sys, err := under.system()
				if err != nil {
					return nil, err
				}
				return sys.Compile()
			})
			if err != nil {
				panic(fmt.Sprintf("the catalogue is broken: %v", err))
			}
			all = append(all, c)
		}
	}
	return all
}

// deaths are about questions whether an incarnation is over.
func deaths() []scenario {
	return []scenario{
		{
			name: "one/ask", doc: "C asks for B twice while B renews with A; one message dropped, one duplicated",
			nodes: "wls", witnesses: 1, asks: "C:B C:B", rounds: 3, most: 3,
			budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witness: certified | spared | expired,
		},
		{
			name: "one/restart", doc: "A, the only witness, crashes and comes back while C asks for B; one message dropped",
			nodes: "wls", witnesses: 1, asks: "C:B C:B", rounds: 3, most: 3, crashers: "A",
			budget: model.Budget{Crash: 1, Restart: 1, Drop: 1}, witness: certified | spared | expired,
		},
		{
			name: "one/comeback", doc: "B crashes and comes back while C asks for its first life; one message dropped",
			nodes: "wls", witnesses: 1, asks: "C:B C:B", rounds: 2, most: 3, crashers: "B",
			budget: model.Budget{Crash: 1, Restart: 1, Drop: 1}, witness: certified | spared | founded,
		},
		{
			name: "one/mourn", doc: "B crashes, and C asks until its death is certified; two messages dropped",
			nodes: "wls", witnesses: 1, mourns: "C:B", rounds: 2, most: 3, crashers: "B",
			budget: model.Budget{Crash: 1, Drop: 2, Spurious: 1}, witness: certified | spared,
		},
		{
			name: "one/copy", doc: "C runs with a copy of the data directory of B; one message dropped",
			nodes: "wbc", witnesses: 1, rounds: 2, most: 2,
			budget: model.Budget{Drop: 1}, witness: founded | copied,
		},
		{
			name: "three/ask", doc: "E asks for D while D renews with A, B and C",
			nodes: "wwwls", witnesses: 3, asks: "E:D", rounds: 3, most: 3,
			witness: certified | spared | expired,
		},
		{
			name: "three/restart", doc: "a witness crashes and comes back while E asks for D",
			nodes: "wwwls", witnesses: 3, asks: "E:D", rounds: 2, most: 3, crashers: "A",
			budget: model.Budget{Crash: 1, Restart: 1}, witness: certified | spared | expired,
		},
		{
			name: "three/refused", doc: "a witness may condemn D while the others renew its lease",
			nodes: "wwwls", witnesses: 3, asks: "E:D", rounds: 3, most: 3, steady: true, lives: true, witness: spared,
		},
		{
			name: "three/mourn", doc: "D and a witness crash, and E asks for D until its death is certified",
			nodes: "wwwls", witnesses: 3, mourns: "E:D", rounds: 1, most: 3, crashers: "CD",
			budget: model.Budget{Crash: 2}, witness: certified | spared,
		},
		{
			name: "three/lives", doc: "D renews while a witness crashes and comes back; one message dropped, one duplicated",
			nodes: "wwwl", witnesses: 3, rounds: 3, most: 3, crashers: "A", steady: true, lives: true,
			budget: model.Budget{Crash: 1, Restart: 1, Drop: 1, Duplicate: 1},
		},
		{
			name: "self/ask", doc: "A and B are witnesses and hold leases; B asks for A, which may crash",
			nodes: "llw", witnesses: 3, asks: "B:A", rounds: 2, most: 2, crashers: "A",
			budget: model.Budget{Crash: 1}, witness: certified | spared | expired,
		},
	}
}

// grids are about generations.
func grids() []scenario {
	return []scenario{
		{
			name: "one/begin", doc: "B and C begin with A as their witness; one message dropped, one duplicated",
			nodes: "wbb", witnesses: 1, rounds: 2, most: 3, steady: true, founds: true, enters: true,
			budget: model.Budget{Drop: 1, Duplicate: 1}, witness: leased | founded,
		},
		{
			name: "one/founder", doc: "B founds and crashes while C enters; a life that was fenced returns; one message dropped",
			nodes: "wbb", witnesses: 1, rounds: 2, most: 4, steady: true, founds: true, enters: true, returns: 1,
			crashers: "B",
			budget:   model.Budget{Crash: 1, Drop: 1}, witness: leased | founded | refounded | outlawed,
		},
		{
			name: "one/regrid", doc: "B has a lease, C begins, and the operator closes the generation at A",
			nodes: "wlb", witnesses: 1, rounds: 2, most: 5, regrids: "A", steady: true, founds: true, enters: true, returns: 1,
			witness: leased | refounded | outlawed,
		},
		{
			name: "one/closed", doc: "A closes the generation of B, whose lease may expire, and crashes; C begins",
			nodes: "wlb", witnesses: 1, rounds: 2, most: 4, regrids: "A", crashers: "A",
			budget: model.Budget{Crash: 1, Restart: 1}, witness: leased | refounded | outlawed,
		},
		{
			name: "one/expire", doc: "B and C begin, and leases expire at any time",
			nodes: "wbb", witnesses: 1, rounds: 2, most: 3, enters: true, witness: leased | founded | refounded | expired,
		},
		{
			name: "one/witness", doc: "A crashes and comes back while B has a lease and C begins; one message dropped",
			nodes: "wlb", witnesses: 1, rounds: 2, most: 3, enters: true, crashers: "A",
			budget: model.Budget{Crash: 1, Restart: 1, Drop: 1}, witness: leased | refounded,
		},
		{
			name: "one/promise", doc: "A crashes and comes back while B and C begin",
			nodes: "wbb", witnesses: 1, rounds: 1, most: 2, steady: true, crashers: "A",
			budget: model.Budget{Crash: 1, Restart: 1}, witness: leased | founded | refounded,
		},
		{
			name: "three/begin", doc: "D and E begin; A and B are witnesses, and C, the third one, does not run",
			nodes: "wwxbb", witnesses: 3, rounds: 1, most: 2, steady: true,
			witness: leased | founded | refounded | outvoted,
		},
		{
			name: "three/split", doc: "A and D begin; A and B are witnesses, and C, the third one, does not run",
			nodes: "bwxb", witnesses: 3, rounds: 2, most: 3, steady: true, founds: true, enters: true,
			witness: leased | founded | refounded,
		},
		{
			name: "three/outlive", doc: "A failed to found a generation, C has founded the next one, and crashes",
			nodes: "fwl", witnesses: 3, rounds: 3, most: 3, steady: true, enters: true, suffices: true, crashers: "C",
			budget: model.Budget{Crash: 1}, witness: leased,
		},
		{
			name: "three/next", doc: "D has a lease that may expire, and E begins",
			nodes: "wwwlb", witnesses: 3, rounds: 1, most: 3, witness: refounded | expired,
		},
		{
			name: "three/witness", doc: "E begins while D has a lease, and a witness crashes and comes back",
			nodes: "wwwlb", witnesses: 3, rounds: 1, most: 2, crashers: "A", deep: true,
			budget: model.Budget{Crash: 1, Restart: 1}, witness: refounded | expired,
		},
	}
}

// limits are expected failures: each drops an assumption.
func limits() []scenario {
	return []scenario{
		{
			name: "limit-drift", doc: "the clock of the witness runs too fast: a grant ends before the holder's expiry",
			nodes: "wls", witnesses: 1, asks: "C:B", rounds: 2, most: 2, drift: true, witness: certified,
			expect: []model.Expectation{{
				Property: "NoFalseDeath", Violated: true, Why: "the witness condemns a life whose lease has not expired",
			}},
		},
		{
			name: "limit-minority", doc: "two of three witnesses crash, and E asks for D",
			nodes: "wwwls", witnesses: 3, mourns: "E:D", rounds: 1, most: 2, crashers: "ABD", steady: true, lives: true,
			alone:  true,
			budget: model.Budget{Crash: 3}, witness: expired,
			expect: []model.Expectation{{
				Property: "Lives", Violated: true, Why: "without a majority of witnesses each lease expires",
			}, {
				Property: "Mourned", Violated: true, Why: "without a majority of witnesses no death is certified",
			}},
		},
	}
}
