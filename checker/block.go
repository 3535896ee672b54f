package checker

import "sync/atomic"

// block holds the successors ("candidates") of a run of consecutive states between the phases of a
// round. Its buffers are reused from round to round.
type block struct {
	from, to uint32     // the states that are expanded
	out      Successors // the candidates of all of them, one behind the other
	ends     []uint32   // by state: the candidates up to and with those of the state
	hashes   []uint64   // by candidate
	order    []uint32   // the candidates sorted by shard, stable
	starts   []uint32   // by shard: where its part of order begins; one more entry for the end
	numbers  []uint32   // by candidate: 0 if known before, else fresh and, once settled, its number
	fresh    atomic.Uint32
	first    uint32 // the number of the first fresh candidate
	counted  int    // the bytes that the budget knows of
}

// reset prepares the block for the states [from, to).
func (b *block) reset(width int, from, to uint32) {
	b.from, b.to = from, to
	b.out.width = width
	b.out.Reset()
	b.ends = b.ends[:0]
	b.fresh.Store(0)
}

// len is the number of candidates.
func (b *block) len() int { return len(b.out.classes) }

// partition hashes the candidates and sorts them by shard with one counting sort.
func (b *block) partition(shards int) {
	n := b.len()
	b.hashes = resize(b.hashes, n)
	b.order = resize(b.order, n)
	b.numbers = resize(b.numbers, n)
	b.starts = resize(b.starts, shards+1)
	clear(b.starts)
	clear(b.numbers)
	mask := uint64(shards - 1)
	for i := range b.hashes {
		h := hashWords(b.out.vector(i))
		b.hashes[i] = h
		b.starts[h&mask]++
	}
	sum := uint32(0)
	for s, count := range b.starts {
		b.starts[s] = sum
		sum += count
	}
	for i, h := range b.hashes {
		s := h & mask
		b.order[b.starts[s]] = uint32(i)
		b.starts[s]++
	}
	copy(b.starts[1:], b.starts[:shards])
	b.starts[0] = 0
}

// shard lists the candidates that belong to a shard, in their order.
func (b *block) shard(s int) []uint32 { return b.order[b.starts[s]:b.starts[s+1]] }

// bytes is what the buffers hold.
func (b *block) bytes() int {
	return 4*(cap(b.out.words)+cap(b.ends)+cap(b.order)+cap(b.starts)+cap(b.numbers)) +
		2*cap(b.out.classes) + 8*cap(b.hashes)
}

// resize returns a slice of length n, which keeps the memory, but not the content, if it suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}
