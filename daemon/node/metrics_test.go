package node_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

var first, second = protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 2}

func TestADeadLifeThatSpeaksIsABreach(t *testing.T) {
	b := node.NewBreaches()
	b.Died(first, 10*time.Second)
	b.Spoke(first, 16*time.Second) // sent before it died
	b.Spoke(second, 30*time.Second)
	assert.Equal(t, [3]uint64{}, b.Counted())
	b.Spoke(first, 18*time.Second)
	assert.Equal(t, [3]uint64{0, 0, 1}, b.Counted())
}

func TestASuspectedLifeThatSpeaksWasSuspectedEarly(t *testing.T) {
	b := node.NewBreaches()
	b.Suspected(first)
	b.Suspected(first) // its timer was set again
	b.Suspected(second)
	b.Died(second, 0)
	b.Spoke(second, time.Second)
	assert.Equal(t, [3]uint64{2, 0, 0}, b.Counted())
	b.Spoke(first, time.Second)
	b.Spoke(first, time.Second)
	assert.Equal(t, [3]uint64{2, 1, 0}, b.Counted())
}

// scraped is a scrape of a node whose loop does not turn.
func scraped(t *testing.T) string {
	t.Helper()
	header := flight.Header{Grid: "g", Life: "A-1", Build: "test", Wire: node.Wire}
	record, err := flight.New(t.TempDir(), header)
	require.NoError(t, err)
	defer record.Close()
	text, err := node.Scraped(record)
	require.NoError(t, err)
	return text
}

func TestAScrapeDoesNotWaitForALoopThatHangs(t *testing.T) {
	began := time.Now()
	text := scraped(t)
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Contains(t, text, "canvass_loop_answers 0\n")
	assert.Contains(t, text, "canvass_flight_records_total 0\n")
	assert.NotContains(t, text, "canvass_jobs")
}

// TestWhatTheDocumentsNameIsThere looks for the metrics, tests and scripts that the documents about
// daemons name.
func TestWhatTheDocumentsNameIsThere(t *testing.T) {
	shown, err := node.Shown()
	require.NoError(t, err)
	there := shown + scraped(t)
	for _, pattern := range []string{
		"../*/*_test.go", "../runner/shim/*_test.go", "../../protocol/*/*_test.go", "../../sim/daemon/*_test.go",
		"../../cmd/canvass/daemon/*_test.go", "../../internal/nemesis/*_test.go",
		"../../cmd/canvass/daemon/testdata/script/*",
	} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			there += filepath.Base(file) + "\n" + string(text)
		}
	}
	for _, document := range []string{"daemon.md", "daemon-assumptions.md", "daemon-threats.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs", document))
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`canvass_[a-z_]+[a-z]`).FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(there, name), "%s names %s", document, name)
		}
		for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(there, "func "+name+"("), "%s names %s", document, name)
		}
		for _, name := range regexp.MustCompile(`\b\w+\.txtar`).FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(there, name), "%s names %s", document, name)
		}
	}
}
