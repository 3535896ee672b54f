package can

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// scenario is a layout and what happens in it.
type scenario struct {
	layout   layout
	name     string
	doc      string
	joiners  []joiner
	leavers  string // names of founders that leave
	rejoin   string // names of founders that join again if they come back after a crash
	budget   model.Budget
	crashers string // names of those that may crash; all if empty
	conflict bool   // rounds get into each other's way
	clash    bool   // a drawn coordinate may be taken
	lively   bool   // check liveness too: everybody gets what it asked for
	deep     bool
	expect   []model.Expectation
}

// joiner is a node from outside: where its coordinate lies and whom it asks.
type joiner struct {
	coord   space.Point
	contact string
}

func (s *scenario) places() int { return len(s.layout.nodes) + len(s.joiners) }

// id returns the first incarnation of the node of that name.
func id(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

// system builds the closed system of the corrected core.
func (s *scenario) system() *model.System[can.State, can.Message, can.Order] {
	sp, err := space.New(s.layout.virtual, s.layout.sizes...)
	if err != nil {
		panic(err)
	}
	cfg := can.DefaultConfig(sp)
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	j := judge[can.State, can.Message]{sp}
	crashers := s.crashers
	may := func(id protocol.NodeID) bool { return crashers == "" || strings.Contains(crashers, id.String()) }
	sys := &model.System[can.State, can.Message, can.Order]{
		Info:      s.info("can/" + s.layout.name + "/" + s.name),
		Core:      &can.Core{Config: cfg},
		Identity:  func(s can.State) protocol.NodeID { return s.Self.ID },
		Stopped:   func(s can.State) bool { return s.Phase == can.Departed },
		Crashable: func(s can.State) bool { return s.Phase != can.Outside && may(s.Self.ID) },
		Due:       dueCan,
		Monitor:   monitor[can.State]{ViewOf},
		View:      func(s can.State) any { return ViewOf(s) },
		Settled:   j.nobodyBusy,
	}
	for i := range s.places() {
		sys.Nodes = append(sys.Nodes, s.node(i))
	}
	for i := range s.layout.nodes {
		order := can.Order{Kind: can.OrderJoin, Contact: id("A")}
		if i == 0 {
			order = can.Order{Kind: can.OrderCreate}
		}
		sys.Prelude = append(sys.Prelude, model.Order[can.Order]{Node: i, Order: order})
	}
	sys.Properties = append(j.properties(), j.witnesses(s)...)
	if s.lively {
		sys.Properties = append(sys.Properties, j.liveness()...)
	}
	return sys
}

func (s *scenario) node(i int) model.Node[can.State, can.Order] {
	name := string(rune('A' + i))
	founders := len(s.layout.nodes)
	n := model.Node[can.State, can.Order]{Name: name}
	var first, second []can.Order
	if i >= founders {
		j := s.joiners[i-founders]
		n.State = can.New(protocol.Address(i), j.coord)
		first = append(first, can.Order{Kind: can.OrderJoin, Contact: id(j.contact)})
	} else {
		n.State = can.New(protocol.Address(i), s.layout.nodes[i])
	}
	if strings.Contains(s.leavers, name) {
		first = append(first, can.Order{Kind: can.OrderLeave})
	}
	if strings.Contains(s.rejoin, name) {
		contact := "A"
		if name == "A" {
			contact = "B"
		}
		second = append(second, can.Order{Kind: can.OrderJoin, Contact: id(contact)})
	}
	n.Orders = [][]can.Order{first, second}
	return n
}

func (s *scenario) info(name string) model.Info {
	return model.Info{
		Name: name, Doc: s.doc, Nodes: s.places(), Budget: s.budget, Expected: s.expect, Deep: s.deep,
		Bounds: fmt.Sprintf("%d zones, %d joins, %d leaves", len(s.layout.nodes), len(s.joiners), len(s.leavers)),
	}
}

// witnesses are the things that must happen in some run, or the model shows nothing.
func (j judge[S, M]) witnesses(s *scenario) []model.Property[S, M] {
	founders := len(s.layout.nodes)
	var all []model.Property[S, M]
	sometimes := func(wanted bool, name, doc string, holds func(i int, v *View) bool) {
		if !wanted {
			return
		}
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.Sometimes},
			Holds: func(w *world[S, M]) bool {
				for i, v := range views(w) {
					if holds(i, v) {
						return true
					}
				}
				return false
			},
		})
	}
	sometimes(len(s.joiners) > 0, "Joins", "a node from outside becomes a member", func(i int, v *View) bool { return i >= founders && v.Member })
	sometimes(s.conflict, "Cancels", "a round is cancelled", func(_ int, v *View) bool { return v.Cancelled })
	sometimes(s.budget.Crash > 0, "TakesOver", "a failed node's zone is taken over", func(_ int, v *View) bool { return v.TakingOver })
	sometimes(s.rejoin != "", "Rejoins", "a node that crashed becomes a member again", func(i int, v *View) bool { return v.Member && v.Self.ID.Incarnation > 1 })
	if len(s.leavers) > 0 {
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: "Leaves", Doc: "a member leaves", Shape: checker.Sometimes},
			Holds:    func(w *world[S, M]) bool { return past(w).left != 0 },
		})
	}
	return all
}

// liveness is what holds when requests stop and faults end, since the drawn delays keep retries apart.
func (j judge[S, M]) liveness() []model.Property[S, M] {
	some := func(pending func(*View) bool) func(*world[S, M]) bool {
		return func(w *world[S, M]) bool {
			for _, v := range views(w) {
				if pending(v) {
					return true
				}
			}
			return false
		}
	}
	open := some(func(v *View) bool { return v.Busy })
	wish := some(func(v *View) bool { return v.Joining || v.WantsLeave })
	leadsTo := func(name, doc string, from func(*world[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.LeadsTo},
			Triggers: from, Holds: func(w *world[S, M]) bool { return !from(w) },
		}
	}
	return []model.Property[S, M]{
		leadsTo("Answered", "every round ends: committed, or its requester told to retry", open),
		leadsTo("Granted", "with retries every join and leave is committed", wish),
	}
}
