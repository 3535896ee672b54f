package reading_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reading"
)

// way is a reading of a text in which late and never exclude each other.
type way string

func (w way) String() string { return string(w) }

var ways = []way{"letter", "late", "never", "kind", "late+kind", "never+kind"}

func TestNamesAndEndings(t *testing.T) {
	endings := reading.Every(ways)
	assert.Equal(t, []string{
		"", "@late", "@never", "@kind", "@late+kind", "@never+kind",
		"@fifo", "@late+fifo", "@never+fifo", "@kind+fifo", "@late+kind+fifo", "@never+kind+fifo",
	}, endings)
	for i, ending := range endings {
		r, fifo, err := reading.Parse(ending, ways)
		require.NoError(t, err)
		assert.Equal(t, ways[i%len(ways)], r)
		assert.Equal(t, i >= len(ways), fifo)
		assert.Equal(t, ending, reading.Suffix(r, fifo))
	}
	for _, ending := range []string{"@kind+fifo+late", "@fifo+late+kind"} { // one name for a combination
		r, fifo, err := reading.Parse(ending, ways)
		require.NoError(t, err)
		assert.Equal(t, "@late+kind+fifo", reading.Suffix(r, fifo))
	}
	r, fifo, err := reading.Parse("@letter", ways)
	require.NoError(t, err)
	assert.Equal(t, "", reading.Suffix(r, fifo))
}

func TestRefusals(t *testing.T) {
	for ending, why := range map[string]string{
		"@":                `there is no interpretation ""`,
		"@soon":            `there is no interpretation "soon"`,
		"@late+":           `there is no interpretation ""`,
		"@late+soon":       `there is no interpretation "soon"`,
		"@Late":            `there is no interpretation "Late"`,
		"@late@kind":       `there is no interpretation "late@kind"`,
		"@kind+kind":       `the interpretation "kind" occurs twice`,
		"@fifo+late+fifo":  `the interpretation "fifo" occurs twice`,
		"@late+never":      `the interpretations late and never exclude each other`,
		"@late+fifo+never": `the interpretations late and never exclude each other`,
		"@letter+kind":     `"letter" excludes every other interpretation`,
	} {
		_, _, err := reading.Parse(ending, ways)
		require.ErrorIs(t, err, reading.ErrReading, ending)
		assert.Contains(t, err.Error(), why, ending)
		assert.Contains(t, err.Error(), "late, never, kind, fifo", "the existing ones are listed")
		assert.NotContains(t, strings.TrimSpace(err.Error()), "\n")
	}
}

func TestNetwork(t *testing.T) {
	assert.Equal(t, model.FIFO, reading.Network(true))
	assert.Equal(t, model.Unordered, reading.Network(false))
}
