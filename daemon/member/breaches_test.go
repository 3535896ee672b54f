package member

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

var firstLife, secondLife = protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 2}

// none is the counts when no limit of the task layer was met.
var none = map[string]uint64{}

func TestADeadLifeThatSpeaksIsABreach(t *testing.T) {
	b := NewBreaches(lease.Config{})
	b.patience = 7 * time.Second
	b.died(firstLife, 10*time.Second)
	b.spoke(firstLife, 16*time.Second) // sent before it died
	b.spoke(secondLife, 30*time.Second)
	assert.Equal(t, BreachCounts{Limits: none}, b.BreachCounts)
	b.spoke(firstLife, 18*time.Second)
	assert.Equal(t, BreachCounts{Limits: none, Undead: 1}, b.BreachCounts)
}

func TestASuspectedLifeThatSpeaksWasSuspectedEarly(t *testing.T) {
	b := NewBreaches(lease.Config{})
	b.patience = 7 * time.Second
	b.suspected(firstLife)
	b.suspected(firstLife) // its timer was set again
	b.suspected(secondLife)
	b.died(secondLife, 0)
	b.spoke(secondLife, time.Second)
	assert.Equal(t, BreachCounts{Limits: none, Suspicions: 2}, b.BreachCounts)
	b.spoke(firstLife, time.Second)
	b.spoke(firstLife, time.Second)
	assert.Equal(t, BreachCounts{Limits: none, Suspicions: 2, Early: 1}, b.BreachCounts)
}
