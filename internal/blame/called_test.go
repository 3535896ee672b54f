package blame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/internal/blame"
)

// The innermost function that is running is named, whether it returns, panics or calls another.
func TestTheInnermostFunctionIsNamed(t *testing.T) {
	var log blame.Log
	var names []string
	look := func() { names = append(names, log.Running()) }
	inner := blame.F1(&log, "inner", func(fails bool) int {
		look()
		if fails {
			panic("no")
		}
		return 7
	})
	outer := blame.F2(&log, "outer", func(a, b bool) int {
		look()
		n := inner(a) // returns
		look()
		return n + inner(b)
	})
	assert.Equal(t, 14, outer(false, false))
	look()
	assert.Equal(t, []string{"outer", "inner", "outer", "inner", ""}, names)
	assert.Panics(t, func() { outer(false, true) })
	assert.Equal(t, "inner", log.Running())
	log.Reset()
	assert.Empty(t, log.Running())
	three := blame.F3(&log, "three", func(a, b, c int) string { return log.Running() })
	assert.Equal(t, "three", three(1, 2, 3))
	blame.Do2(&log, "do", func(a, b int) { look() })(1, 2)
	blame.Do1(&log, "do one", func(int) { look() })(1)
	blame.Do0(&log, "do nothing", look)()
	assert.Equal(t, "none", blame.F0(&log, "none", func() string { return log.Running() })())
	assert.Equal(t, []string{"do", "do one", "do nothing"}, names[len(names)-3:])
	assert.Zero(t, testing.AllocsPerRun(9, func() { three(1, 2, 3) }))
}

func TestAMissingFunctionStaysMissing(t *testing.T) {
	var log blame.Log
	assert.Nil(t, blame.F1(&log, "f", (func(int) int)(nil)))
	assert.Nil(t, blame.F2(&log, "f", (func(int, int) int)(nil)))
	assert.Nil(t, blame.F3(&log, "f", (func(int, int, int) int)(nil)))
	assert.Nil(t, blame.F0(&log, "f", (func() int)(nil)))
	assert.Nil(t, blame.Do0(&log, "f", nil))
	assert.Nil(t, blame.Do1(&log, "f", (func(int))(nil)))
	assert.Nil(t, blame.Do2(&log, "f", (func(int, int))(nil)))
}
