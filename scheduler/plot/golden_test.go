package plot_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

var rewrite = flag.Bool("rewrite", false, "write the figures in testdata anew; look at them afterwards")

func TestFiguresAreThoseOfTheFiles(t *testing.T) {
	for _, m := range makers() {
		t.Run(m.name, func(t *testing.T) {
			f, err := m.make()
			require.NoError(t, err)
			for _, x := range []struct {
				ending string
				data   []byte
			}{{".svg", f.SVG}, {".csv", f.CSV}} {
				file := filepath.Join("testdata", m.name+x.ending)
				if *rewrite {
					require.NoError(t, os.WriteFile(file, x.data, 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.Equal(t, string(want), string(x.data), "run the tests with -rewrite and look at the figures")
			}
		})
	}
}

// Also when several are drawn at once.
func TestEqualDataGiveEqualBytes(t *testing.T) {
	for _, m := range makers() {
		first, err := m.make()
		require.NoError(t, err)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				again, err := m.make()
				assert.NoError(t, err)
				assert.True(t, bytes.Equal(first.SVG, again.SVG), m.name)
				assert.True(t, bytes.Equal(first.CSV, again.CSV), m.name)
			})
		}
		wait.Wait()
	}
}

var colourPattern = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)

// A colour that no custom property replaces would be the same on a light and on a dark page.
func TestAllColoursFollowThePage(t *testing.T) {
	for _, m := range makers() {
		f, err := m.make()
		require.NoError(t, err)
		require.NotEmpty(t, colourPattern.FindString(string(f.SVG)), m.name)
		page, err := plot.Page("P", "", []*plot.Figure{f}, nil)
		require.NoError(t, err)
		_, body, found := strings.Cut(string(page), "<svg")
		require.True(t, found)
		assert.Empty(t, colourPattern.FindString(body), m.name)
	}
}

func TestAHalfEmptyFrameStillNamesItsLines(t *testing.T) {
	s := cdf()
	s.YFrom, s.XTo = 0.9, 10
	f, err := plot.CDF(s)
	require.NoError(t, err)
	assert.Contains(t, string(f.SVG), ">static</text>")
}

func TestPicturesOfManyValuesStaySmall(t *testing.T) {
	s := steps()
	for i := range 200_000 {
		s.Series[0].X = append(s.Series[0].X, 9+float64(i)/200_000)
		s.Series[0].Y = append(s.Series[0].Y, float64(i*7919%1000))
	}
	f, err := plot.Steps(s)
	require.NoError(t, err)
	assert.Less(t, len(f.SVG), 60_000)
	assert.Equal(t, 200_005, bytes.Count(f.CSV, []byte("\n")), "the CSV is complete")
}

// A published value is a hollow mark, and its key stands above.
func TestPublishedValues(t *testing.T) {
	s := bars()
	f, err := plot.Bars(s)
	require.NoError(t, err)
	assert.Contains(t, string(f.SVG), ">published</text>")
	assert.Contains(t, string(f.SVG), ">n = 20</text>")
	s.Groups[0].Published = none
	f, err = plot.Bars(s)
	require.NoError(t, err)
	assert.NotContains(t, string(f.SVG), ">published</text>")
}

// Few runs may have an interval from -200 to 400. If no value can be below 0, the axis ends there.
func TestIntervalsEndAtZeroIfNoValueIsBelow(t *testing.T) {
	s := bars()
	s.Groups[0].Low, s.Groups[0].Mean, s.Groups[0].High = -200, 100, 400
	f, err := plot.Bars(s)
	require.NoError(t, err)
	assert.Contains(t, string(f.SVG), ">−200</text>")
	s.FromZero = true
	f, err = plot.Bars(s)
	require.NoError(t, err)
	assert.NotContains(t, string(f.SVG), ">−")
	assert.Contains(t, string(f.CSV), ",100,-200,400,", "the data are complete")
	s.Groups[0].Mean = -1
	_, err = plot.Bars(s)
	assert.ErrorContains(t, err, `group 1 ("qb+dlb") has a value below 0`)
}

func TestHeldTasksHaveAKey(t *testing.T) {
	s := gantt()
	f, err := plot.Gantt(s)
	require.NoError(t, err)
	assert.Contains(t, string(f.SVG), ">held, not running</text>")
	s.Tasks = s.Tasks[:1]
	f, err = plot.Gantt(s)
	require.NoError(t, err)
	assert.NotContains(t, string(f.SVG), ">held, not running</text>")
}
