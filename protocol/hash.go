package protocol

import "hash/fnv"

// Hash is the consistent hash of the papers: an order of nodes and jobs that is independent of
// their names and the same on all machines. It is FNV-1a of the canonical encoding, finished with
// the mixer of MurmurHash3, since the last bytes of an input reach few bits of FNV alone. It
// resists no adversary, and hashes may collide: compare the hashed values next.
func Hash(encoding []byte) uint64 {
	sum := fnv.New64a()
	sum.Write(encoding) // never fails
	h := sum.Sum64()
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Hash is the consistent hash of an identity.
func (id NodeID) Hash() uint64 { return Hash(AppendNodeID(nil, id)) }
