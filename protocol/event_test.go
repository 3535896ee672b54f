package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
)

func TestEventsAsText(t *testing.T) {
	b := protocol.NodeID{Address: 1, Incarnation: 1}
	assert.Equal(t, "left", protocol.Event{Name: "left"}.String())
	assert.Equal(t, "accept B 3", protocol.Event{Name: "accept", Peer: b, Number: 3}.String())
	assert.Equal(t, "lost B 3 full", protocol.Event{Name: "lost", Peer: b, Number: 3, Detail: "full"}.String())
	assert.Equal(t, "lost full", protocol.Event{Name: "lost", Detail: "full"}.String())
}
