package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
)

// The values are pinned: nodes of different versions must order each other alike.
func TestHashIsTheSameForEver(t *testing.T) {
	assert.Equal(t, uint64(0xefd01f60ba992926), protocol.Hash(nil))
	assert.Equal(t, uint64(0xa346aadad0788d4e), protocol.NodeID{Address: 1, Incarnation: 1}.Hash())
}

func TestHashTellsNeighboursApart(t *testing.T) {
	high := map[uint64]bool{}
	for a := range protocol.Address(1000) {
		high[protocol.NodeID{Address: a, Incarnation: 1}.Hash()>>48] = true
	}
	assert.Greater(t, len(high), 950, "addresses next to each other share their first 16 bits too often")
}
