package stateset

import (
	"github.com/canvass-grid/canvass/checker/internal/fault"
	"github.com/canvass-grid/canvass/checker/internal/memory"
	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// Block holds the candidates of a run of consecutive states between the phases of a round: their
// successors, except known ones. Its buffers are reused.
type Block struct {
	From, To uint32   // the states that are expanded
	Width    int      // words of a vector
	Ends     []uint32 // by state: where its candidates end
	Words    []uint32 // the vectors of the candidates, one after the other
	Keys     []uint64 // by candidate
	Second   []uint64 // by candidate, if keys are wide
	Fresh    []byte   // by candidate: 1 if it was not known before
	sorted   []uint64 // the keys sorted by shard, stable
	order    []uint32 // and the candidates they belong to
	starts   []uint32 // by shard: where its part of order begins; one more entry for the end
	Count    uint32   // of the fresh candidates
	First    uint32   // the number of the first fresh candidate
	Counted  int      // the bytes that the budget has counted
}

// Reset prepares the block for the states [from, to).
func (b *Block) Reset(width int, from, to uint32) {
	b.Width, b.From, b.To, b.Count = width, from, to, 0
	b.Ends, b.Words, b.Keys, b.Second = b.Ends[:0], b.Words[:0], b.Keys[:0], b.Second[:0]
	b.Fresh, b.sorted, b.order = b.Fresh[:0], b.sorted[:0], b.order[:0]
}

// Len is the number of candidates.
func (b *Block) Len() int { return len(b.Keys) }

// Vector returns the words of a candidate.
func (b *Block) Vector(i int) []uint32 { return b.Words[i*b.Width : (i+1)*b.Width] }

// Add appends the candidates among vectors with the given keys; ends has where those of each state
// end.
func (b *Block) Add(r *Recent, words []uint32, ends []int, k *statekey.Keyer) {
	if !k.Layout.Wide() {
		b.addSome(words, k.Keys, r.pick(b, k.Keys, ends))
		return
	}
	from := 0
	for _, to := range ends {
		b.addWide(r, words, k, from, to)
		b.Ends = append(b.Ends, uint32(b.Len()))
		from = to
	}
}

// addSome adds the picked vectors.
func (b *Block) addSome(words []uint32, keys []uint64, picked []uint32) {
	at, width := len(b.Keys), b.Width
	b.ensure(len(picked))
	b.Keys = b.Keys[:at+len(picked)]
	b.Words = b.Words[:width*len(b.Keys)]
	to := b.Words[width*at:]
	for n, i := range picked {
		b.Keys[at+n] = keys[i]
		copy(to[:width], words[int(i)*width:])
		to = to[width:]
	}
}

// ensure makes room for more candidates. If there is none, it estimates how many all states of the
// block will have from those so far, once there are enough; the first states may have far more than
// others.
func (b *Block) ensure(more int) {
	const many = 1 << 13
	n := b.Len() + more
	if n <= cap(b.Keys) && n*b.Width <= cap(b.Words) {
		return
	}
	if done := len(b.Ends); done > 0 {
		n = max(n, min(n*int(b.To-b.From)/done*9/8, max(2*n, many)))
	}
	b.Keys = append(make([]uint64, 0, n), b.Keys...)
	b.Words = append(make([]uint32, 0, n*b.Width), b.Words...)
}

// addWide is addSome for keys of two words.
func (b *Block) addWide(r *Recent, words []uint32, k *statekey.Keyer, from, to int) {
	for i := from; i < to; i++ {
		if fault.Lost && k.Keys[i]%4099 == 0 {
			continue
		}
		if !r.knownWide(k.Keys[i], k.Second[i]) {
			b.Keys, b.Second = append(b.Keys, k.Keys[i]), append(b.Second, k.Second[i])
			b.Words = append(b.Words, words[i*b.Width:(i+1)*b.Width]...)
		}
	}
}

// Partition sorts the candidates by shard with one counting sort.
func (b *Block) Partition(bits uint) {
	n := b.Len()
	b.order = memory.Resize(b.order, n)
	b.sorted = memory.Resize(b.sorted, n)
	b.starts = memory.Resize(b.starts, 1<<bits+1)
	starts, shift := b.starts, 64-bits
	clear(starts)
	for _, key := range b.Keys {
		starts[key>>(shift&63)]++
	}
	sum := uint32(0)
	for s, count := range starts {
		starts[s] = sum
		sum += count
	}
	sorted, order := b.sorted, b.order
	for i, key := range b.Keys {
		at := &starts[key>>(shift&63)]
		sorted[*at], order[*at] = key, uint32(i)
		*at++
	}
	copy(starts[1:], starts[:1<<bits])
	starts[0] = 0
}

// part is the keys of the candidates of one shard.
func (b *Block) part(shard int) []uint64 { return b.sorted[b.starts[shard]:b.starts[shard+1]] }

// CountFresh counts the fresh candidates, and marks them if the block was partitioned.
func (b *Block) CountFresh() {
	n := uint32(0)
	if len(b.sorted) > 0 {
		b.Fresh = memory.Resize(b.Fresh, b.Len())
		clear(b.Fresh)
		for i, key := range b.sorted {
			if key == freshKey {
				b.Fresh[b.order[i]] = 1
				n++
			}
		}
	} else {
		for _, fresh := range b.Fresh {
			n += uint32(fresh)
		}
	}
	b.Count = n
}

// Bytes is the size of the buffers.
func (b *Block) Bytes() int {
	return 4*(cap(b.Ends)+cap(b.Words)+cap(b.order)+cap(b.starts)) +
		8*(cap(b.Keys)+cap(b.Second)+cap(b.sorted)) + cap(b.Fresh)
}
