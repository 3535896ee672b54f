package observe_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/observe"
)

func TestClocksThatDisagreeAreNoticed(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		boot, mono, raw, wall time.Duration
		want                  string
	}{
		{10 * s, 10 * s, 10 * s, 10 * s, ""},
		{10 * s, 10 * s, 10*s + 4*ms, 10 * s, ""},
		{10 * s, 10 * s, 10*s - 6*ms, 10 * s, "runs +0.060 %"},
		{10 * s, 10 * s, 10*s + 6*ms, 10 * s, "runs -0.060 %"},
		{15 * s, 10 * s, 10 * s, 15 * s, "suspended for 5s"},
		{10 * s, 10 * s, 10 * s, 9 * s, "changed by -1s"},
		{10 * s, 10 * s, 10 * s, 12 * s, "changed by 2s"},
	} {
		w := observe.ClockWatch{}
		require.Empty(t, w.Take(1, 2, 3, 4), "there is nothing to compare with")
		said := strings.Join(w.Take(1+c.boot, 2+c.mono, 3+c.raw, 4+c.wall), "\n")
		if c.want == "" {
			assert.Empty(t, said)
		}
		assert.Contains(t, said, c.want)
		assert.NotContains(t, said, "\n", "one thing has happened")
	}
}
