package store

import (
	"slices"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// judge holds a run to the properties.
type oracle struct {
	sim.Violation
	canMap  *can.Map
	keys    []space.Point
	history *linear.Recorder
	clock   int64    // of the history: the order of events
	serves  []uint64 // by node: the keys that it serves, one bit each
	certain bool     // every operation must end with an answer
	heirs   heirs
	failed  bool // a node has failed
}

func newOracle(land *can.Map, nodes int, keys []space.Point) *oracle {
	return &oracle{
		canMap:  land,
		keys:    keys,
		history: linear.NewRecorder(keys...),
		serves:  make([]uint64, nodes),
		heirs:   newHeirs(),
	}
}

// call notes that a client is about to call an operation.
func (j *oracle) call(node protocol.NodeID, o store.Operation) {
	j.clock++
	j.history.Call(j.clock, node, o)
	j.canMap.Counts()[o.Kind.String()]++
}

// step is called after each step that changed a node or told its application something.
func (j *oracle) step(node int, live bool, s *store.State, events []protocol.Event) {
	j.clock++
	j.canMap.Step(node, live, events)
	if property, where := j.canMap.Broken(); property != "" {
		j.Violate(property, "%s", where)
	}
	if len(events) > 0 && events[0].Name == "crash" {
		j.history.Crash(j.clock, events[0].Peer)
		j.failed = true
	} else {
		if j.heirs.step(s, events) && !j.failed {
			j.Violate("Certain", "%v speaks for all that may have executed a request, and says that nobody knows", s.ID())
		}
		j.history.Step(j.clock, s.ID(), *s, events)
	}
	j.serves[node] = 0
	if !live {
		return
	}
	for i, key := range j.keys {
		if s.Serves(key) {
			j.serves[node] |= 1 << i
		}
	}
	for other, serves := range j.serves {
		if other != node && serves&j.serves[node] != 0 {
			j.Violate("OneServer", "%v serves a key that another node serves", s.ID())
		}
	}
	if slices.ContainsFunc(s.Items, func(it store.Item) bool { return !s.CAN.Self.Zone.Contains(it.Key) }) {
		j.Violate("ItemsInside", "%v holds an item outside its zone", s.ID())
	}
	for _, e := range events {
		if j.certain && (e.Name == store.EventUnknown || e.Name == store.EventRejected) {
			j.Violate("Certain", "operation %d of %v ends as %s", e.Number, s.ID(), e.Name)
		}
	}
}

// decideTime is how long a history may take to be decided.
const decideTime = 10 * time.Second

// verdict judges the whole history: Holds, Violated with a property and what draws the history, or
// Inconclusive.
func (j *oracle) verdict() (checker.Verdict, func(path string) error) {
	registers := linear.Register()
	if j.history.Crashed() {
		registers = linear.RegisterWithLoss()
	}
	worst := checker.Holds
	for _, part := range []struct {
		property string
		spec     linear.Spec
		history  []linear.Operation
	}{{"Linearizable", registers, j.history.Registers()}, {"OneOwner", linear.Ownership(), j.history.Ownership()}} {
		switch part.spec.Check(part.history, decideTime) {
		case checker.Violated:
			j.Violate(part.property, "%s", part.spec.Text(part.history, decideTime))
			return checker.Violated, func(path string) error {
				_, err := part.spec.Draw(part.history, decideTime, path)
				return err
			}
		case checker.Inconclusive:
			worst = checker.Inconclusive
		}
	}
	return worst, nil
}
