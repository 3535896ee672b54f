package muster_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/muster"
)

func TestStateCodec(t *testing.T) {
	drivetest.Codec[muster.State]{
		Draw:   func(t *rapid.T) muster.State { return generator{t}.state() },
		Encode: muster.AppendState, Decode: muster.DecodeState, Text: muster.StateText,
	}.Test(t)
}

func TestMessageCodec(t *testing.T) {
	drivetest.Codec[muster.Message]{
		Draw:   func(t *rapid.T) muster.Message { return generator{t}.message() },
		Encode: muster.AppendMessage, Decode: muster.DecodeMessage, Text: muster.MessageText,
	}.Test(t)
}

func TestCommandCodec(t *testing.T) {
	drivetest.Codec[muster.Command]{
		Draw:   func(t *rapid.T) muster.Command { return generator{t}.command() },
		Encode: muster.AppendCommand, Decode: muster.DecodeCommand, Text: muster.CommandText,
	}.Test(t)
}

// What the decoders refuse: unsorted members, too many ports, no kind.
func TestDecodersRefuse(t *testing.T) {
	member := func(id protocol.NodeID) muster.Member { return muster.Member{Host: id} }
	for _, members := range [][]muster.Member{{member(nodeB), member(nodeA)}, {member(nodeA), member(nodeA)}} {
		s := muster.State{Rep: muster.Rep{Phase: muster.RepGathering, Members: members}}
		_, err := muster.DecodeState(muster.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	ports := make([]uint16, muster.PortLimit)
	most := muster.Message{Kind: muster.Here, Ports: ports}
	_, err := muster.DecodeMessage(muster.AppendMessage(nil, most))
	require.NoError(t, err)
	most.Ports = append(ports, 0)
	_, err = muster.DecodeMessage(muster.AppendMessage(nil, most))
	require.ErrorIs(t, err, protocol.ErrEncoding)
	for _, kind := range []byte{0, byte(muster.Closed) + 1} {
		_, err := muster.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	for _, kind := range []byte{0, byte(muster.CommandKept) + 1} {
		_, err := muster.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}

// A core with its configuration bound answers as the functions of the package do.
func TestCoreIsThePackage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		cfg := muster.DefaultConfig()
		bound := &muster.Core{Config: cfg}
		s, m, c, in := g.state(), g.message(), g.command(), g.input()
		s2, err := bound.DecodeState(bound.AppendState(nil, s))
		require.NoError(t, err)
		m2, err := bound.DecodeMessage(bound.AppendMessage(nil, m))
		require.NoError(t, err)
		c2, err := bound.DecodeCommand(bound.AppendCommand(nil, c))
		require.NoError(t, err)
		require.Equal(t, muster.StateText(s), bound.StateText(s2))
		require.Equal(t, muster.MessageText(m), bound.MessageText(m2))
		require.Equal(t, muster.CommandText(c), bound.CommandText(c2))
		s3, out3 := bound.Step(s, in)
		s4, out4 := muster.Step(&cfg, s, in)
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
