package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// A predicate that does not look at messages is asked once of states that differ in messages alone,
// and a predicate that looks is asked of every state: here it holds in some that are alike but for
// messages, and not in others.
func TestPredicatesAreAskedAsOftenAsNeeded(t *testing.T) {
	const patience = 70 // more predicates than there is room for
	const again = 256   // the first states are asked again at the end
	blind, looking, last := 0, 0, 0
	sys := threeCouriers().system(model.Budget{Duplicate: 1})
	add := func(name string, count *int, holds func(g glimpse) bool) {
		sys.Properties = append(sys.Properties, model.Property[courier, note]{
			Property: checker.Property{Name: name, Shape: checker.Always},
			Holds: func(w *model.GlobalState[courier, note]) bool {
				*count++
				return holds(worldGlimpse{w})
			},
		})
	}
	sys.Properties = nil
	add("Blind", &blind, func(g glimpse) bool { return every(g, func(_ int, s courier) bool { return s.Got < 3 }) })
	add("Looking", &looking, func(g glimpse) bool { return len(g.flying()) >= 0 })
	for range patience {
		add("More", new(int), func(glimpse) bool { return true })
	}
	add("Last", &last, func(glimpse) bool { return true })
	for i := range sys.Properties {
		sys.Properties[i].Name += string(rune('A'+i/26)) + string(rune('a'+i%26))
	}
	m, err := sys.Compile()
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), m.Model(), checker.Options{Workers: 1})
	require.NoError(t, err)
	require.Equal(t, checker.Holds, r.Outcomes[0].Verdict)
	for _, count := range []*int{&blind, &looking, &last} {
		*count -= 2 * int(r.Audited) // where they were tested
	}
	looking, last = looking-again, last-again
	assert.EqualValues(t, r.States, looking)
	assert.EqualValues(t, r.States, last)
	assert.Less(t, 4*blind, looking)
	assert.Positive(t, blind)
}
