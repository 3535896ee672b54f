package checker_test

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
)

func TestTheCollectorIsSetBack(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	for _, said := range []string{"", "70"} {
		t.Setenv("GOGC", said)
		before := percent()
		restore := checker.TuneCollector()
		assert.Equal(t, said == "", percent() < before, "GOGC=%s", said)
		restore()
		assert.Equal(t, before, percent())
	}
}
