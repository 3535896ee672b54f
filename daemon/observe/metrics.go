package observe

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Metrics are those of one daemon.
type Metrics struct {
	registry *prometheus.Registry
	steps    *prometheus.HistogramVec
	commits  prometheus.Histogram
	waits    prometheus.Histogram
	kills    prometheus.Histogram
}

// The upper bounds of the histograms, in seconds. A step over 20 ms is slow, and an incarnation has
// half a second to end.
var (
	stepBounds = []float64{0.00002, 0.0001, 0.0005, 0.002, 0.02, 0.1, 0.5}
	waitBounds = []float64{0.0005, 0.002, 0.01, 0.02, 0.1, 0.5, 1, 2}
	killBounds = []float64{0.01, 0.05, 0.2, 0.5, 1, 2, 5, 30}
)

// New returns metrics. Read is called at each scrape, on its goroutine.
func New(read func(Scrape)) *Metrics {
	histogram := func(name, help string, bounds []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds})
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		steps: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "canvass_step_seconds", Help: "The durations of steps of the cores, by core and kind of input.",
			Buckets: stepBounds,
		}, []string{"core", "input"}),
		commits: histogram("canvass_commit_seconds", "The durations of commits to the disk.", waitBounds),
		waits: histogram("canvass_loop_wait_seconds",
			"How long inputs from outside wait for the loop: its lag.", waitBounds),
		kills: histogram("canvass_kill_seconds",
			"From the command of the task layer to end a task until all its processes are gone.", killBounds),
	}
	m.registry.MustRegister(m.steps, m.commits, m.waits, m.kills, reader(read),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Stepped notes what a step of a core has taken.
func (m *Metrics) Stepped(core string, input protocol.InputKind, d time.Duration) {
	if m != nil {
		m.steps.WithLabelValues(core, input.String()).Observe(d.Seconds())
	}
}

// Committed notes what a commit has taken.
func (m *Metrics) Committed(d time.Duration) {
	if m != nil {
		m.commits.Observe(d.Seconds())
	}
}

// Waited notes how long an input has waited for the loop.
func (m *Metrics) Waited(d time.Duration) {
	if m != nil {
		m.waits.Observe(d.Seconds())
	}
}

// Killed notes how long it took to end a task.
func (m *Metrics) Killed(d time.Duration) {
	if m != nil {
		m.kills.Observe(d.Seconds())
	}
}

// Text is all that is known now.
func (m *Metrics) Text() (string, error) {
	families, err := m.registry.Gather()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(&text, f); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

// Scrape takes what a daemon reads from its state.
type Scrape struct{ out chan<- prometheus.Metric }

// reader is a function that reads, as a registry calls it.
type reader func(Scrape)

// Describe names nothing: the metrics depend on the state.
func (reader) Describe(chan<- *prometheus.Desc) {}

// Collect reads.
func (r reader) Collect(out chan<- prometheus.Metric) { r(Scrape{out}) }

// Counter shows a number that only grows while the process runs.
func (s Scrape) Counter(name, help string, value uint64) {
	s.put(name, help, prometheus.CounterValue, float64(value), nil)
}

// Gauge shows a number.
func (s Scrape) Gauge(name, help string, value float64) {
	s.put(name, help, prometheus.GaugeValue, value, nil)
}

// Flag shows a condition as 1 or 0.
func (s Scrape) Flag(name, help string, holds bool) {
	value := 0.0
	if holds {
		value = 1
	}
	s.Gauge(name, help, value)
}

// Counters shows numbers that only grow, by the value of a label.
func (s Scrape) Counters(name, help, label string, values map[string]uint64) {
	for word, value := range values {
		s.put(name, help, prometheus.CounterValue, float64(value), []string{label}, word)
	}
}

// Gauges shows numbers by the value of a label.
func (s Scrape) Gauges(name, help, label string, values map[string]int) {
	for word, value := range values {
		s.put(name, help, prometheus.GaugeValue, float64(value), []string{label}, word)
	}
}

func (s Scrape) put(name, help string, kind prometheus.ValueType, value float64, labels []string, words ...string) {
	s.out <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, labels, nil), kind, value, words...)
}
