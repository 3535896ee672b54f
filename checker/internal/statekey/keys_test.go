package statekey

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vectorsOf draws vectors whose words are small, large, extreme or those of the vector before.
func vectorsOf(r *rand.Rand, width, n int, most uint32) []uint32 {
	words := make([]uint32, n*width)
	for i := range words {
		switch r.IntN(6) {
		case 0:
			words[i] = most
		case 1:
			words[i] = 0
		case 2:
			words[i] = r.Uint32N(3)
		case 3:
			words[i] = uint32(r.Uint64N(uint64(most) + 1))
		default:
			if i >= width {
				words[i] = words[i-width]
			}
		}
	}
	return words
}

func text(vector []uint32) string {
	var b []byte
	for _, w := range vector {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return string(b)
}

// Exact keys are equal if and only if the vectors are. Fingerprints of a few thousand vectors
// should be.
func TestKeysTellVectorsApart(t *testing.T) {
	for _, kind := range []Kind{Direct, Paired, Folded, Fingerprint64, Fingerprint128} {
		for width := 1; width <= 11; width++ {
			r := rand.New(rand.NewPCG(uint64(width), uint64(kind)))
			most := uint32(math.MaxUint32)
			k := Keyer{Layout: Layout{Kind: kind}}
			switch {
			case kind == Folded && width == 1:
				continue
			case kind == Folded:
				need := make([]uint8, width)
				for i := range need {
					need[i] = 32
				}
				if r.IntN(2) == 0 {
					most = 1<<14 - 1
					need = slices.Repeat([]uint8{14}, width)
				}
				order := orders(width)[r.IntN(len(orders(width)))]
				if k.Folder = NewFolder(&PairTable{}, newLeaves(order, need)); len(k.Folder.leaves) < 2 {
					continue
				}
			case kind == Direct:
				most = uint32(1<<min(63/width, 32) - 1)
				need := make([]uint8, width)
				for i := range need {
					need[i] = uint8(min(63/width, 32))
				}
				k.Layout = NewLayout(Demand{need, need}, 0)
			case kind == Paired && width == 1:
				continue
			case kind == Paired:
				n := min(63/((width+1)/2), 32)
				most = uint32(1<<n - 1)
				k.Layout, _ = newPaired(slices.Repeat([]uint8{uint8(n)}, width))
				require.Equal(t, Paired, k.Layout.Kind, "%d words", width)
			}
			requireInjective(t, r, &k, width, most)
		}
	}
}

func requireInjective(t *testing.T, r *rand.Rand, k *Keyer, width int, most uint32) {
	vectors, keys := map[[2]uint64]string{}, map[string][2]uint64{}
	for range 100 {
		words := vectorsOf(r, width, 30, most)
		require.True(t, k.Make(words, width))
		for i, first := range k.Keys {
			key := [2]uint64{first}
			if k.Second != nil {
				key[1] = k.Second[i]
			}
			require.NotZero(t, first)
			v := text(words[i*width : (i+1)*width])
			if old, ok := vectors[key]; ok {
				require.Equal(t, old, v, "one key for two vectors")
			}
			if old, ok := keys[v]; ok {
				require.Equal(t, old, key, "two keys for one vector")
			}
			vectors[key], keys[v] = v, key
		}
	}
}

func TestADirectLayoutSaysWhatDoesNotFit(t *testing.T) {
	k := Keyer{Layout: newDirect([]uint8{3, 0, 32}, 43)}
	assert.True(t, k.Make([]uint32{7, 0, math.MaxUint32}, 3))
	assert.True(t, k.Make(nil, 3))
	for _, v := range [][]uint32{{8, 0, 0}, {0, 1, 0}} {
		assert.False(t, k.Make(v, 3))
		assert.False(t, k.Make(append(v, 0, 0, 0), 3), "another vector follows")
	}
}

// Words of different widths lie side by side.
func TestDirectKeysTellWordsOfAllWidthsApart(t *testing.T) {
	k := Keyer{Layout: newDirect([]uint8{2, 7, 1, 5, 3}, 43)}
	met := map[uint64]bool{}
	for x := range uint32(1 << 18) {
		if !k.Make([]uint32{x & 3, x >> 2 & 127, x >> 9 & 1, x >> 10 & 31, x >> 15}, 5) || met[k.Keys[0]] {
			require.Fail(t, "two vectors have the same key, or one has none", "%x", x)
		}
		met[k.Keys[0]] = true
	}
}

func TestALayoutHasRoomForWhatIsNeeded(t *testing.T) {
	// fits requires that words have as many bits as they need, and returns their sum.
	fits := func(need, given []uint8) (sum int) {
		require.Len(t, given, len(need))
		for i, n := range given {
			require.GreaterOrEqual(t, n, need[i])
			require.LessOrEqual(t, n, uint8(32))
			sum += int(n)
		}
		return sum
	}
	for _, test := range []struct {
		need       []uint8
		bytes, few int // of a slot once there are many states, and how many bits a key has at most then
	}{
		{[]uint8{32}, 4, 44}, {[]uint8{32, 31}, 7, 63}, {[]uint8{1, 1, 1}, 4, 44}, {[]uint8{0, 0}, 4, 44},
		{[]uint8{20, 20, 20, 3}, 7, 63},
		{[]uint8{5, 0, 32}, 4, 44}, {[]uint8{14, 14, 14, 1}, 4, 44}, {[]uint8{14, 14, 14, 3}, 5, 52},
		{[]uint8{17, 17, 17, 8}, 6, 60},
	} {
		for _, states := range []uint32{0, CompactFrom} {
			l := NewLayout(Demand{test.need, test.need}, states)
			require.Equal(t, Direct, l.Kind)
			given := make([]uint8, len(l.rest))
			for i, lane := range l.rest {
				given[i] = uint8(bits.OnesCount32(lane.mask))
			}
			require.LessOrEqual(t, fits(test.need, given), l.mixer.Bits())
			require.LessOrEqual(t, l.mixer.Bits(), PlaceBits+8*l.SlotBytes()-1, "slots have room for the keys")
			if states == 0 {
				require.Equal(t, DirectBits, l.mixer.Bits())
				continue
			}
			require.Equal(t, test.bytes, l.SlotBytes(), "%v", test.need)
			require.LessOrEqual(t, l.mixer.Bits(), test.few)
		}
	}
	for _, need := range [][]uint8{{32, 32}, {32, 31, 1}, {20, 20, 20, 20, 20, 20}, {0, 0, 32, 31, 32, 31}} {
		l := NewLayout(Demand{need, need}, CompactFrom)
		require.Equal(t, Paired, l.Kind)
		require.LessOrEqual(t, fits(need[:l.half], l.bits[:l.half]), DirectBits)
		require.LessOrEqual(t, fits(need[l.half:], l.bits[l.half:]), DirectBits)
		require.Equal(t, MostSlotBytes, l.SlotBytes())
	}
	for _, need := range [][]uint8{{32, 32, 32, 31}, {32, 32, 31, 32},
		{11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11}} {
		assert.Equal(t, Folded, NewLayout(Demand{need, need}, 0).Kind)
	}
}

// Words whose values are close to needing another bit get it, if that costs nothing but bits.
func TestADemandLooksAhead(t *testing.T) {
	d := DemandOf([]uint32{0, 1, 3, 100, 103, 1 << 20, math.MaxUint32})
	assert.Equal(t, []uint8{0, 1, 2, 7, 7, 21, 32}, d.Now)
	assert.Equal(t, []uint8{0, 1, 2, 7, 8, 21, 32}, d.later)
	given, room := DemandOf([]uint32{1<<30 - 1, 1<<30 - 1, 1}).share(CompactFrom)
	assert.Equal(t, []uint8{31, 31, 1}, given)
	assert.Equal(t, DirectBits, room)
	given, _ = DemandOf([]uint32{1<<31 - 1, 1<<31 - 1, 1}).share(CompactFrom)
	assert.Equal(t, []uint8{31, 31, 1}, given, "there is no more room")
}
