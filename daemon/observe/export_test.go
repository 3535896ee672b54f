package observe

import "github.com/prometheus/client_golang/prometheus"

// Registry is the registry of the metrics.
func (m *Metrics) Registry() prometheus.Gatherer { return m.registry }
