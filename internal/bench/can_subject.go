package main

import (
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// candidate is a protocol that is measured. Both name their timers and events alike.
type candidate[S, M, C any] struct {
	core     protocol.Core[S, M, C]
	made     func(a protocol.Address, at space.Point) S // the state of a process before its first life
	members  []member[S]
	identity func(*S) protocol.NodeID
	view     func(S) *canmodel.View
	join     func(contact protocol.NodeID) C
	leave    C
}

// member is a member from the beginning.
type member[S any] struct {
	state     S
	timers    []protocol.SetTimer
	persisted []byte
}

func corrected(l *layout) candidate[can.State, can.Message, can.Command] {
	cfg := can.DefaultConfig(l.space)
	c := candidate[can.State, can.Message, can.Command]{
		core: &can.Core{Config: cfg}, made: can.New,
		identity: func(s *can.State) protocol.NodeID { return s.Self.ID },
		view:     canmodel.ViewOf,
		join: func(contact protocol.NodeID) can.Command {
			return can.Command{Kind: can.CommandJoin, Contact: contact}
		},
		leave: can.Command{Kind: can.CommandLeave},
	}
	for _, f := range founders.New(&cfg, len(l.coords), func(i int) space.Point { return l.coords[i] }) {
		c.members = append(c.members, member[can.State]{f.State, f.Timers, f.Persisted})
	}
	return c
}

func transcribed(l *layout) candidate[published.State, published.Message, published.Command] {
	cfg := published.DefaultConfig(l.space)
	c := candidate[published.State, published.Message, published.Command]{
		core: &published.Core{Config: cfg}, made: published.New,
		identity: func(s *published.State) protocol.NodeID { return s.ID() },
		view:     canmodel.PublishedViewOf,
		join: func(contact protocol.NodeID) published.Command {
			return published.Command{Kind: published.CommandJoin, Contact: contact}
		},
		leave: published.Command{Kind: published.CommandLeave},
	}
	addresses := make([]protocol.Address, len(l.coords))
	for i := range addresses {
		addresses[i] = protocol.Address(i)
	}
	for i, s := range published.Founders(&cfg, l.coords, addresses) {
		_, out := published.Step(&cfg, published.New(addresses[i], l.coords[i]), published.Input{Kind: protocol.Start})
		c.members = append(c.members, member[published.State]{s, firstTimers(&cfg, s.Timers()), out.Persist})
	}
	return c
}

// firstTimers are the timers of a member whose first update comes at any time within the period.
func firstTimers(cfg *published.Config, pending []protocol.Timer) []protocol.SetTimer {
	var set []protocol.SetTimer
	for _, t := range pending {
		missed := cfg.UpdateTicks * cfg.MissedUpdates
		s := protocol.SetTimer{Timer: t, MinTicks: missed, MaxTicks: missed}
		if t.Kind == published.UpdateTimer {
			s.MinTicks, s.MaxTicks = 1, cfg.UpdateTicks
		}
		set = append(set, s)
	}
	return set
}
