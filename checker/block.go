package checker

// block holds the candidates of a run of consecutive states between the phases of a round: their
// successors, but for those that the hand knows to have been found before. Its buffers are reused.
type block struct {
	from, to uint32   // the states that are expanded
	width    int      // words of a vector
	ends     []uint32 // by state: the candidates up to and with those of the state
	words    []uint32 // the vectors of the candidates, one behind the other
	keys     []uint64 // by candidate
	second   []uint64 // by candidate, if keys are wide
	fresh    []byte   // by candidate: 1 if it was not known before
	sorted   []uint64 // the keys sorted by shard, stable
	order    []uint32 // and whose they are
	starts   []uint32 // by shard: where its part of order begins; one more entry for the end
	count    uint32   // of the fresh candidates
	first    uint32   // the number of the first fresh candidate
	counted  int      // the bytes that the budget knows of
}

// reset prepares the block for the states [from, to).
func (b *block) reset(width int, from, to uint32) {
	b.width, b.from, b.to, b.count = width, from, to, 0
	b.ends, b.words, b.keys, b.second = b.ends[:0], b.words[:0], b.keys[:0], b.second[:0]
	b.fresh, b.sorted, b.order = b.fresh[:0], b.sorted[:0], b.order[:0]
}

// len is the number of candidates.
func (b *block) len() int { return len(b.keys) }

// vector returns the words of a candidate.
func (b *block) vector(i int) []uint32 { return b.words[i*b.width : (i+1)*b.width] }

// add appends the candidates among vectors with the given keys; ends tells where those of a state end.
func (b *block) add(r *recent, words []uint32, ends []int, k *keyer) {
	if !k.layout.wide() {
		b.addSome(words, k.keys, r.pick(b, k.keys, ends))
		return
	}
	from := 0
	for _, to := range ends {
		b.addWide(r, words, k, from, to)
		b.ends = append(b.ends, uint32(b.len()))
		from = to
	}
}

// addSome adds the candidates among the vectors, which were picked.
func (b *block) addSome(words []uint32, keys []uint64, picked []uint32) {
	at, width := len(b.keys), b.width
	b.ensure(len(picked))
	b.keys = b.keys[:at+len(picked)]
	b.words = b.words[:width*len(b.keys)]
	to := b.words[width*at:]
	for n, i := range picked {
		b.keys[at+n] = keys[i]
		copy(to[:width], words[int(i)*width:])
		to = to[width:]
	}
}

// ensure makes room for so many more candidates, and where there is none, for as many as all states of the block will
// have if they go on like those so far: once, if there are not very many. The first states may have far more than others.
func (b *block) ensure(more int) {
	const many = 1 << 13
	n := b.len() + more
	if n <= cap(b.keys) && n*b.width <= cap(b.words) {
		return
	}
	if done := len(b.ends); done > 0 {
		n = max(n, min(n*int(b.to-b.from)/done*9/8, max(2*n, many)))
	}
	b.keys = append(make([]uint64, 0, n), b.keys...)
	b.words = append(make([]uint32, 0, n*b.width), b.words...)
}

// addWide is addSome for keys of two words.
func (b *block) addWide(r *recent, words []uint32, k *keyer, from, to int) {
	for i := from; i < to; i++ {
		if faultLost && k.keys[i]%4099 == 0 {
			continue
		}
		if !r.knownWide(k.keys[i], k.second[i]) {
			b.keys, b.second = append(b.keys, k.keys[i]), append(b.second, k.second[i])
			b.words = append(b.words, words[i*b.width:(i+1)*b.width]...)
		}
	}
}

// partition sorts the candidates by shard with one counting sort.
func (b *block) partition(bits uint) {
	n := b.len()
	b.order = resize(b.order, n)
	b.sorted = resize(b.sorted, n)
	b.starts = resize(b.starts, 1<<bits+1)
	starts, shift := b.starts, 64-bits
	clear(starts)
	for _, key := range b.keys {
		starts[key>>(shift&63)]++
	}
	sum := uint32(0)
	for s, count := range starts {
		starts[s] = sum
		sum += count
	}
	sorted, order := b.sorted, b.order
	for i, key := range b.keys {
		at := &starts[key>>(shift&63)]
		sorted[*at], order[*at] = key, uint32(i)
		*at++
	}
	copy(starts[1:], starts[:1<<bits])
	starts[0] = 0
}

// part is the keys of the candidates of one shard.
func (b *block) part(shard int) []uint64 { return b.sorted[b.starts[shard]:b.starts[shard+1]] }

// tally finds and counts the fresh candidates. If the block was not partitioned, they are marked.
func (b *block) tally() {
	n := uint32(0)
	if len(b.sorted) > 0 {
		b.fresh = resize(b.fresh, b.len())
		clear(b.fresh)
		for i, key := range b.sorted {
			if key == freshKey {
				b.fresh[b.order[i]] = 1
				n++
			}
		}
	} else {
		for _, fresh := range b.fresh {
			n += uint32(fresh)
		}
	}
	b.count = n
}

// bytes is what the buffers hold.
func (b *block) bytes() int {
	return 4*(cap(b.ends)+cap(b.words)+cap(b.order)+cap(b.starts)) +
		8*(cap(b.keys)+cap(b.second)+cap(b.sorted)) + cap(b.fresh)
}
