package main

import (
	"context"

	"github.com/canvass-grid/canvass/sim"
)

func (t *tool) schedule(ctx context.Context, f *simulateFlags, c *sim.Campaign, patterns []string) error {
	return usagef("--scheduler %q", f.scheduler)
}
