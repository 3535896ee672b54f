package custody_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

func TestStateCodec(t *testing.T) {
	drivetest.Codec[custody.State]{
		Draw:   func(t *rapid.T) custody.State { return generator{t}.state() },
		Encode: custody.AppendState, Decode: custody.DecodeState, Text: custody.StateText,
	}.Test(t)
}

func TestMessageCodec(t *testing.T) {
	drivetest.Codec[custody.Message]{
		Draw:   func(t *rapid.T) custody.Message { return generator{t}.message() },
		Encode: custody.AppendMessage, Decode: custody.DecodeMessage, Text: custody.MessageText,
	}.Test(t)
}

func TestCommandCodec(t *testing.T) {
	drivetest.Codec[custody.Command]{
		Draw:   func(t *rapid.T) custody.Command { return generator{t}.command() },
		Encode: custody.AppendCommand, Decode: custody.DecodeCommand, Text: custody.CommandText,
	}.Test(t)
}

// The largest values that the decoders take.
func TestDecodersTakeTheLargest(t *testing.T) {
	s := custody.New(nodeA, []protocol.Address{0, 1, 2})
	s.Lives[1] = custody.Life{Known: 1<<16 - 1, Dead: 1<<16 - 1}
	s.Disk.Record.Outcome = custody.Digest(make([]byte, custody.DigestLimit))
	decoded, err := custody.DecodeState(custody.AppendState(nil, s))
	require.NoError(t, err)
	require.Equal(t, s, decoded)
}

// What the decoders refuse: a node that is no custodian, one listed twice, too many members, a list
// of answers that does not fit the view, a digest that is too long, no kind.
func TestDecodersRefuse(t *testing.T) {
	refuses := func(s custody.State) {
		_, err := custody.DecodeState(custody.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	refuses(custody.New(nodeC, []protocol.Address{0, 1}))
	refuses(custody.New(nodeA, []protocol.Address{0, 1, 0}))
	refuses(custody.New(nodeA, []protocol.Address{0, 1, 2, 3}))
	s := custody.New(nodeA, []protocol.Address{0, 1})
	s.Disk.View.Members = []protocol.NodeID{nodeA, nodeB}
	s.Primary.Acked = []bool{true}
	refuses(s)
	s.Primary.Acked, s.Disk.View.Members = nil, make([]protocol.NodeID, custody.Most+1)
	refuses(s)
	c := custody.Command{Kind: custody.CommandOutcome, Outcome: custody.Digest(make([]byte, custody.DigestLimit+1))}
	_, err := custody.DecodeCommand(custody.AppendCommand(nil, c))
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = custody.DecodeDisk(nil)
	require.ErrorIs(t, err, protocol.ErrEncoding)
	for _, kind := range []byte{0, 11} {
		_, err := custody.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
		_, err = custody.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}

// A core with its configuration bound answers as the functions of the package do.
func TestCoreIsThePackage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		cfg := custody.DefaultConfig()
		bound := &custody.Core{Config: cfg}
		s, m, c, in := g.state(), g.message(), g.command(), g.input()
		s2, err := bound.DecodeState(bound.AppendState(nil, s))
		require.NoError(t, err)
		m2, err := bound.DecodeMessage(bound.AppendMessage(nil, m))
		require.NoError(t, err)
		c2, err := bound.DecodeCommand(bound.AppendCommand(nil, c))
		require.NoError(t, err)
		require.Equal(t, custody.StateText(s), bound.StateText(s2))
		require.Equal(t, custody.MessageText(m), bound.MessageText(m2))
		require.Equal(t, custody.CommandText(c), bound.CommandText(c2))
		s3, out3 := bound.Step(s, in)
		s4, out4 := custody.Step(&cfg, s, in)
		require.Equal(t, s4, s3)
		require.Equal(t, out4, out3)
		for _, e := range out3.Events {
			require.Contains(t, bound.EventNames(), e.Name)
		}
		for _, set := range out3.Set {
			require.Equal(t, "resend", bound.TimerText(set.Timer))
		}
	})
}
