package main_test

import (
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	nemesis "github.com/canvass-grid/canvass/internal/trials/nemesis"
	"github.com/canvass-grid/canvass/protocol"
)

// counter counts what is written.
type counter struct {
	mu    *sync.Mutex
	lines *int
}

func (c counter) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.lines++
	return len(b), nil
}

// TestAHostileMember demands that a hostile member passes for a member, that it sends messages of
// each kind, that it is refused for each reason for which a member can be, and that it does not
// fill the log.
func TestAHostileMember(t *testing.T) {
	authority, err := identity.NewGrid(time.Now())
	require.NoError(t, err)
	var ids []*identity.Identity
	for i := range 2 {
		id, err := authority.Enrol(protocol.Address(i), time.Now())
		require.NoError(t, err)
		ids = append(ids, id)
	}
	var mu sync.Mutex
	kinds := map[uint8]int{}
	grid, lines := config.DefaultGrid(0, 1), 0
	links, err := transport.New(transport.Config{
		Identity: ids[0], Listen: "127.0.0.1:0", MaxAge: time.Hour,
		Hello:  transport.Hello{Wire: config.Wire, Config: grid.Hash(), Incarnation: 1, Nonce: 1},
		Clock:  func() time.Duration { return 0 },
		Logger: slog.New(slog.NewTextHandler(counter{&mu, &lines}, nil)),
		Deliver: func(from protocol.NodeID, _ transport.Channel, kind uint8, _ []byte) {
			mu.Lock()
			defer mu.Unlock()
			assert.EqualValues(t, 1, from.Address)
			kinds[kind]++
		},
	})
	require.NoError(t, err)
	greeted, refused, frames := nemesis.Visits(ids[1], grid, links.Endpoint(), 200)
	require.NoError(t, links.Close())
	assert.NotZero(t, greeted)
	assert.NotZero(t, refused)
	assert.Greater(t, frames, greeted)
	mu.Lock()
	defer mu.Unlock()
	assert.NotZero(t, lines)
	assert.LessOrEqual(t, lines, 40, "it fills the log")
	for kind := range uint8(3) {
		assert.NotZero(t, kinds[kind+1], "messages of kind %d", kind+1)
	}
	for _, reason := range []transport.Reason{
		transport.ReasonMalformed, transport.ReasonGrid, transport.ReasonConfig, transport.ReasonAddress,
		transport.ReasonChannel, transport.ReasonFormerLife, transport.ReasonSecondLife,
	} {
		assert.NotZero(t, links.Counters().Refused[reason.String()], reason)
	}
}
