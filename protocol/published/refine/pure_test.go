package refine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

func anyInput(t *rapid.T) published.Input {
	peer := id(rapid.SampledFrom([]rune("ABCX")).Draw(t, "peer"))
	some := func(label string) []protocol.NodeID {
		return ids(rapid.SampledFrom([]string{"", "A", "AB", "ABC", "BX"}).Draw(t, label))
	}
	switch rapid.IntRange(0, 5).Draw(t, "input") {
	case 0:
		kind := protocol.TimerKind(rapid.IntRange(1, 4).Draw(t, "timer"))
		timer := protocol.Timer{Kind: kind}
		if kind >= published.DeferTimer {
			timer.Peer = peer
		}
		return published.Input{Kind: protocol.Timeout, Timer: timer}
	case 1:
		return published.Input{Kind: protocol.Measured, From: peer, Measure: rapid.Uint32Max(20).Draw(t, "latency")}
	case 2:
		return published.Input{Kind: protocol.Command, Command: published.Command{Near: some("near")}}
	}
	return published.Input{Kind: protocol.Deliver, From: peer, Message: published.Message{
		Kind: published.Kind(rapid.IntRange(0, 8).Draw(t, "kind")), Members: some("members"),
		Latencies: []published.Latency{{Peer: id('A'), Micros: 5}},
	}}
}

// For every input, a step is a function of its arguments, and does not change them.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.SliceOfN(rapid.Bool(), 5, 5).Draw(t, "readings")
		b := newBench(published.Readings{
			SolicitsSelf: bits[0], Once: bits[1], WaitsForPairs: bits[2], Lenient: bits[3], TellsFormer: bits[4],
		}, rapid.IntRange(1, 2).Draw(t, "M"))
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			in := anyInput(t)
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
