package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/store"
)

func TestConfigValidate(t *testing.T) {
	require.NoError(t, newConfig(16).Validate())
	tests := map[string]func(*store.Config){
		"no retry":       func(c *store.Config) { c.RetryMinTicks = 0 },
		"retry reversed": func(c *store.Config) { c.RetryMinTicks = c.RetryMaxTicks + 1 },
		"no resend":      func(c *store.Config) { c.ResendTicks = 0 },
		"no gone":        func(c *store.Config) { c.GoneTicks = 0 },
		"no operations":  func(c *store.Config) { c.OpLimit = 0 },
		"no items":       func(c *store.Config) { c.ItemLimit = 0 },
		"no memory":      func(c *store.Config) { c.DecidedLimit = 0 },
		"no leavers":     func(c *store.Config) { c.LeftLimit = 0 },
		"no tried":       func(c *store.Config) { c.TriedLimit = 0 },
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := newConfig(16)
			damage(cfg)
			require.ErrorIs(t, cfg.Validate(), store.ErrConfig)
		})
	}
	least := newConfig(16)
	least.RetryMinTicks, least.RetryMaxTicks, least.ResendTicks, least.GoneTicks = 1, 1, 1, 1
	least.OpLimit, least.ItemLimit, least.DecidedLimit, least.LeftLimit, least.TriedLimit = 1, 1, 1, 1, 1
	require.NoError(t, least.Validate())
	cfg := newConfig(16)
	cfg.CAN.HopLimit = 0
	require.ErrorIs(t, cfg.Validate(), can.ErrConfig)
}

// Names are spread over the whole space, each at one point.
func TestKey(t *testing.T) {
	s := newConfig(16, 8).CAN.Space
	seen := map[[2]int32]bool{}
	for i := range 200 {
		key := store.Key(s, string(rune('a'+i)))
		require.True(t, s.Whole().Contains(key))
		require.Equal(t, key, store.Key(s, string(rune('a'+i))))
		seen[[2]int32{key[0], key[1]}] = true
	}
	require.Greater(t, len(seen), 80, "of 128 points")
}
