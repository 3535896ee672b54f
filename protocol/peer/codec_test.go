package peer_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func drawID(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.Uint32().Draw(t, "address")),
		Incarnation: rapid.Uint16().Draw(t, "incarnation"),
	}
}

func drawIDs(t *rapid.T) []protocol.NodeID {
	ids := rapid.SliceOfN(rapid.Custom(drawID), 0, 3).Draw(t, "ids")
	return append([]protocol.NodeID(nil), ids...) // an empty list is nil
}

func drawName(t *rapid.T) reptask.Job {
	return reptask.Job{
		Submitted: rapid.Uint64().Draw(t, "submitted"), Owner: drawID(t), Number: rapid.Uint32().Draw(t, "job"),
	}
}

func drawSpec(t *rapid.T) reptask.Spec {
	return reptask.Spec{
		Size: rapid.Uint32Range(1, 4).Draw(t, "size"), Over: reptask.Over(rapid.Uint32Range(0, 1).Draw(t, "over") * 1_500),
		Requirement: space.Point{rapid.Int32Range(0, 15).Draw(t, "requirement")},
	}
}

// drawSearch draws a search on its way, or none.
func drawSearch(t *rapid.T) (s match.Search) {
	first := rapid.Uint32().Draw(t, "first node")
	for i := range rapid.IntRange(0, 4).Draw(t, "visits") {
		id := protocol.NodeID{Address: protocol.Address(first + uint32(i)), Incarnation: rapid.Uint16().Draw(t, "life")}
		s.Steps = append(s.Steps, match.Step{Node: id, Left: i > 0 && rapid.Bool().Draw(t, "left")})
	}
	s.Unsure = s.On() && rapid.Bool().Draw(t, "unsure")
	return s
}

func drawMessage(t *rapid.T) peer.Message {
	switch rapid.IntRange(0, 6).Draw(t, "type") {
	case 0:
		return peer.CanMessage{Of: can.Query{}}
	case 1:
		return peer.RefineMessage{Of: refine.Dismiss{}}
	case 2:
		return peer.TaskMessage{Of: reptask.Message{Kind: reptask.Finish, Attempt: reptask.Attempt{Job: drawName(t)}}}
	case 3:
		return peer.Job{
			Entry: drawID(t), Ticket: rapid.Uint32().Draw(t, "ticket"), Orphan: drawName(t),
			Submitted: rapid.Uint64().Draw(t, "submitted"), Spec: drawSpec(t), Hops: rapid.Uint32().Draw(t, "hops"),
			Adopt: rapid.Bool().Draw(t, "adopt"), Search: drawSearch(t),
		}
	case 5:
		return peer.TreeMessage{Of: dtm.Claim{Former: drawID(t), At: rapid.Int64Range(0, 1<<40).Draw(t, "at")}}
	case 4:
		return peer.Owned{Ticket: rapid.Uint32().Draw(t, "ticket"), Number: rapid.Uint32().Draw(t, "number")}
	}
	if rapid.Bool().Draw(t, "unmatched") {
		why := peer.Why(rapid.IntRange(0, int(peer.Undecided)).Draw(t, "why"))
		return peer.Unmatched{Ticket: rapid.Uint32().Draw(t, "ticket"), Why: why}
	}
	return peer.Heir{Orphan: drawName(t), Candidates: drawIDs(t)}
}

func drawCommand(t *rapid.T) peer.Command {
	c := peer.Command{
		Kind:    peer.CommandKind(rapid.IntRange(0, int(peer.CommandUncordon)).Draw(t, "kind")),
		Contact: drawID(t), Near: drawIDs(t), Ticket: rapid.Uint32().Draw(t, "ticket"),
	}
	switch c.Kind {
	case peer.CommandSubmit:
		c.Submitted, c.Spec = rapid.Uint64().Draw(t, "submitted"), drawSpec(t)
	case peer.CommandMove:
		c.Job, c.Target = drawName(t), drawID(t)
		c.By = reptask.Algorithm(rapid.IntRange(0, int(reptask.ByQB)).Draw(t, "by"))
	case peer.CommandOwn:
		c.Submitted, c.Spec, c.Candidates = rapid.Uint64().Draw(t, "submitted"), drawSpec(t), drawIDs(t)
	case peer.CommandQueues:
		for range rapid.IntRange(0, 3).Draw(t, "queues") {
			c.Queues = append(c.Queues, reptask.Queue{Node: drawID(t), Length: rapid.Uint32().Draw(t, "length")})
		}
	}
	return c
}

// drawState draws a node after a few steps: states of the layers have generators of their own.
func drawState(t *rapid.T) peer.State {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		s, _ = c.Step(s, peer.Input{Kind: protocol.Command, Command: drawCommand(t)})
	}
	s.Leaving = rapid.Bool().Draw(t, "leaving")
	for range rapid.IntRange(0, 3).Draw(t, "clients") {
		number := uint32(0)
		if n := len(s.Clients); n > 0 {
			number = s.Clients[n-1].Number + rapid.Uint32Range(1, 4).Draw(t, "more")
		}
		s.Clients = append(s.Clients, peer.Client{
			Number: number, Entry: drawID(t), Ticket: rapid.Uint32().Draw(t, "ticket"), Search: drawSearch(t),
		})
	}
	return s
}

// examples is the number of values, the same in every run, in which every field must have been set.
const examples = 200

// requireRoundTrip demands that values are equal to what their encodings decode to. Every field of
// some types must have been different from zero in an example, or the test would not notice that it
// is lost.
func requireRoundTrip[T any](
	t *testing.T, draw func(*rapid.T) T, encode func([]byte, T) []byte, decode func([]byte) (T, error), fields ...any,
) {
	check := func(t require.TestingT, value T) {
		got, err := decode(encode(nil, value))
		require.NoError(t, err)
		require.Equal(t, value, got)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, draw(t)) })
	set := map[string]bool{}
	for seed := range examples {
		value := rapid.Custom(draw).Example(seed)
		check(t, value)
		v := reflect.ValueOf(value)
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			set[name] = set[name] || !v.Field(i).IsZero()
		}
	}
	for _, f := range fields {
		for i := range reflect.TypeOf(f).NumField() {
			name := reflect.TypeOf(f).Name() + "." + reflect.TypeOf(f).Field(i).Name
			assert.True(t, set[name], "%s is 0 in all values", name)
		}
	}
}

func TestEveryFieldOfAMessageIsEncoded(t *testing.T) {
	c := fuzzCore()
	requireRoundTrip(t, drawMessage, c.AppendMessage, c.DecodeMessage, peer.Job{}, peer.Owned{}, peer.Heir{},
		peer.Unmatched{})
}

func TestEveryFieldOfACommandIsEncoded(t *testing.T) {
	c := fuzzCore()
	requireRoundTrip(t, drawCommand, c.AppendCommand, c.DecodeCommand, peer.Command{})
}

func TestEveryFieldOfAStateIsEncoded(t *testing.T) {
	c := fuzzCore()
	requireRoundTrip(t, drawState, c.AppendState, c.DecodeState, peer.State{})
}

// requireCanonical damages encodings, one byte at a time. Whatever a decoder still accepts must be
// the encoding of what it made of it.
func requireCanonical[T any](
	t *testing.T, draw func(*rapid.T) T, encode func([]byte, T) []byte, decode func([]byte) (T, error),
) {
	accepted, refused := 0, 0
	for seed := range examples {
		right := encode(nil, rapid.Custom(draw).Example(seed))
		for i := range right {
			for _, b := range []byte{0, 1, 2, 5, right[i] ^ 1, right[i] + 1, 0x7f, 0x80, 0xff} {
				damaged := slices.Clone(right)
				damaged[i] = b
				v, err := decode(damaged)
				if err != nil {
					require.ErrorIs(t, err, protocol.ErrEncoding)
					refused++
					continue
				}
				accepted++
				require.Equal(t, damaged, encode(nil, v))
			}
		}
	}
	require.NotZero(t, accepted)
	require.NotZero(t, refused)
}

func TestDamagedEncodings(t *testing.T) {
	c := fuzzCore()
	requireCanonical(t, drawMessage, c.AppendMessage, c.DecodeMessage)
	requireCanonical(t, drawCommand, c.AppendCommand, c.DecodeCommand)
	requireCanonical(t, drawState, c.AppendState, c.DecodeState)
}

// The part of a message or a command that describes a job is a command to submit it without
// candidates, and nothing else.
func TestAJobIsASubmitWithoutCandidates(t *testing.T) {
	c := fuzzCore()
	submit := reptask.Command{Kind: reptask.CommandSubmit, Submitted: 7, Spec: reptask.Spec{Size: 1}}
	part := func(inner reptask.Command) []byte {
		b := reptask.AppendCommand(&c.Config.Tasks, nil, inner)
		return append(protocol.AppendUint(nil, uint64(len(b))), b...)
	}
	listed, cancel := submit, submit
	listed.Candidates = []protocol.NodeID{{Address: 1, Incarnation: 1}}
	cancel.Kind = reptask.CommandCancel
	message := c.AppendMessage(nil, peer.Job{Ticket: 1, Submitted: 7, Spec: submit.Spec})
	command := c.AppendCommand(nil, peer.Command{Kind: peer.CommandSubmit, Submitted: 7, Spec: submit.Spec})
	for _, right := range [][]byte{message, command} {
		head, found := bytes.CutSuffix(right, part(submit))
		require.True(t, found)
		for _, wrong := range []reptask.Command{listed, cancel} {
			damaged := slices.Concat(head, part(wrong))
			_, err := c.DecodeMessage(damaged)
			if bytes.Equal(right, command) {
				_, err = c.DecodeCommand(damaged)
			}
			require.ErrorIs(t, err, protocol.ErrEncoding)
		}
	}
}

// The jobs of clients have one order, so that equal states have equal encodings.
func TestJobsOfClientsAreInOrder(t *testing.T) {
	c := fuzzCore()
	for _, numbers := range [][]uint32{{1, 1}, {2, 1}, {1, 3, 2}} {
		var s peer.State
		for _, number := range numbers {
			s.Clients = append(s.Clients, peer.Client{Number: number})
		}
		_, err := c.DecodeState(c.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err := c.DecodeState(c.AppendState(nil, peer.State{Clients: []peer.Client{{Number: 1}, {Number: 3}}}))
	require.NoError(t, err)
}

// The clients of a state are in the order of their numbers, each once.
func TestClientsAreSorted(t *testing.T) {
	c := fuzzCore()
	for _, test := range []struct {
		numbers []uint32
		fine    bool
	}{{[]uint32{1, 2, 5}, true}, {[]uint32{2, 2}, false}, {[]uint32{3, 2}, false}, {[]uint32{1, 3, 2}, false}} {
		s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
		for _, number := range test.numbers {
			s.Clients = append(s.Clients, peer.Client{Number: number})
		}
		_, err := c.DecodeState(c.AppendState(nil, s))
		require.Equal(t, test.fine, err == nil, "%v", test.numbers)
	}
}
