package model_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// decoder is a decoder of lessons that is made of the right one.
type decoder = func(right func([]byte) (lesson, error), src []byte) (lesson, error)

// A decoder that accepts more than encodings ends any check, although no run has such bytes.
func TestDecodersMustBeStrict(t *testing.T) {
	for says, decode := range map[string]decoder{
		"DecodeMessage accepts the bytes [00 01 00], although AppendMessage encodes the value that it makes of them " +
			"as [00 01]": func(right func([]byte) (lesson, error), src []byte) (lesson, error) {
			return right(src[:min(len(src), 2)])
		},
		"DecodeMessage accepts the bytes [00], although AppendMessage encodes the value": func(
			right func([]byte) (lesson, error), src []byte) (lesson, error) {
			if len(src) < 2 {
				return lesson{}, nil
			}
			return right(src)
		},
		"DecodeMessage or AppendMessage panics on the bytes [00]: runtime error: index out of range": func(
			right func([]byte) (lesson, error), src []byte) (lesson, error) {
			if src[1] > 1 {
				return lesson{}, protocol.ErrEncoding
			}
			return right(src)
		},
		"DecodeMessage takes more than 256 KiB of memory for the": func(
			right func([]byte) (lesson, error), src []byte) (lesson, error) {
			list = make([]lesson, min(protocol.NewReader(src).Uint(1<<64-1), 1<<24))
			return right(src)
		},
		"DecodeMessage refuses the bytes [00] with an error that is no protocol.ErrEncoding: no lesson": func(
			right func([]byte) (lesson, error), src []byte) (lesson, error) {
			l, err := right(src)
			if err != nil {
				err = errors.New("no lesson")
			}
			return l, err
		},
	} {
		c, err := school(clumsy{decode: decode}, false).Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{Workers: 1})
		require.ErrorContains(t, err, says)
	}
}

// The memory of other goroutines is not held against a decoder, even if they take much of it
// several times in a row.
func TestMemoryOfOthersIsNotTheDecoders(t *testing.T) {
	others := 10
	decode := func(right func([]byte) (lesson, error), src []byte) (lesson, error) {
		if others > 0 && protocol.NewReader(src).Uint(1<<64-1) > protocol.MaxItems {
			others--
			list = make([]lesson, 1<<20)
		}
		return right(src)
	}
	c, err := school(clumsy{decode: decode}, false).Compile()
	require.NoError(t, err)
	_, err = checker.Check(context.Background(), c.Model(), checker.Options{Workers: 1})
	require.NoError(t, err)
	require.Zero(t, others)
}

// list keeps a list on the heap.
var list []lesson

// The damages of an encoding are its truncations, a byte more, and each share of the replacements
// of each byte. All shares together have all.
func TestDamagesOfAnEncoding(t *testing.T) {
	encoded := []byte{5, 1}
	var all [][]byte
	for turn := range model.Shares {
		some := model.Damages(encoded, turn)
		for _, always := range [][]byte{{}, {5}, {5, 1, 0}, {5, 1, 1}} {
			require.Contains(t, some, always)
		}
		all = append(all, some...)
	}
	for _, replaced := range [][]byte{
		{0, 1}, {6, 1}, {4, 1}, {0x7f, 1}, {0x85, 1}, {2, 1}, {0x85, 0, 1}, {1}, {0x80, 0x20, 1}, {0xff, 0xff, 0xff, 7, 1},
		append(slices.Repeat([]byte{0xff}, 9), 1, 1), append(slices.Repeat([]byte{0xff}, 11), 1),
		{5, 0}, {5, 2}, {5, 0x7f}, {5, 0x81}, {5, 0x81, 0}, {5},
	} {
		require.Contains(t, all, replaced)
	}
	require.Equal(t, []byte{5, 1}, encoded)
}

// The first encoding of each kind is damaged, and then each that is twice as long as those before.
func TestFewEncodingsAreDamaged(t *testing.T) {
	wants := model.Sampled()
	for i, want := range []bool{true, false, false, true, false, false, true} {
		require.Equal(t, want, wants(1, []int{3, 3, 5, 6, 11, 6, 12}[i]), i)
	}
	require.True(t, wants(2, 1), "another kind")
	for tag := range byte(62) {
		require.True(t, wants(3+tag, 1))
	}
	require.False(t, wants(200, 1), "there are enough kinds")
	require.True(t, wants(2, 2))
}
