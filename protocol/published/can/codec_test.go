package can_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"pgregory.net/rapid"
)

// plane is the configuration of the codec's tests.
func plane(t interface{ Fatal(...any) }) *published.Core {
	sp, err := space.New(0, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	return &published.Core{Config: published.DefaultConfig(sp)}
}

func anyID(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address: protocol.Address(
			rapid.IntRange(0, 30).Draw(t, "address"),
		), Incarnation: rapid.Uint16Range(0, 2).Draw(t, "life"),
	}
}

func anyPoint(t *rapid.T) space.Point {
	return space.Point{rapid.Int32Range(0, 7).Draw(t, "x"), rapid.Int32Range(0, 7).Draw(t, "y")}
}

func anyHalf(t *rapid.T) space.HalfSpace {
	return space.HalfSpace{
		Dim:     rapid.Uint8Range(0, 1).Draw(t, "dim"),
		AtLeast: rapid.Bool().Draw(t, "side"),
		At:      rapid.Int32Range(0, 8).Draw(t, "at"),
	}
}

func anyList[T any](t *rapid.T, item func(*rapid.T) T) []T {
	var items []T
	for range rapid.IntRange(0, 3).Draw(t, "count") {
		items = append(items, item(t))
	}
	return items
}

// anyTable draws a list whose identities increase.
func anyTable[T any](t *rapid.T, item func(*rapid.T) T, id func(T) protocol.NodeID) []T {
	items := anyList(t, item)
	slices.SortFunc(items, func(a, b T) int { return id(a).Compare(id(b)) })
	return slices.CompactFunc(items, func(a, b T) bool { return id(a) == id(b) })
}

func anyRecord(t *rapid.T) published.Record {
	r := published.Record{
		ID: anyID(t), Coord: anyPoint(t), Splits: anyList(t, anyHalf), Instance: rapid.Uint32().Draw(t, "instance"),
	}
	if rapid.Bool().Draw(t, "zone") {
		r.Zone = space.Zone{High: space.Point{1, 1, 1, 1, 1, 1, 1, 1}}
		for k := range 2 {
			r.Zone.Low[k] = rapid.Int32Range(0, 6).Draw(t, "low")
			r.Zone.High[k] = r.Zone.Low[k] + rapid.Int32Range(1, 2).Draw(t, "length")
		}
	}
	return r
}

func anyRecords(t *rapid.T) []published.Record {
	return anyTable(t, anyRecord, func(r published.Record) protocol.NodeID { return r.ID })
}

func anyEntry(t *rapid.T) published.Entry {
	return published.Entry{Record: anyRecord(t), Status: published.Status(rapid.IntRange(0, 1).Draw(t, "status"))}
}

func anyGamma(t *rapid.T) published.Gamma {
	g := published.Gamma{Kind: published.ChangeKind(rapid.IntRange(0, 2).Draw(t, "command"))}
	if g.Kind == published.Split {
		g.Joiner, g.Coord, g.Keep = anyID(t), anyPoint(t), anyHalf(t)
	}
	return g
}

func anyState(t *rapid.T) published.State {
	return published.State{
		Phase: published.Phase(
			rapid.IntRange(0, 3).Draw(t, "phase"),
		), Contact: anyID(t), Leave: rapid.Bool().Draw(t, "leave"),
		Self: anyEntry(t), Gamma: anyGamma(t),
		Replies: anyTable(t, func(t *rapid.T) published.Reply {
			return published.Reply{From: anyID(t), Answer: published.Answer(rapid.IntRange(0, 2).Draw(t, "answer"))}
		}, func(r published.Reply) protocol.NodeID { return r.From }),
		Nodes: anyTable(t, anyEntry, func(e published.Entry) protocol.NodeID { return e.ID }),
		Gone: anyList(t, func(t *rapid.T) published.Tombstone {
			return published.Tombstone{ID: anyID(t), Instance: rapid.Uint32().Draw(t, "instance")}
		}),
	}
}

func anyMessage(t *rapid.T) published.Message {
	number := rapid.Uint32().Draw(t, "number")
	switch rapid.IntRange(0, 6).Draw(t, "type") {
	case 0:
		return published.Join{Joiner: anyID(t), Coord: anyPoint(t), Hops: number}
	case 1:
		return published.Refuse{}
	case 2:
		return published.Handover{Joined: anyRecord(t), Nodes: anyRecords(t)}
	case 3:
		return published.Propose{Instance: number}
	case 4:
		return published.ProposeOK{Yes: rapid.Bool().Draw(t, "yes"), Instance: number}
	case 5:
		return published.Commit{Gamma: anyGamma(t), Instance: number}
	}
	return published.Update{Self: anyRecord(t), Neighbours: anyRecords(t)}
}

func anyCommand(t *rapid.T) published.Command {
	return published.Command{Kind: published.CommandKind(rapid.IntRange(0, 2).Draw(t, "kind")), Contact: anyID(t)}
}

// roundTrip checks that equal values, and only those, have equal bytes and equal texts.
func roundTrip[T any](
	t *testing.T,
	draw func(*rapid.T) T,
	encode func([]byte, T) []byte,
	decode func([]byte) (T, error),
	text func(T) string,
) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t), draw(t)
		bytesA, bytesB := encode(nil, a), encode([]byte("x"), b)[1:]
		back, err := decode(bytesA)
		if err != nil || !reflect.DeepEqual(a, back) {
			t.Fatalf("%v comes back as %v: %v", a, back, err)
		}
		equal := reflect.DeepEqual(a, b)
		if bytes.Equal(bytesA, bytesB) != equal || (text(a) == text(b)) != equal {
			t.Fatalf("bytes or texts do not tell apart %s and %s", text(a), text(b))
		}
		if _, err := decode(append(bytesA, 0)); !errors.Is(err, protocol.ErrEncoding) {
			t.Fatalf("a byte too many: %v", err)
		}
		if _, err := decode(bytesA[:len(bytesA)-1]); !errors.Is(err, protocol.ErrEncoding) {
			t.Fatalf("a byte too few: %v", err)
		}
	})
}

func TestStateRoundTrip(t *testing.T) {
	c := plane(t)
	roundTrip(t, anyState, c.AppendState, c.DecodeState, c.StateText)
}

func TestMessageRoundTrip(t *testing.T) {
	c := plane(t)
	roundTrip(t, anyMessage, c.AppendMessage, c.DecodeMessage, c.MessageText)
}

func TestOrderRoundTrip(t *testing.T) {
	c := plane(t)
	roundTrip(t, anyCommand, c.AppendCommand, c.DecodeCommand, c.CommandText)
}

// TestStepIsPure feeds nodes in any state with anything at all.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := plane(t)
		readings := published.EveryReading()
		c.Config.Readings = readings[rapid.IntRange(0, len(readings)-1).Draw(t, "reading")]
		c.Config.InstanceNumbers = rapid.Bool().Draw(t, "numbers")
		s := anyState(t)
		in := published.Input{
			Kind: protocol.InputKind(rapid.IntRange(1, 7).Draw(t, "kind")), From: anyID(t), Message: anyMessage(t),
			Timer:   protocol.Timer{Kind: protocol.TimerKind(rapid.IntRange(0, 6).Draw(t, "timer")), Peer: anyID(t)},
			Command: anyCommand(t), Persisted: rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "persisted"),
		}
		if timers := s.Timers(); len(timers) > 0 && rapid.Bool().Draw(t, "pending") {
			in.Timer = timers[rapid.IntRange(0, len(timers)-1).Draw(t, "which")]
		}
		state, message := c.AppendState(nil, s), c.AppendMessage(nil, in.Message)
		after, out := c.Step(s, in)
		again, outAgain := c.Step(s, in)
		if !reflect.DeepEqual(after, again) || !reflect.DeepEqual(out, outAgain) {
			t.Fatal("two equal steps differ")
		}
		if !bytes.Equal(state, c.AppendState(nil, s)) || !bytes.Equal(message, c.AppendMessage(nil, in.Message)) {
			t.Fatal("the step changed what it was given")
		}
		encoded := c.AppendState(nil, after)
		if decoded, err := c.DecodeState(encoded); err != nil || !bytes.Equal(encoded, c.AppendState(nil, decoded)) {
			t.Fatalf("%s does not survive its encoding: %v", c.StateText(after), err)
		}
	})
}

// fuzz demands that accepted bytes equal the encoding of the result.
func fuzz[T any](f *testing.F, encode func([]byte, T) []byte, decode func([]byte) (T, error)) {
	f.Fuzz(func(t *testing.T, src []byte) {
		kept := slices.Clone(src)
		v, err := decode(src)
		switch {
		case !bytes.Equal(src, kept):
			t.Fatal("the decoder changed its input")
		case err != nil && !errors.Is(err, protocol.ErrEncoding):
			t.Fatalf("an error of another kind: %v", err)
		case err == nil && !bytes.Equal(encode(nil, v), src):
			t.Fatalf("%v has two encodings", v)
		}
	})
}

func FuzzDecodeState(f *testing.F) {
	c := plane(f)
	for _, s := range published.Founders(&c.Config, []space.Point{{1, 1}, {6, 1}, {6, 6}}, []protocol.Address{0, 1, 2}) {
		f.Add(c.AppendState(nil, s))
	}
	fuzz(f, c.AppendState, c.DecodeState)
}

func FuzzDecodeMessage(f *testing.F) {
	c := plane(f)
	s := published.Founders(&c.Config, []space.Point{{1, 1}, {6, 1}}, []protocol.Address{0, 1})[0]
	for _, m := range []published.Message{
		published.Join{Joiner: s.ID(), Coord: s.Coord(), Hops: 300}, published.Refuse{},
		published.Handover{Joined: s.Self.Record, Nodes: s.Known()}, published.Propose{Instance: 2},
		published.ProposeOK{Yes: true, Instance: 2}, published.Update{Self: s.Self.Record, Neighbours: s.Known()},
		published.Commit{
			Gamma: published.Gamma{Kind: published.Split, Joiner: s.ID(), Keep: space.HalfSpace{At: 3}}, Instance: 2,
		},
	} {
		f.Add(c.AppendMessage(nil, m))
	}
	fuzz(f, c.AppendMessage, c.DecodeMessage)
}

func FuzzDecodeCommand(f *testing.F) {
	c := plane(f)
	join := published.Command{Kind: published.CommandJoin, Contact: protocol.NodeID{Address: 1, Incarnation: 1}}
	f.Add(c.AppendCommand(nil, join))
	fuzz(f, c.AppendCommand, c.DecodeCommand)
}
