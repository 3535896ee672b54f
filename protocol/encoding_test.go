package protocol_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
)

// scalar is one value of an encoding, with the ways to write it and to read it back.
type scalar struct {
	kind  byte
	value uint64
}

const scalarKinds = 4

func (s scalar) signed() int64 { return int64(s.value) }

func (s scalar) node() protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(s.value), Incarnation: uint16(s.value >> 32)}
}

func (s scalar) write(dst []byte) []byte {
	switch s.kind {
	case 0:
		return protocol.AppendUint(dst, s.value)
	case 1:
		return protocol.AppendInt(dst, s.signed())
	case 2:
		return protocol.AppendBool(dst, s.value%2 == 1)
	}
	return protocol.AppendNodeID(dst, s.node())
}

// read returns what a reader makes of it, written again.
func (s scalar) read(r *protocol.Reader) []byte {
	switch s.kind {
	case 0:
		return protocol.AppendUint(nil, r.Uint(math.MaxUint64))
	case 1:
		return protocol.AppendInt(nil, r.Int(math.MaxInt64))
	case 2:
		return protocol.AppendBool(nil, r.Bool())
	}
	return protocol.AppendNodeID(nil, r.NodeID())
}

func scalars(t *rapid.T) []scalar {
	one := rapid.Custom(func(t *rapid.T) scalar {
		s := scalar{rapid.ByteMax(scalarKinds-1).Draw(t, "kind"), rapid.Uint64().Draw(t, "value")}
		if s.kind == 1 && s.signed() == math.MinInt64 {
			s.value++ // has no separate magnitude
		}
		return s
	})
	return rapid.SliceOf(one).Draw(t, "scalars")
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		written := scalars(t)
		var all []byte
		for _, s := range written {
			all = s.write(all)
		}
		kept := bytes.Clone(all)
		r := protocol.NewReader(all)
		for _, s := range written {
			require.Equal(t, s.write(nil), s.read(r))
		}
		require.NoError(t, r.Close())
		require.Equal(t, kept, all, "a reader changes nothing")
	})
}

// Cut anywhere or with anything behind it, an encoding is not one any more.
func TestTruncatedAndTrailingBytesAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		written := scalars(t)
		var all []byte
		for _, s := range written {
			all = s.write(all)
		}
		if len(all) == 0 {
			return
		}
		decode := func(src []byte) error {
			r := protocol.NewReader(src)
			for _, s := range written {
				s.read(r)
			}
			return r.Close()
		}
		cut := rapid.IntRange(0, len(all)-1).Draw(t, "cut")
		require.ErrorIs(t, decode(all[:cut]), protocol.ErrEncoding)
		tail := rapid.SliceOfN(rapid.Byte(), 1, 3).Draw(t, "tail")
		require.ErrorIs(t, decode(append(bytes.Clone(all), tail...)), protocol.ErrEncoding)
	})
}

// padded writes a number with more bytes than it needs: another form of the same number.
func padded(v uint64, extra int) []byte {
	b := binary.AppendUvarint(nil, v)
	for range extra {
		b[len(b)-1] |= 0x80
		b = append(b, 0)
	}
	return b
}

func TestOnlyTheShortestFormIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint64Max(1<<28).Draw(t, "v")
		extra := rapid.IntRange(1, 4).Draw(t, "extra")
		long := padded(v, extra)
		same, n := binary.Uvarint(long)
		require.Equal(t, v, same, "the long form means the same to encoding/binary")
		require.Equal(t, len(long), n)
		r := protocol.NewReader(long)
		require.Zero(t, r.Uint(math.MaxUint64))
		require.False(t, r.OK())
	})
}

func TestLimits(t *testing.T) {
	huge := protocol.AppendUint(nil, math.MaxUint64)
	tests := []struct {
		name string
		src  []byte
		read func(*protocol.Reader) any
		want any // nil: refused
	}{
		{"nothing", nil, func(r *protocol.Reader) any { return r.Uint(9) }, nil},
		{"zero", []byte{0}, func(r *protocol.Reader) any { return r.Uint(9) }, uint64(0)},
		{"zero in two bytes", []byte{0x80, 0}, func(r *protocol.Reader) any { return r.Uint(9) }, nil},
		{"the maximum", []byte{9}, func(r *protocol.Reader) any { return r.Uint(9) }, uint64(9)},
		{"above the maximum", []byte{10}, func(r *protocol.Reader) any { return r.Uint(9) }, nil},
		{"64 bits", huge, func(r *protocol.Reader) any { return r.Uint(math.MaxUint64) }, uint64(math.MaxUint64)},
		{
			"65 bits",
			[]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 2},
			func(r *protocol.Reader) any { return r.Uint(math.MaxUint64) },
			nil,
		},
		{"no end", bytes.Repeat([]byte{0x80}, 12), func(r *protocol.Reader) any { return r.Uint(math.MaxUint64) }, nil},
		{"the least", protocol.AppendInt(nil, -7), func(r *protocol.Reader) any { return r.Int(7) }, int64(-7)},
		{"below the least", protocol.AppendInt(nil, -8), func(r *protocol.Reader) any { return r.Int(7) }, nil},
		{"above the greatest", protocol.AppendInt(nil, 8), func(r *protocol.Reader) any { return r.Int(7) }, nil},
		{
			"no magnitude",
			protocol.AppendInt(nil, math.MinInt64),
			func(r *protocol.Reader) any { return r.Int(math.MaxInt64) },
			nil,
		},
		{"true", []byte{1}, func(r *protocol.Reader) any { return r.Bool() }, true},
		{"neither true nor false", []byte{2}, func(r *protocol.Reader) any { return r.Bool() }, nil},
		{
			"a list too long",
			protocol.AppendUint(nil, protocol.MaxItems+1),
			func(r *protocol.Reader) any { return r.Count() },
			nil,
		},
		{
			"the longest list",
			protocol.AppendUint(nil, protocol.MaxItems),
			func(r *protocol.Reader) any { return r.Count() },
			protocol.MaxItems,
		},
		{
			"an address too large",
			[]byte{0x80, 0x80, 0x80, 0x80, 0x10, 1},
			func(r *protocol.Reader) any { return r.NodeID() },
			nil,
		},
		{"an incarnation too large", []byte{1, 0x80, 0x80, 4}, func(r *protocol.Reader) any { return r.NodeID() }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := protocol.NewReader(test.src)
			got := test.read(r)
			if test.want == nil {
				assert.ErrorIs(t, r.Close(), protocol.ErrEncoding)
				return
			}
			assert.NoError(t, r.Close())
			assert.Equal(t, test.want, got)
		})
	}
}

// A signed number is read if its magnitude is at most the limit; otherwise it reads as zero.
func TestIntHasALimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "most")
		v := rapid.OneOf(rapid.SampledFrom([]int64{most, -most, most + 1, -most - 1}), rapid.Int64()).Draw(t, "v")
		r := protocol.NewReader(protocol.AppendInt(nil, v))
		got := r.Int(most)
		if v > most || v < -most {
			require.Zero(t, got)
			require.ErrorIs(t, r.Close(), protocol.ErrEncoding)
			return
		}
		require.Equal(t, v, got)
		require.NoError(t, r.Close())
	})
}

// Bytes reads exactly as many bytes as it is asked for. If there are fewer it reads none, and the
// encoding is invalid.
func TestBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "src")
		n := rapid.IntRange(-2, len(src)+2).Draw(t, "n")
		kept := bytes.Clone(src)
		r := protocol.NewReader(src)
		got := r.Bytes(n)
		if n < 0 || n > len(src) {
			require.Nil(t, got)
			require.False(t, r.OK())
			require.Zero(t, r.Left())
			return
		}
		require.True(t, bytes.Equal(src[:n], got))
		require.Equal(t, len(src)-n, r.Left())
		_ = append(got, 0)
		require.Equal(t, kept, src, "bytes appended to the result do not reach the source")
	})
}

// A list ends at the first mistake: no more items are read, however many the encoding promises.
func TestAListEndsAtTheFirstMistake(t *testing.T) {
	src := append(protocol.AppendUint(nil, protocol.MaxItems), 7, 8)
	r := protocol.NewReader(src)
	reads := 0
	items := protocol.List(r, func() uint64 {
		reads++
		return r.Uint(9)
	})
	assert.Nil(t, items)
	assert.Equal(t, 3, reads, "two items and the mistake")
	assert.ErrorIs(t, r.Close(), protocol.ErrEncoding)
}

// The first mistake is kept: all later reads return zero, so that a decoder may check at its end.
func TestAMistakeIsKept(t *testing.T) {
	r := protocol.NewReader([]byte{5, 1, 6, 7, 1})
	assert.Equal(t, uint64(5), r.Uint(9))
	assert.True(t, r.OK())
	r.Fail()
	assert.False(t, r.OK())
	assert.Zero(t, r.Uint(9))
	assert.Zero(t, r.Int(9))
	assert.False(t, r.Bool())
	assert.Zero(t, r.Count())
	assert.True(t, r.NodeID().IsNobody())
	assert.ErrorIs(t, r.Close(), protocol.ErrEncoding)
	assert.ErrorIs(t, r.Close(), protocol.ErrEncoding, "closing again forgets nothing")
}

// FuzzReader reads arbitrary bytes by an arbitrary plan, a byte a read. Encoding the values of a
// successful read gives the same bytes.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, []byte{7, 9, 1, 3, 1})
	f.Add([]byte{0, 0}, []byte{0x80, 0, 1})
	f.Add([]byte{1}, protocol.AppendInt(nil, math.MinInt64))
	f.Add([]byte{3}, []byte{0xff, 0xff, 3, 0xff, 0xff, 3})
	f.Add([]byte{0}, []byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 2})
	f.Fuzz(func(t *testing.T, plan, src []byte) {
		r := protocol.NewReader(src)
		var again []byte
		for _, kind := range plan {
			s := scalar{kind: kind % scalarKinds}
			if b := s.read(r); r.OK() {
				again = append(again, b...)
			}
		}
		if !r.OK() {
			require.ErrorIs(t, r.Close(), protocol.ErrEncoding)
			return
		}
		require.True(t, bytes.HasPrefix(src, again))
		if err := r.Close(); len(again) == len(src) {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, protocol.ErrEncoding)
		}
	})
}
