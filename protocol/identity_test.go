package protocol_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
)

func nodeID() *rapid.Generator[protocol.NodeID] {
	return rapid.Custom(func(t *rapid.T) protocol.NodeID {
		return protocol.NodeID{
			Address:     protocol.Address(rapid.Uint32().Draw(t, "address")),
			Incarnation: rapid.Uint16().Draw(t, "incarnation"),
		}
	})
}

func TestNodeIDString(t *testing.T) {
	tests := []struct {
		address     protocol.Address
		incarnation uint16
		want        string
	}{
		{0, 0, "-"},
		{0, 1, "A"},
		{2, 1, "C"},
		{2, 2, "C.2"},
		{2, 0, "C.0"},
		{25, 1, "Z"},
		{26, 1, "n26"},
		{31, 7, "n31.7"},
		{1<<32 - 1, 65535, "n4294967295.65535"},
	}
	for _, test := range tests {
		id := protocol.NodeID{Address: test.address, Incarnation: test.incarnation}
		assert.Equal(t, test.want, id.String())
	}
}

func TestNodeIDStringTellsIdentitiesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := nodeID().Draw(t, "a"), nodeID().Draw(t, "b")
		require.Equal(t, a == b, a.String() == b.String())
		require.False(t, strings.ContainsAny(a.String(), " \n{};"), "texts use these between identities")
	})
}

func TestNodeIDCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := nodeID().Draw(t, "a"), nodeID().Draw(t, "b")
		if rapid.Bool().Draw(t, "same address") {
			b.Address = a.Address
		}
		want := cmp.Compare(uint64(a.Address)<<16|uint64(a.Incarnation), uint64(b.Address)<<16|uint64(b.Incarnation))
		require.Equal(t, want, a.Compare(b))
		require.Equal(t, -want, b.Compare(a))
		require.Equal(t, a == b, a.Compare(b) == 0)
	})
}

func TestNobody(t *testing.T) {
	assert.True(t, protocol.NodeID{}.IsNobody())
	assert.False(t, protocol.NodeID{Incarnation: 1}.IsNobody())
	assert.False(t, protocol.NodeID{Address: 1}.IsNobody())
}

func TestInputKindString(t *testing.T) {
	seen := map[string]bool{}
	for k := protocol.Start; k <= protocol.Restart; k++ {
		assert.NotEqual(t, "invalid", k.String())
		assert.False(t, seen[k.String()], "%v twice", k)
		seen[k.String()] = true
	}
	assert.Equal(t, "invalid", protocol.InputKind(0).String())
	assert.Equal(t, "invalid", (protocol.Restart + 1).String())
}

func TestIdentitiesAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := protocol.NodeID{
			Address:     protocol.Address(rapid.Uint32Range(0, 60).Draw(t, "address")),
			Incarnation: rapid.Uint16Range(0, 3).Draw(t, "incarnation"),
		}
		text, err := id.MarshalText()
		require.NoError(t, err)
		var got protocol.NodeID
		require.NoError(t, got.UnmarshalText(text))
		require.Equal(t, id, got)
	})
	for text, want := range map[string]protocol.NodeID{
		"-":                 {},
		"n4294967295.65535": {Address: 1<<32 - 1, Incarnation: 1<<16 - 1},
	} {
		got, err := protocol.ParseNodeID(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "a", "AA", "n5", "C.", "C.1", "C.+2", "C.70000", "n4294967296", "n031", "-.2", "."} {
		_, err := protocol.ParseNodeID(text)
		require.Error(t, err, text)
	}
}
