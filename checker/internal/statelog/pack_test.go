package statelog

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// wordsOf draws words that are small, large, extreme or those of the vector before.
func wordsOf(r *rand.Rand, width, n int, most uint32) []uint32 {
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

// Packing is the inverse of unpacking, for all words.
func TestPackedChunksComeBack(t *testing.T) {
	for width := 1; width <= 9; width++ {
		for _, most := range []uint32{0, 1, 1000, math.MaxUint32} {
			r := rand.New(rand.NewPCG(uint64(width), uint64(most)))
			n := 1 + r.IntN(300)
			words := wordsOf(r, width, n, most)
			parents := make([]uint32, n)
			for i := 1; i < n; i++ {
				parents[i] = parents[i-1] + uint32(r.IntN(3)*r.IntN(400))
			}
			var p packed
			p.unpack(appendPacked(nil, width, words, parents, 0), width, n)
			vector, told := make([]uint32, width), p.appendParents(nil, n, 0)
			for i := range n {
				p.vector(i, vector)
				require.Equal(t, words[i*width:(i+1)*width], vector)
				require.Equal(t, parents[i], told[i])
			}
		}
	}
}
