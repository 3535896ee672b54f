package liveness

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A loop that looks ends when it must not go on, and only then.
func TestWatchEndsALoop(t *testing.T) {
	var w watch
	turns := 0
	loop := func() {
		for turns = 0; turns < 100_000; turns++ {
			w.look()
		}
	}
	assert.True(t, w.until(func() bool { return true }, loop))
	assert.Equal(t, 100_000, turns)
	assert.False(t, w.until(func() bool { return false }, loop))
	assert.Less(t, turns, 20_000)
	assert.PanicsWithValue(t, "no", func() { w.until(nil, func() { panic("no") }) })
}
