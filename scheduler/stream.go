package scheduler

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Stream returns random numbers for one purpose: "lublin sizes", "cluster choice". Streams of one
// seed and different purposes are independent, so drawing more of one thing changes no other.
func Stream(seed uint64, purpose string) *rand.Rand {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), purpose...))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}
