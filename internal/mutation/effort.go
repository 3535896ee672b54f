package mutation

import (
	"fmt"
	"time"
)

// Measure asks how much each method needs to find a mutant: the checker and two kinds of walks in
// some models, and scenarios. The bounds say how far each method goes.
type Measure struct {
	Models    string        `json:"models"`    // that of this name, or those of the default run below it
	Scenarios string        `json:"scenarios"` // that of this name, or those below it that declare nothing
	States    uint64        `json:"states"`    // of each model
	Walks     uint64        `json:"walks"`     // of each kind through each model; 0: none
	Seeds     uint64        `json:"seeds"`     // of each scenario, from 1
	Time      time.Duration `json:"time"`      // of each method; 0: no limit
}

// Effort is the effort of each method to find a mutant.
type Effort struct {
	Checker   Search `json:"checker"`   // states of models, the level of the first violation included
	PCT       Search `json:"pct"`       // walks through a model by probabilistic concurrency testing
	Random    Search `json:"random"`    // walks through a model that draw evenly
	Scenarios Search `json:"scenarios"` // seeds of the scenario that was violated; in vain: of all scenarios
}

// Search is how far one method went.
type Search struct {
	Found    uint64 `json:"found,omitempty"`    // how many it took; 0: not found
	Where    string `json:"where,omitempty"`    // in which model or scenario
	Property string `json:"property,omitempty"` // that was violated, or Panic
	Tried    uint64 `json:"tried,omitempty"`    // how many in vain, if it was not found; 0: the method was not tried
	Stopped  bool   `json:"stopped,omitempty"`  // it ran out of time
}

// Cell is the search in a table: a dash stands for not found, nothing for not tried.
func (s Search) Cell() string {
	switch {
	case s.Found > 0:
		return fmt.Sprint(s.Found)
	case s.Stopped:
		return fmt.Sprintf("– (stopped after %d)", s.Tried)
	case s.Tried > 0:
		return "–"
	}
	return ""
}
