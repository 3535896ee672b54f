package observe

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Registry is the registry of the metrics.
func (m *Metrics) Registry() prometheus.Gatherer { return m.registry }

// Take compares readings with the last ones.
func (w *ClockWatch) Take(boot, mono, raw, wall time.Duration) []string {
	return w.take(clocks{boot, mono, raw, wall}, 0.001)
}
