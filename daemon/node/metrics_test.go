package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/node"
)

func TestAScrapeDoesNotWaitForALoopThatHangs(t *testing.T) {
	header := flight.Header{Grid: "g", Life: "A-1", Build: "test", Wire: node.Wire}
	record, err := flight.New(t.TempDir(), header)
	require.NoError(t, err)
	defer record.Close()
	began := time.Now()
	text, err := node.Scraped(record)
	require.NoError(t, err)
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Contains(t, text, "canvass_loop_answers 0\n")
	assert.Contains(t, text, "canvass_flight_records_total 0\n")
	assert.NotContains(t, text, "canvass_jobs")
}
