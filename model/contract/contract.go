package contract

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// Event is the event of a step that breaks a rule. Number is the index of the rule, and Detail says
// how it is broken.
const Event = "broken"

// Rule is a condition on every step. T describes a step.
type Rule[T any] struct {
	Name, Doc string
	Broken    func(*T) string // how the step breaks it, or ""
}

// Check returns an event for each rule that a step breaks. If a rule panics, the panic names it.
func Check[T any](rules []Rule[T], step *T) (broken []protocol.Event) {
	at := 0
	defer func() {
		if problem := recover(); problem != nil {
			panic(fmt.Errorf("rule %s of the contract: %v", rules[at].Name, problem))
		}
	}()
	for i, r := range rules {
		at = i
		if why := r.Broken(step); why != "" {
			broken = append(broken, protocol.Event{Name: Event, Number: uint32(i), Detail: why})
		}
	}
	return broken
}

// Properties lists the rules as properties of all states. broken returns the rules that have been
// broken on the way to a state, rule i as bit i.
func Properties[S, M, T any](
	rules []Rule[T], broken func(*model.GlobalState[S, M]) uint32,
) (all []model.Property[S, M]) {
	for i, r := range rules {
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: r.Name, Doc: r.Doc, Shape: checker.Always},
			Holds:    func(g *model.GlobalState[S, M]) bool { return broken(g)>>i&1 == 0 },
		})
	}
	return all
}
