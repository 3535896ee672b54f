package store

import (
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	canMap     *can.Map
	keys       []space.Point
	history    *storemodel.Recorder
	clock      int64    // of the history: counts events
	serves     []uint64 // by node: the keys that it serves, one bit each
	certain    bool     // every operation must end with an answer
	successors successors
	failed     bool // a node has failed
}

func newOracle(land *can.Map, nodes int, keys []space.Point) *oracle {
	return &oracle{
		canMap:     land,
		keys:       keys,
		history:    storemodel.NewRecorder(keys...),
		serves:     make([]uint64, nodes),
		successors: newSuccessors(),
	}
}

// call notes that a client is about to start an operation.
func (o *oracle) call(node protocol.NodeID, operation store.Operation) {
	o.clock++
	o.history.Call(o.clock, node, operation)
	o.canMap.Counts()[operation.Kind.String()]++
}

// step is called after each step that changed a node or had events.
func (o *oracle) step(node int, live bool, s *store.State, events []protocol.Event) {
	o.clock++
	o.canMap.Step(node, live, events)
	if property, where := o.canMap.Broken(); property != "" {
		o.Violate(property, "%s", where)
	}
	if len(events) > 0 && events[0].Name == "crash" {
		o.history.Crash(o.clock, events[0].Peer)
		o.failed = true
	} else {
		if o.successors.step(s, events) && !o.failed {
			o.Violate("Certain", "%v has the decisions of all executors of a request, but not its fate", s.ID())
		}
		o.history.Step(o.clock, s.ID(), *s, events)
	}
	o.serves[node] = 0
	if !live {
		return
	}
	o.serves[node] = storemodel.Served(s, o.keys)
	for other, serves := range o.serves {
		if other != node && serves&o.serves[node] != 0 {
			o.Violate("OneServer", "%v serves a key that another node serves", s.ID())
		}
	}
	if storemodel.Strays(s) {
		o.Violate("ItemsInside", "%v holds an item outside its zone", s.ID())
	}
	for _, e := range events {
		if o.certain && (e.Name == store.EventUnknown || e.Name == store.EventRejected) {
			o.Violate("Certain", "operation %d of %v ends as %s", e.Number, s.ID(), e.Name)
		}
	}
}

// decideTime limits the time to decide a history.
const decideTime = 10 * time.Second

// checkHistory checks the whole history. It returns Holds, Violated with a function that draws the
// history, or Inconclusive.
func (o *oracle) checkHistory() (checker.Verdict, func(path string) error) {
	registers := linear.Register()
	if o.history.Crashed() {
		registers = linear.RegisterWithLoss()
	}
	worst := checker.Holds
	for _, part := range []struct {
		property string
		spec     linear.Spec
		history  []linear.Operation
	}{{"Linearizable", registers, o.history.Registers()}, {"OneOwner", linear.Ownership(), o.history.Ownership()}} {
		switch part.spec.Check(part.history, decideTime) {
		case checker.Violated:
			o.Violate(part.property, "%s", part.spec.Text(part.history, decideTime))
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
