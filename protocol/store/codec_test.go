package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/store"
)

// Lists that must be sorted are refused when they are not; so is an item that holds nothing.
func TestOrderOfLists(t *testing.T) {
	cfg := newConfig(16)
	one, two := store.Item{Key: store.Key(cfg.CAN.Space, "a"), Value: 1}, store.Item{Value: 2}
	for _, items := range [][]store.Item{{one, two}, {one, one}, {{Value: 0}}} {
		_, err := store.DecodeMessage(cfg, store.AppendMessage(cfg, nil, store.Give{Items: items}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	a, b := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}
	for _, tried := range [][]protocol.NodeID{{b, a}, {a, a}} {
		_, err := store.DecodeMessage(cfg, store.AppendMessage(cfg, nil, store.Request{Tried: tried}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err := store.DecodeMessage(cfg, store.AppendMessage(cfg, nil, store.Request{Tried: []protocol.NodeID{a, b}}))
	require.NoError(t, err)
	pending := func(ids ...uint32) (s store.State) {
		for _, id := range ids {
			s.Pending = append(s.Pending, store.Pending{Operation: store.Operation{ID: id}})
		}
		return s
	}
	for _, s := range []store.State{pending(1, 1), pending(2, 1), pending(1, 3, 2)} {
		_, err := store.DecodeState(cfg, store.AppendState(cfg, nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err = store.DecodeState(cfg, store.AppendState(cfg, nil, pending(1, 2, 3)))
	require.NoError(t, err)
}

// A message begins with the tag of its type.
func TestTagsOfMessages(t *testing.T) {
	for _, tag := range []byte{0, 6} {
		_, err := store.DecodeMessage(newConfig(16), []byte{tag})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}
