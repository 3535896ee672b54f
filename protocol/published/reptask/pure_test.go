package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// For every input, a step is a function of its arguments, and does not change them.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.SliceOfN(rapid.Bool(), 5, 5).Draw(t, "readings")
		b := newBench(
			published.Readings{Requeue: bits[0], Tells: bits[1], WholeOrder: bits[2], LateCancel: bits[3], ByPair: bits[4]},
			"ABX",
		)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			in := published.Input{
				Kind: protocol.Deliver, From: id(rapid.SampledFrom([]rune("ABX")).Draw(t, "from")),
				Message: published.Message{
					Kind: published.Kind(rapid.IntRange(0, int(published.Result)).Draw(t, "kind")),
					Job:  jobs[rapid.SampledFrom([]byte("onefg")).Draw(t, "job")],
				},
			}
			if rapid.IntRange(0, 4).Draw(t, "ends") == 0 {
				in = published.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.RunTimer}}
			}
			before := b.state.String()
			next, out := published.Step(&b.cfg, b.state, in)
			kept := next.String()
			again, same := published.Step(&b.cfg, b.state, in)
			require.Equal(t, before, b.state.String())
			require.Equal(t, kept, next.String())
			require.Equal(t, next, again)
			require.Equal(t, out, same)
			b.state = next
		}
	})
}
