package placement

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{ones(), twos(), limits()} {
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
	fits       = Job{}
	impossible = Job{Impossible: true}
	retries    = Job{Tries: 2, Rest: 50}
)

// ones are systems of one job.
func ones() []scenario {
	return []scenario{
		{
			name: "one/run", doc: "a job runs twice; one submission vanishes, and patience ends too early once",
			world: Agent{Jobs: []Job{retries}, Silent: 1}, budget: model.Budget{Spurious: 1},
			witness: paused | revoked | asked,
		},
		{
			name: "one/vain", doc: "no node can hold the job",
			world: Agent{Jobs: []Job{impossible}}, witness: rested,
		},
		{
			name: "one/busy", doc: "three searches are in vain before nodes can hold the job; a report arrives twice",
			world: Agent{Jobs: []Job{fits}, Vain: 3, Repeats: 1}, witness: rested | ignored,
		},
		{
			name: "one/hold", doc: "the user holds the job twice and releases it; a report arrives twice",
			world: Agent{Jobs: []Job{fits}, Holds: 2, Repeats: 1}, witness: revoked | ignored,
		},
		{
			name: "one/yield", doc: "another custodian decides about the job for a while; patience ends too early once",
			world: Agent{Jobs: []Job{retries}, Yields: 1, Vain: 1}, budget: model.Budget{Spurious: 1},
			witness: paused | revoked | rested,
		},
		{
			name: "one/death", doc: "the owner of the job dies, and so does the next one; one submission vanishes",
			world: Agent{Jobs: []Job{fits}, Deaths: 2, Silent: 1}, witness: asked,
		},
		{
			name: "one/heir", doc: "a node crashes, and another decides about the job from then on", heir: true,
			world: Agent{Jobs: []Job{retries}, Vain: 1}, budget: model.Budget{Crash: 1}, witness: paused | rested,
		},
		{
			name: "one/restart", doc: "a node crashes and comes back, and one of the two decides about the job", heir: true,
			world: Agent{Jobs: []Job{fits}}, budget: model.Budget{Crash: 1, Restart: 1},
		},
	}
}

// twos are systems of two or three jobs.
func twos() []scenario {
	return []scenario{
		{
			name: "two/turn", doc: "two jobs share a turn, and one submission vanishes",
			world: Agent{Jobs: []Job{retries, fits}, Silent: 1}, witness: paused | asked,
		},
		{
			name: "two/vain", doc: "no node can hold the older of two jobs that share a turn",
			world: Agent{Jobs: []Job{impossible, fits}}, witness: rested,
		},
		{
			name: "two/death", doc: "two jobs in the grid at once, whose owner dies", turns: 2,
			world: Agent{Jobs: []Job{fits, fits}, Deaths: 1, Vain: 1}, witness: rested,
		},
		{
			name: "two/silent", doc: "searches for the older of two jobs that share a turn have no end",
			world: Agent{Jobs: []Job{{Endless: true}, fits}},
		},
		{
			name: "three/vain", doc: "no node can hold the two older of three jobs that share a turn",
			world: Agent{Jobs: []Job{impossible, impossible, fits}}, witness: rested,
		},
		{
			name: "three/turn", doc: "three jobs share two turns; the user holds one for a while", turns: 2,
			world: Agent{Jobs: []Job{impossible, retries, fits}, Holds: 1}, witness: rested | paused,
		},
	}
}

// limits drop one assumption.
func limits() []scenario {
	return []scenario{{
		name: "limit-mute", doc: "owners do not answer whether they have a submission, and one vanishes",
		world: Agent{Jobs: []Job{fits}, Silent: 1, Mute: true},
		expect: []model.Expectation{{
			Property: "Runs", Violated: true, Why: "nothing tells the node that the owner has lost the job",
		}},
	}}
}
