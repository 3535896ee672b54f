package blame_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/blame"
)

type letter interface{ size() int }

type long struct{ Words []string }
type short struct{ word *string }

func (l long) size() int  { return len(l.Words) }
func (s short) size() int { return 1 }

type box struct {
	hidden  uint8
	Letters []letter
	Rows    [2]int
	Index   map[string]int
	Weight  float64
}

// A difference is named by the path that leads to it, and an empty list is as good as none.
func TestCompareNamesTheFirstDifference(t *testing.T) {
	one, two := "one", "two"
	for path, pair := range map[string][2]any{
		"blame_test.box.hidden: 1, 0":               {box{hidden: 1}, box{}},
		"blame_test.box.Rows[1]: 3, 4":              {box{Rows: [2]int{0, 3}}, box{Rows: [2]int{0, 4}}},
		"blame_test.box.Letters (its length): 1, 0": {box{Letters: []letter{long{}}}, box{}},
		"blame_test.box.Letters[0] (its type): blame_test.long, blame_test.short": {
			box{Letters: []letter{long{}}}, box{Letters: []letter{short{}}},
		},
		"blame_test.box.Letters[0].Words[0]: one, two": {
			box{Letters: []letter{long{[]string{one}}}}, box{Letters: []letter{long{[]string{two}}}},
		},
		"blame_test.box.Letters[0].word: one, two": {
			box{Letters: []letter{short{&one}}}, box{Letters: []letter{short{&two}}},
		},
		"blame_test.box.Index[a]: 1, 2": {box{Index: map[string]int{"a": 1}}, box{Index: map[string]int{"a": 2}}},
		"blame_test.box.Weight: 0.5, 0": {box{Weight: 0.5}, box{}},
		"the type: uint8, int":          {uint8(1), 1},
		"the type: nil, int":            {nil, 1},
	} {
		d := blame.Compare(pair[0], pair[1])
		require.NotNil(t, d, path)
		assert.Equal(t, path, d.Path+": "+d.One+", "+d.Other)
	}
	assert.Nil(t, blame.Compare(box{Letters: []letter{}}, box{}))
	assert.Nil(t, blame.Compare(long{[]string{one}}, long{[]string{"one"}}))
}

func TestRoundTrip(t *testing.T) {
	keep := blame.Codec[[]byte]{
		Kind:   "State",
		Encode: func(dst, v []byte) []byte { return append(dst, v...) },
		Decode: func(src []byte) ([]byte, error) { return src, nil },
	}
	require.NoError(t, keep.RoundTrip([]byte{1, 2}))
	require.NoError(t, keep.RoundTrip(nil))

	forgets := keep
	forgets.Encode = func(dst, v []byte) []byte { return append(dst, v[0]) }
	require.EqualError(t, forgets.RoundTrip([]byte{1, 2}),
		"AppendState or DecodeState forgets a field: []uint8 (its length): 2 was encoded, 1 was decoded")

	refuses := keep
	refuses.Decode = func([]byte) ([]byte, error) { return nil, errors.New("no") }
	require.EqualError(t, refuses.RoundTrip([]byte{1}), "DecodeState refuses what AppendState makes of [1]: no")

	alone := keep
	alone.Encode = func(_, v []byte) []byte { return append([]byte{}, v...) }
	require.EqualError(t, alone.RoundTrip([]byte{1}), "AppendState does not append to the bytes that it is given")

	count := byte(0)
	moody := keep
	moody.Encode = func(dst, v []byte) []byte { count++; return append(dst, count) }
	moody.Decode = func([]byte) ([]byte, error) { return []byte{7}, nil }
	require.EqualError(t, moody.RoundTrip([]byte{7}), "AppendState has two encodings of [7]")

	require.NoError(t, keep.Same([]byte{1}, []byte{1}))
	require.EqualError(t, keep.Same([]byte{1}, []byte{3}), "AppendState forgets a field: two values have the same "+
		"encoding, but []uint8[0] is 1 in one and 3 in the other")
}
