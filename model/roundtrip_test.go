package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// pupil is a node that notes what it receives. Its other fields are for codecs to forget.
type pupil struct {
	Self  protocol.NodeID
	Notes []uint8
	Who   protocol.NodeID // the first sender
	Blank bool            // answers depend on whether Notes is empty or missing
}

// lesson is the message of the pupils, and the command to send one.
type lesson struct{ Number, Page uint8 }

// clumsy is a core whose functions a test replaces.
type clumsy struct {
	protocol.Core[pupil, lesson, lesson]
	state   func(pupil) pupil // the value to encode instead of a state
	message func(lesson) lesson
	command func(lesson) lesson
	refuse  bool
	decode  func(decode func([]byte) (lesson, error), src []byte) (lesson, error) // of messages
}

func (c clumsy) AppendState(dst []byte, s pupil) []byte {
	return c.Core.AppendState(dst, c.state(s))
}

func (c clumsy) DecodeState(src []byte) (pupil, error) {
	if c.refuse {
		return pupil{}, protocol.ErrEncoding
	}
	return c.Core.DecodeState(src)
}

func (c clumsy) AppendMessage(dst []byte, m lesson) []byte {
	return c.Core.AppendMessage(dst, c.message(m))
}

func (c clumsy) DecodeMessage(src []byte) (lesson, error) {
	if c.decode == nil {
		return c.Core.DecodeMessage(src)
	}
	return c.decode(c.Core.DecodeMessage, src)
}

func (c clumsy) AppendCommand(dst []byte, m lesson) []byte {
	return c.Core.AppendCommand(dst, c.command(m))
}

func learn(s pupil, in protocol.Input[lesson, lesson]) (pupil, protocol.Output[lesson]) {
	var out protocol.Output[lesson]
	switch in.Kind {
	case protocol.Start:
		s.Self.Incarnation = 1
	case protocol.Command:
		out.Send = []protocol.Envelope[lesson]{{From: s.Self, To: protocol.NodeID{Incarnation: 1}, Message: in.Command}}
	case protocol.Deliver:
		if s.Who.IsNobody() {
			s.Who = in.From
		}
		if s.Notes == nil && s.Blank {
			s.Notes = []uint8{}
		} else if s.Blank {
			out.Events = []protocol.Event{{Name: "again"}}
		}
	}
	return s, out
}

// school returns a system in which B and C send a lesson to A.
func school(core clumsy, blank bool) *model.System[pupil, lesson, lesson] {
	same := func(l lesson) lesson { return l }
	core.Core = model.Plain(learn)
	if core.state == nil {
		core.state = func(s pupil) pupil { return s }
	}
	if core.message == nil {
		core.message = same
	}
	if core.command == nil {
		core.command = same
	}
	s := &model.System[pupil, lesson, lesson]{
		Info: model.Info{Name: "school"}, Core: core, Identity: func(s pupil) protocol.NodeID { return s.Self },
		QuiescentEnd: func(*model.GlobalState[pupil, lesson]) bool { return true },
	}
	for i, name := range []string{"A", "B", "C"} {
		n := model.Node[pupil, lesson]{Name: name, State: pupil{
			Self: protocol.NodeID{Address: protocol.Address(i)}, Blank: blank,
		}}
		if i > 0 {
			n.Commands = [][]lesson{{{Number: 1, Page: uint8(i)}}}
		}
		s.Nodes = append(s.Nodes, n)
	}
	return s
}

// A field that an encoding forgets ends any check and is named, no matter what the properties say.
func TestEncodingsMustKeepEveryField(t *testing.T) {
	for says, core := range map[string]clumsy{
		"": {},
		"AppendState or DecodeState forgets a field: model_test.pupil.Self.Incarnation: 1 was encoded, 0 was decoded": {
			state: func(s pupil) pupil { s.Self.Incarnation = 0; return s },
		},
		"AppendState or DecodeState forgets a field: model_test.pupil.Who.Address: 2 was encoded, 0 was decoded": {
			state: func(s pupil) pupil { s.Who = protocol.NodeID{}; return s },
		},
		"AppendMessage or DecodeMessage forgets a field: model_test.lesson.Page: 1 was encoded, 0 was decoded": {
			message: func(l lesson) lesson { l.Page = 0; return l },
		},
		"AppendCommand or DecodeCommand forgets a field: model_test.lesson.Number: 1 was encoded, 0 was decoded": {
			command: func(l lesson) lesson { l.Number = 0; return l },
		},
		"DecodeState refuses what AppendState makes of {": {refuse: true},
	} {
		c, err := school(core, false).Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{Workers: 1})
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, says)
	}
}

// The first value of an encoding may equal the decoded one. The others are compared with it.
func TestDifferentStatesNeedDifferentEncodings(t *testing.T) {
	core := clumsy{state: func(s pupil) pupil {
		if s.Who == (protocol.NodeID{Address: 2, Incarnation: 1}) && !s.Blank { // no damage leads there
			s.Who.Address = 1
		}
		return s
	}}
	c, err := school(core, false).Compile()
	require.NoError(t, err)
	_, err = checker.Check(context.Background(), c.Model(), checker.Options{Workers: 1})
	require.ErrorContains(t, err, "AppendState forgets a field: two values have the same encoding, but "+
		"model_test.pupil.Who.Address is 1 in one and 2 in the other")
}

// An empty list and a missing one have the same encoding, so Step must not distinguish them.
func TestEmptyListsAreMissingLists(t *testing.T) {
	for _, blank := range []bool{false, true} {
		s := school(clumsy{}, blank)
		s.Nodes[2].Commands[0][0].Page = 1
		s.Nodes[0].State.Who = protocol.NodeID{Address: 1, Incarnation: 1}
		c, err := s.Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{Workers: 1})
		if !blank {
			require.NoError(t, err)
			continue
		}
		require.Error(t, err)
		assert.Contains(t, err.Error(), "gives different results in two states that differ in nothing but an empty list")
	}
}
