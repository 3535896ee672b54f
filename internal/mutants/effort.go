package mutants

import "strings"

// Effort is what it took to find a mutant by each of the methods that draw: 0 means that it was not found.
type Effort struct {
	PCT        uint64 `json:"pct_walks"`    // walks through its model by probabilistic concurrency testing
	RandomWalk uint64 `json:"random_walks"` // walks through its model that draw evenly
	Seeds      uint64 `json:"seeds"`        // seeds of each world of its family, until one was violated
	World      string `json:"world,omitempty"`
}

// Family is the prefix of the names of the worlds in which the mutant's core runs.
func (m Mutant) Family() string {
	core, _, _ := strings.Cut(m.File, "/")
	switch core {
	case "space":
		return "can"
	case "refine", "reptask", "peer":
		return "grid"
	}
	return core
}
