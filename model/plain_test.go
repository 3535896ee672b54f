package model_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// rich has a field of every plain kind.
type rich struct {
	Flag   bool
	Small  int8
	Large  int64
	Byte   uint8
	Wide   uint64
	Word   uint16
	Name   string
	List   []int16
	Nested []struct{ Names []string }
	Pair   [2]struct{ A, B uint32 }
}

func plainCore[S any]() protocol.Core[S, int8, string] {
	return model.Plain(func(s S, _ protocol.Input[int8, string]) (S, protocol.Output[int8]) {
		return s, protocol.Output[int8]{}
	})
}

// Different values have different encodings, and every encoding is read back.
func TestPlainEncodingsAreCanonical(t *testing.T) {
	core := plainCore[rich]()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Make[rich]().Draw(t, "a"), rapid.Make[rich]().Draw(t, "b")
		for _, value := range []rich{a, b} {
			encoded := core.AppendState(nil, value)
			decoded, err := core.DecodeState(encoded)
			require.NoError(t, err)
			require.Equal(t, core.StateText(value), core.StateText(decoded))
			require.Equal(t, encoded, core.AppendState(nil, decoded))
		}
		same := bytes.Equal(core.AppendState(nil, a), core.AppendState(nil, b))
		require.Equal(t, core.StateText(a) == core.StateText(b), same)
	})
}

func TestPlainLimits(t *testing.T) {
	core := plainCore[rich]()
	for _, v := range []rich{
		{Large: math.MinInt64, Wide: math.MaxUint64, Small: math.MinInt8}, {Large: math.MaxInt64, Name: "\xff\x00"},
	} {
		decoded, err := core.DecodeState(core.AppendState([]byte{}, v))
		require.NoError(t, err)
		assert.Equal(t, v, decoded)
	}
	encoded := core.AppendState(nil, rich{Name: "x"})
	for cut := range encoded {
		_, err := core.DecodeState(encoded[:cut])
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err := core.DecodeMessage(protocol.AppendUint(nil, 300))
	require.ErrorIs(t, err, protocol.ErrEncoding, "too large for an int8")
}

// A list that could not be read back is not written.
func TestPlainListsAreNotLong(t *testing.T) {
	core := plainCore[rich]()
	long := rich{List: make([]int16, protocol.MaxItems)}
	decoded, err := core.DecodeState(core.AppendState(nil, long))
	require.NoError(t, err)
	require.Equal(t, core.StateText(long), core.StateText(decoded))
	long.List = append(long.List, 1)
	assert.PanicsWithError(
		t,
		"model: a []int16 of 4097 items is not plain: at most 4096 are possible",
		func() { core.AppendState(nil, long) },
	)
	assert.Panics(t, func() { core.AppendState(nil, rich{Name: string(make([]byte, protocol.MaxItems+1))}) })
}

func TestWhatIsNotPlain(t *testing.T) {
	mustPanic := func(says string, f func()) {
		t.Helper()
		assert.PanicsWithError(t, says, f)
	}
	const advice = " is not plain: use booleans, integers, strings, slices, arrays and structs"
	mustPanic("model: map[int]bool"+advice, func() { plainCore[map[int]bool]() })
	mustPanic("model: *int"+advice, func() { plainCore[[]struct{ P *int }]() })
	mustPanic("model: float64"+advice, func() { plainCore[[3]float64]() })
	mustPanic(
		"model: struct { hidden int } is not plain: its field hidden is not exported",
		func() { plainCore[struct{ hidden int }]() },
	)
}
