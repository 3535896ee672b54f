package reptask_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

func TestOver(t *testing.T) {
	for _, test := range []struct {
		over       reptask.Over
		text       string
		size, sent uint32
	}{
		{reptask.OverNone, "none", 3, 3},
		{1_001, "1.001-fold", 3, 4},
		{1_001, "1.001-fold", 1, 2},
		{1_250, "1.25-fold", 4, 5},
		{1_500, "1.5-fold", 3, 5},
		{2_000, "2-fold", 3, 6},
		{8_000, "8-fold", 2, 16},
		{10_050, "10.05-fold", 100, 1_005},
		{reptask.OverTotal, "total", 3, protocol.MaxItems},
		{1<<32 - 1, "4294967.295-fold", protocol.MaxItems, protocol.MaxItems},
		{reptask.OverNone, "none", protocol.MaxItems, protocol.MaxItems},
	} {
		assert.True(t, test.over.Valid())
		assert.Equal(t, test.text, test.over.String())
		assert.Equal(t, test.sent, reptask.Spec{Size: test.size, Over: test.over}.Dispatched(), test.text)
	}
	assert.False(t, reptask.Over(1).Valid())
	assert.False(t, (reptask.OverNone - 1).Valid())
}

// Dispatched is k times the degree, rounded up, and at least k.
func TestDispatchedAgainstFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reptask.Spec{
			Size: rapid.Uint32Range(1, protocol.MaxItems).Draw(t, "size"),
			Over: reptask.Over(rapid.Uint32Range(1_000, 20_000).Draw(t, "over")),
		}
		exact := big.NewRat(int64(s.Size)*int64(s.Over), 1_000)
		sent := big.NewRat(int64(s.Dispatched()), 1)
		require.GreaterOrEqual(t, s.Dispatched(), s.Size)
		if s.Dispatched() < protocol.MaxItems {
			require.GreaterOrEqual(t, sent.Cmp(exact), 0, "enough")
		}
		require.Negative(t, new(big.Rat).Sub(sent, exact).Cmp(big.NewRat(1, 1)), "not more")
	})
}

// A degree that dispatches fewer than k dependents is refused, from any source.
func TestImpossibleDegree(t *testing.T) {
	f := newFeeder()
	submit := reptask.Command{
		Kind: reptask.CommandSubmit, Spec: reptask.Spec{Size: 2, Over: 999}, Candidates: []protocol.NodeID{name('B')},
	}
	assert.Equal(t, "an impossible job", ignored(f.feed(command(submit))))
	_, err := reptask.DecodeCommand(f.cfg, reptask.AppendCommand(f.cfg, nil, submit))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}
