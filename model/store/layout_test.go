package store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/store"
)

// A layout names the owners that the joins of its nodes give.
func TestOwnersOfLayouts(t *testing.T) {
	for _, l := range []layout{row2(), row3(), tee()} {
		s := scenario{layout: l, name: "owners", calls: []call{get("A", 1, at(0, 0))}}
		sys := s.system()
		looked := 0
		sys.Properties = []model.Property[store.State, store.Message]{{
			Property: checker.Property{Name: "Owners", Shape: checker.Always},
			Holds: func(g *globalState) bool {
				for x := range l.sizes[0] {
					for y := range l.sizes[len(l.sizes)-1] {
						p := at(x)
						if len(l.sizes) > 1 {
							p = at(x, y)
						}
						looked++
						assert.True(t, g.Slots[l.owner(p)].State.Owns(p), "%s: %v", l.name, p)
					}
				}
				return true
			},
		}}
		c, err := sys.Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{MaxStates: 1, Workers: 1})
		require.NoError(t, err)
		assert.Positive(t, looked)
	}
}
