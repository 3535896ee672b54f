package store

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/traces"
)

// run is the run of a plan.
type run struct {
	*sim.Run[store.State, store.Message, store.Command]
	cfg         store.Config
	coords      []space.Point
	oracle      *oracle
	ownerFaults sim.TargetedFaults // triggered by opBereave
}

const (
	second      = 1_000_000
	tickMicros  = 10_000     // the unit of store.DefaultConfig
	pollMicros  = second     // interval between checks for quiescence
	redirection = 3 * second // interval at which applications check that their contact is still there
	apart       = 1          // minimal distance in steps between failures, as in package sim/can
	stay        = 2          // members that remain after each failure
)

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Founders < 1 {
		return nil, fmt.Errorf("%w: no founders; at least one is needed", sim.ErrPlan)
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	s, coords, err := can.DrawSpace(p.Shape, p.Nodes, 4)
	if err != nil {
		return nil, err
	}
	r := &run{cfg: store.DefaultConfig(cancore.DefaultConfig(s)), coords: coords}
	land := can.NewMap(
		&r.cfg.CAN,
		p.Nodes,
		can.Guard{Apart: apart, Stay: stay},
		func(node int) *cancore.State { return &r.State(node).CAN },
	)
	r.oracle = newOracle(land, p.Nodes, r.drawKeys(p.Shape))
	r.oracle.certain = !slices.ContainsFunc(p.Ops, func(op sim.Op) bool {
		return slices.Contains([]string{opLeave, opQuit, opCrash, opBereave}, op.Do)
	})
	config := sim.Config[store.State, store.Message, store.Command]{
		Core: &store.Core{Config: r.cfg}, TickMicros: tickMicros, Network: sim.Network{Latency: latency},
		Identity:  func(s *store.State) protocol.NodeID { return s.ID() },
		Stopped:   func(s *store.State) bool { return s.Finished() },
		Unchanged: isUnchanged,
		Due:       r.isDue,
		OnStep: func(node int, events []protocol.Event) {
			r.oracle.step(node, r.Live(node), r.State(node), events)
			r.failOwner(node, events)
		},
	}
	for i, coord := range coords {
		config.Nodes = append(config.Nodes, store.New(protocol.Address(i), coord))
	}
	r.Run = sim.NewRun(p, o, config, r)
	r.placeFounders()
	r.Begin()
	return r, r.schedule()
}

// drawKeys draws the keys that may be in use: half of them are coordinates of nodes, where zones
// meet.
func (r *run) drawKeys(shape uint64) []space.Point {
	c := sim.NewChance(shape, 2)
	var keys []space.Point
	for len(keys) < maxKeys {
		key := can.DrawPoint(r.cfg.CAN.Space, c)
		if c.Of(1, 2) {
			key = r.coords[c.Below(uint64(len(r.coords)))]
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// placeFounders places the founders.
func (r *run) placeFounders() {
	for i, f := range founders.New(&r.cfg.CAN, r.Plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		r.Place(i, store.State{CAN: f.State}, f.Timers, f.Persisted)
		r.oracle.canMap.Place(i)
		r.oracle.step(i, true, r.State(i), nil)
	}
}

// isDue reports whether a timer may fire. It makes the failure detector accurate: it never suspects
// a live node. A driver gets that with leases.
func (r *run) isDue(_ int, t protocol.Timer) bool {
	return t.Kind != cancore.MissedTimer && t.Kind != store.GoneTimer || !r.Running(t.Peer)
}

// Broken implements [sim.Oracle].
func (r *run) Broken() (property, where string) { return r.oracle.Broken() }

// Violate implements [sim.Oracle].
func (r *run) Violate(property, format string, args ...any) {
	r.oracle.Violate(property, format, args...)
}

// Sketch implements [sim.Sketcher].
func (r *run) Sketch(p *traces.Picture) { r.oracle.canMap.Sketch(p) }

// Quiescent implements [sim.Oracle].
func (r *run) Quiescent() (property, where string) {
	if property, where = r.oracle.canMap.Busy(); property == "" {
		property, where = r.pending()
	}
	if property == "" {
		property, where = r.oracle.canMap.Whole()
	}
	return property, where
}

// finish runs the plan to its end, and checks the history.
func (r *run) finish() (*sim.Result, error) {
	ending := sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: pollMicros, OnPoll: r.redirect}
	result, err := r.Finish(ending, r.oracle.canMap.Counts)
	if err != nil || result.Verdict == sim.Violated {
		return result, err
	}
	decided, page := r.oracle.checkHistory()
	result.Page = page
	if property, where := r.Broken(); property != "" {
		r.NoteHistory()
		result.Verdict, result.Property, result.Where = sim.Violated, property, where
	} else if decided == checker.Inconclusive {
		result.Verdict, result.Where = sim.Inconclusive, "the history was not decided in time"
	}
	return result, nil
}

// pending returns a node with an operation or a handover that has not ended, if there is one.
func (r *run) pending() (property, where string) {
	for i := range r.Len() {
		if s := r.State(i); r.Live(i) && !storemodel.Ended(s) {
			return "Ended", s.ID().String() + " has a pending operation or handover"
		}
	}
	return "", ""
}

// isUnchanged reports whether two states are equal. It may report false for equal states.
func isUnchanged(a, b *store.State) bool {
	idle := len(a.Pending)+len(b.Pending)+len(a.Gifts)+len(b.Gifts)+len(a.Awaits)+len(b.Awaits) == 0
	return idle && can.Unchanged(&a.CAN, &b.CAN) && slices.Equal(a.Items, b.Items) && slices.Equal(a.Decided, b.Decided) &&
		slices.Equal(a.Left, b.Left)
}
