package hashfn

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Mixing can be undone, so no two numbers have the same key; and a key has no more bits than it
// should.
func TestMixingIsOneToOne(t *testing.T) {
	inverse := func(odd uint64) uint64 {
		x := odd
		for range 6 {
			x *= 2 - odd*x
		}
		return x
	}
	for n := 32; n <= 63; n++ {
		m, r := NewMixer(n), rand.New(rand.NewPCG(uint64(n), 4))
		require.Equal(t, n, m.Bits())
		unfold := func(y uint64) uint64 {
			x := y
			for range 3 {
				x = y ^ x>>m.half&m.top
			}
			return x
		}
		for range 1000 {
			x := r.Uint64() >> (64 - n)
			key := m.Mix(x)
			require.Equal(t, uint64(1)<<(63-n), key&^m.top)
			back := unfold(unfold(unfold(key&m.top)*inverse(mixA)) * inverse(mixB))
			require.Equal(t, x, back>>(64-n))
		}
	}
}
