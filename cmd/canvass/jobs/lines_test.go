package jobs_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	commands "github.com/canvass-grid/canvass/cmd/canvass/jobs"
)

// However an output is cut into pieces, each of its lines is printed once, behind its rank.
func TestLinesArePrintedBehindTheirRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat("x", rapid.SampledFrom([]int{0, 0, 1, 7, 300 << 10}).Draw(t, "length"))
		})
		lines := rapid.SliceOfN(line, 0, 9).Draw(t, "lines")
		text, want := strings.Join(lines, "\n"), ""
		for _, l := range strings.SplitAfter(text, "\n") {
			if l != "" {
				want += "[7] " + strings.TrimSuffix(l, "\n") + "\n"
			}
		}
		var out bytes.Buffer
		p := commands.NewLines(&out, io.Discard, 7)
		for len(text) > 0 {
			size := min(len(text), rapid.SampledFrom([]int{1, 2, 3, 8, 100_000}).Draw(t, "size"))
			require.NoError(t, p.Print([]byte(text[:size])))
			text = text[size:]
		}
		require.NoError(t, p.End())
		require.Equal(t, want, out.String())
	})
}

// BenchmarkLines prints the shortest lines there are, behind their ranks.
func BenchmarkLines(b *testing.B) {
	for _, length := range []int{0, 10, 70} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			data := bytes.Repeat([]byte(strings.Repeat("x", length)+"\n"), 1<<20/(length+1))
			b.SetBytes(int64(len(data)))
			p := commands.NewLines(io.Discard, io.Discard, 3)
			for b.Loop() {
				if err := p.Print(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
