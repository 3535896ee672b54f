package jobs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	commands "github.com/canvass-grid/canvass/cmd/canvass/jobs"
)

// The last lines of a text are the same as for a reader of all of it.
func TestTheLastLinesOfAnOutput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat("x", rapid.SampledFrom([]int{0, 0, 1, 2, 32 << 10, 50_000}).Draw(t, "length"))
		})
		text := strings.Join(rapid.SliceOfN(line, 0, 6).Draw(t, "lines"), "\n")
		most := rapid.IntRange(0, 7).Draw(t, "most")
		read := func(offset int64, most int) ([]byte, error) {
			return []byte(text[offset : offset+int64(most)]), nil
		}
		at, err := commands.LastLines(int64(len(text)), most, read)
		require.NoError(t, err)
		all := strings.SplitAfter(text, "\n")
		if all[len(all)-1] == "" {
			all = all[:len(all)-1]
		}
		want := strings.Join(all[max(0, len(all)-most):], "")
		require.Equal(t, len(want), len(text)-int(at))
	})
}
