package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Only while both are stopped may a task run on.
func TestOutlives(t *testing.T) {
	const s = time.Second
	stops := []stop{
		{letter: "A", daemon: true, from: 10 * s, to: 18 * s},
		{letter: "A", shims: true, from: 12 * s, to: 20 * s},
		{letter: "B", daemon: true, shims: true, from: 10 * s, to: 14 * s},
		{letter: "C", shims: true, from: 10 * s, to: 18 * s},
	}
	for _, c := range []struct {
		host      string
		end, last time.Duration
		want      bool
	}{
		{"A", 15 * s, 18*s + stopSlack, true},
		{"A", 15 * s, 18*s + 2*stopSlack, false},
		{"A", 11 * s, 12 * s, false}, // one of them could have ended it
		{"B.7", 12 * s, 14 * s, true},
		{"B.7", 20 * s, 21 * s, false},
		{"C", 12 * s, 14 * s, false},
		{"a host", 12 * s, 14 * s, false},
	} {
		assert.Equal(t, c.want, outlives(stops, c.host, c.end, c.last), "%+v", c)
	}
}
