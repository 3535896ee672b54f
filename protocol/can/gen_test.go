package can_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// generator draws values of the package that its decoders accept. They need not make sense
// together: a peer may send anything.
type generator struct {
	*rapid.T
	cfg *can.Config
	ids *rapid.Generator[protocol.NodeID]
}

// configs draws a configuration over a space of lo to hi dimensions.
func configs(t *rapid.T, lo, hi int, size int32) *can.Config {
	sizes := rapid.SliceOfN(rapid.Int32Range(1, size), lo, hi).Draw(t, "sizes")
	s, err := space.New(rapid.IntRange(0, min(2, len(sizes))).Draw(t, "virtual"), sizes...)
	if err != nil {
		t.Fatal(err)
	}
	cfg := can.DefaultConfig(s)
	return &cfg
}

// strangers are any identities at all.
var strangers = rapid.Custom(func(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.Uint16().Draw(t, "address")),
		Incarnation: rapid.Uint16().Draw(t, "life"),
	}
})

func (g generator) id() protocol.NodeID { return g.ids.Draw(g.T, "id") }

func (g generator) number() uint32 {
	return rapid.OneOf(rapid.Uint32Max(5), rapid.Uint32()).Draw(g.T, "number")
}

func (g generator) flag() bool { return rapid.Bool().Draw(g.T, "flag") }

func (g generator) change() can.ChangeKind {
	return can.ChangeKind(rapid.Uint8Max(uint8(can.Takeover)).Draw(g.T, "change"))
}

func (g generator) coordinate(k int) int32 {
	return rapid.OneOf(rapid.Int32Range(0, g.cfg.Space.Size[k]-1), rapid.Int32Range(0, space.MaxCoordinate)).
		Draw(g.T, "coordinate")
}

func (g generator) point() (p space.Point) {
	for k := range g.cfg.Space.Dims {
		p[k] = g.coordinate(k)
	}
	return p
}

// zone draws a zone, perhaps empty, perhaps reaching out of the space.
func (g generator) zone() space.Zone {
	a, b := g.point(), g.point()
	if g.flag() {
		return space.Zone{}
	}
	z := g.cfg.Space.Whole()
	for k := range g.cfg.Space.Dims {
		z.Low[k] = min(a[k], b[k], space.MaxCoordinate-1)
		z.High[k] = max(a[k], b[k], z.Low[k]+1)
	}
	return z
}

func (g generator) splits() []space.HalfSpace {
	one := rapid.Custom(func(t *rapid.T) space.HalfSpace {
		k := rapid.IntRange(0, g.cfg.Space.Dims-1).Draw(t, "dim")
		return space.HalfSpace{
			Dim:     uint8(k),
			AtLeast: rapid.Bool().Draw(t, "side"),
			At:      generator{t, g.cfg, g.ids}.coordinate(k),
		}
	})
	return drawn(rapid.SliceOfN(one, 0, 4).Draw(g.T, "splits"))
}

// drawn turns a list without items into nil, as decoders do.
func drawn[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func (g generator) record() can.Record {
	return can.Record{ID: g.id(), Coord: g.point(), Zone: g.zone(), Splits: g.splits(), Version: g.number()}
}

// records draws a list of records in the order of their identities.
func (g generator) records() []can.Record {
	var list []can.Record
	for range rapid.IntRange(0, 4).Draw(g.T, "records") {
		list = append(list, g.record())
	}
	byID := func(a, b can.Record) int { return a.ID.Compare(b.ID) }
	slices.SortFunc(list, byID)
	return drawn(slices.CompactFunc(list, func(a, b can.Record) bool { return a.ID == b.ID }))
}

func (g generator) idList() []protocol.NodeID {
	return drawn(rapid.SliceOfN(g.ids, 0, 4).Draw(g.T, "ids"))
}

func (g generator) commit() can.Commit {
	return can.Commit{Round: g.number(), Kind: g.change(), Changed: g.records(), Gone: g.id(), View: g.records()}
}

// message draws a message of any type.
func (g generator) message() can.Message {
	switch rapid.IntRange(0, 9).Draw(g.T, "type") {
	case 0:
		return can.Join{Joiner: g.id(), Coord: g.point(), Hops: g.number()}
	case 1:
		return can.Refuse{Occupied: g.flag()}
	case 2:
		return can.Propose{Round: g.number(), Kind: g.change(), Subject: g.id(), Version: g.number()}
	case 3:
		// A text shows the record only if it has an identity.
		m := can.ProposeOK{Round: g.number(), Yes: g.flag(), Epoch: g.number(), Self: g.record()}
		if m.Self.ID.IsNobody() {
			m.Self = can.Record{}
		}
		return m
	case 4:
		return can.Release{Round: g.number()}
	case 5:
		return g.commit()
	case 6:
		return can.CommitOK{Round: g.number(), Neighbours: g.records()}
	case 7:
		return can.Update{Self: g.record(), Neighbours: g.records(), Dead: g.idList()}
	case 8:
		return can.Query{Proposer: g.id(), Round: g.number()}
	}
	return can.Answer{Proposer: g.id(), Round: g.number(), Records: g.records()}
}

// state draws a state in which parts that mean nothing are zero, as in all states that Step
// returns.
func (g generator) state() can.State {
	s := can.State{
		Phase: can.Phase(
			rapid.Uint8Max(uint8(can.Departed)).Draw(g.T, "phase"),
		), Self: g.record(), Contact: g.id(), Leave: g.flag(),
		Round: g.number(), Known: g.records(), Dead: g.idList(),
	}
	if p := g.id(); !p.IsNobody() && g.flag() {
		s.Promise = can.Promise{Proposer: p, Round: g.number(), Kind: g.change(), Subject: g.id(), Orphan: g.flag()}
	}
	if g.flag() {
		s.Change = can.Change{
			Stage:   can.Stage(rapid.Uint8Range(uint8(can.Proposing), uint8(can.Committing)).Draw(g.T, "stage")),
			Subject: g.id(), Waiting: g.idList(), Later: g.idList(), Commit: g.commit(),
		}
	}
	return s
}

func (g generator) command() can.Command {
	kind := can.CommandKind(rapid.Uint8Max(uint8(can.CommandLeave)).Draw(g.T, "command"))
	return can.Command{Kind: kind, Contact: g.id()}
}

func (g generator) timer() protocol.Timer {
	return protocol.Timer{
		Kind: protocol.TimerKind(rapid.Uint8Max(uint8(can.MissedTimer)+1).Draw(g.T, "timer")),
		Peer: g.id(),
	}
}

// input draws any input at all.
func (g generator) input() can.Input {
	in := can.Input{Kind: protocol.InputKind(rapid.Uint8Max(uint8(protocol.Restart)+1).Draw(g.T, "kind"))}
	switch in.Kind {
	case protocol.Deliver:
		in.From, in.Message = g.id(), g.message()
	case protocol.Timeout:
		in.Timer = g.timer()
	case protocol.Command:
		in.Command = g.command()
	case protocol.Measured:
		in.From, in.Measure = g.id(), g.number()
	case protocol.Chosen:
		in.Choice = g.number()
	case protocol.Restart:
		in.Persisted = rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(g.T, "persisted")
	}
	return in
}

// newGenerator draws from a large space and many nodes, or from so few that two parts of a text may
// look alike.
func newGenerator(t *rapid.T) generator {
	if rapid.Bool().Draw(t, "few") {
		few := rapid.Custom(func(t *rapid.T) protocol.NodeID {
			return protocol.NodeID{
				Address:     protocol.Address(rapid.IntRange(0, 2).Draw(t, "a")),
				Incarnation: uint16(rapid.IntRange(0, 2).Draw(t, "i")),
			}
		})
		return generator{t, configs(t, 1, 2, 3), few}
	}
	return generator{
		t,
		configs(t, 1, space.MaxDimensions, space.MaxCoordinate),
		rapid.OneOf(strangers, rapid.Just(protocol.NodeID{})),
	}
}
