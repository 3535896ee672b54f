package observe_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/protocol"
)

func TestWhatIsReadAndMeasuredIsShown(t *testing.T) {
	m := observe.New(func(s observe.Scrape) {
		s.Counter("canvass_some_total", "Some.", 3)
		s.Flag("canvass_it_is", "It is.", true)
		s.Counters("canvass_resets_total", "Resets.", "cause", map[string]uint64{"closed": 2})
		s.Gauges("canvass_jobs", "Jobs.", "state", map[string]int{"held": 4})
	})
	m.Stepped("peer", protocol.Deliver, time.Millisecond)
	m.Committed(3 * time.Millisecond)
	m.Waited(time.Second)
	m.Killed(time.Minute)
	text, err := m.Text()
	require.NoError(t, err)
	for _, line := range []string{
		"canvass_some_total 3\n", "canvass_it_is 1\n", `canvass_resets_total{cause="closed"} 2`,
		`canvass_jobs{state="held"} 4`,
		`canvass_step_seconds_bucket{core="peer",input="deliver",le="0.0005"} 0`,
		`canvass_step_seconds_bucket{core="peer",input="deliver",le="0.002"} 1`,
		`canvass_commit_seconds_bucket{le="0.01"} 1`, `canvass_loop_wait_seconds_bucket{le="0.5"} 0`,
		`canvass_kill_seconds_bucket{le="30"} 0`, "canvass_kill_seconds_sum 60\n", "process_resident_memory_bytes",
	} {
		assert.Contains(t, text, line)
	}
	problems, err := testutil.GatherAndLint(m.Registry())
	require.NoError(t, err)
	assert.Empty(t, problems)
}

func TestNobodyMeasuresInASimulator(t *testing.T) {
	var m *observe.Metrics
	m.Stepped("peer", protocol.Deliver, time.Millisecond)
	m.Committed(1)
	m.Waited(1)
	m.Killed(1)
}

// A step must not become noticeably slower because it is measured.
func BenchmarkStepped(b *testing.B) {
	m := observe.New(func(observe.Scrape) {})
	for b.Loop() {
		m.Stepped("peer", protocol.Deliver, time.Microsecond)
	}
}
