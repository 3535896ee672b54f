package checker

// visited is the set of states found, or rather of their keys (keys.go). Whether it is exact is up to
// the keys: to the set, equal keys are equal states.
//
// The set is divided by the leading bits of the keys into shards. While states are admitted each shard has
// one owner, so it needs no lock; at all other times the set is only read.
type visited struct {
	shards []shard
	bits   uint // the leading bits that choose the shard
	wide   bool // keys have a second half
	lossy  bool // the set is a bitstate set (bitstate.go)
	budget *budget
}

// shard is a hash table with linear probing. A slot is a key, or 0 if free; wide keys take two words. The
// place of a key grows with the key, so that a larger table is filled in the order in which the old one
// is read, and any factor of growth will do.
type shard struct {
	slots    []uint64
	size     int // in keys
	least    int // the first size
	used     int
	ordinals []uint32 // by slot, once the search is over and if they are asked for

	warmed uint64   // what warm read, kept so that the reads are not optimised away
	_      [64]byte // keeps the counters of neighbours apart
}

// leastShards is how many shards there are at least: enough that a shard being worked on stays in the caches.
const leastShards = 256

// newVisited returns an empty set with a power of two of shards, at least so many.
func newVisited(atLeast int, budget *budget) *visited {
	v := &visited{bits: 8, budget: budget}
	for 1<<v.bits < min(max(atLeast, leastShards), 4096) {
		v.bits++
	}
	v.shards = make([]shard, 1<<v.bits)
	for i := range v.shards {
		v.shards[i].least = minTable + i%minTable
	}
	return v
}

// shardOf is the number of the shard of a key.
func (v *visited) shardOf(key uint64) int { return int(key >> (64 - v.bits)) }

// home is where a key belongs in a table of the given size, in keys.
func home(key uint64, bits uint, size uint64) int {
	return int(key << (bits & 63) >> 32 * size >> 32)
}

// words is how many words a key takes.
func (v *visited) words() int {
	if v.wide {
		return 2
	}
	return 1
}

// touchAhead is how many candidates are looked up ahead of time together.
const touchAhead = 32

// touch loads the slots that the look-ups of a few keys begin at. Here the loads do not depend on each
// other, so the processor waits for all of them at once, and the look-ups that follow need not wait.
func (s *shard) touch(keys []uint64, bits uint) {
	sum, size, slots := uint64(0), uint64(s.size), s.slots
	for _, key := range keys {
		sum += slots[home(key, bits, size)]
	}
	s.warmed = sum
}

// touchWide is touch for keys of two words.
func (s *shard) touchWide(keys []uint64, bits uint) {
	sum, size, slots := uint64(0), uint64(s.size), s.slots
	for _, key := range keys {
		sum += slots[2*home(key, bits, size)]
	}
	s.warmed = sum
}

// freshKey takes the place of the key of a candidate that was not known before. The owner of a shard writes
// there, and not beside the candidate, so that owners do not write to the same cache lines.
const freshKey = 0

// admit takes the candidates of one shard into the set, block by block in their order, and marks those
// that were not in it. It reports false if the budget ran out; then the set must not be used any more.
func (v *visited) admit(number int, blocks []*block) bool {
	s := &v.shards[number]
	for _, b := range blocks {
		from, to := b.starts[number], b.starts[number+1]
		if v.lossy {
			v.admitBits(s, b, from, to)
			continue
		}
		for from < to {
			n := min(to-from, touchAhead)
			if !v.ensure(s, int(n)) {
				return false
			}
			if v.wide {
				s.touchWide(b.sorted[from:from+n], v.bits)
				v.admitWide(s, b, from, from+n)
			} else {
				s.touch(b.sorted[from:from+n], v.bits)
				v.admitSome(s, b, from, from+n)
			}
			from += n
		}
	}
	return true
}

// admitSome admits a few candidates, for which there is room.
func (v *visited) admitSome(s *shard, b *block, from, to uint32) {
	slots, size, used := s.slots, uint64(s.size), s.used
	sorted := b.sorted[from:to]
	for i, key := range sorted {
		at := home(key, v.bits, size)
		for slots[at] != key {
			if slots[at] == 0 {
				slots[at] = key
				used++
				sorted[i] = freshKey
				break
			}
			if at++; at == len(slots) {
				at = 0
			}
		}
	}
	s.used = used
}

// admitWide is admitSome for keys of two words.
func (v *visited) admitWide(s *shard, b *block, from, to uint32) {
	for i := from; i < to; i++ {
		if s.add(v, b.sorted[i], b.second[b.order[i]]) {
			b.sorted[i] = freshKey
		}
	}
}

// add adds one key, for which there is room, and reports whether it is new.
func (s *shard) add(v *visited, key, second uint64) bool {
	at, known := v.slot(s, key, second)
	if known {
		return false
	}
	s.used++
	if v.wide {
		s.slots[2*at], s.slots[2*at+1] = key, second
	} else {
		s.slots[at] = key
	}
	return true
}

// slot finds a key, or the slot where it would go.
func (v *visited) slot(s *shard, key, second uint64) (at int, known bool) {
	words := v.words()
	for at = home(key, v.bits, uint64(s.size)); ; {
		switch found := s.slots[at*words]; {
		case found == 0:
			return at, false
		case found == key && (!v.wide || s.slots[2*at+1] == second):
			return at, true
		}
		if at++; at == s.size {
			at = 0
		}
	}
}

// has reports whether the set has the key of the i-th vector that was given to a keyer.
func (v *visited) has(k *keyer, i int) bool {
	s := &v.shards[v.shardOf(k.keys[i])]
	if v.lossy {
		return s.size > 0 && s.hasBits(k.keys[i], v.bits)
	}
	_, _, known := v.locate(k, i)
	return known
}

// admitAll admits all candidates one after the other, for rounds that are not worth more.
func (v *visited) admitAll(blocks []*block) bool {
	for _, b := range blocks {
		b.fresh = resize(b.fresh, b.len())
		clear(b.fresh)
		for i, key := range b.keys {
			s := &v.shards[v.shardOf(key)]
			if v.lossy {
				if s.addBits(key, v.bits) {
					b.fresh[i] = 1
				}
				continue
			}
			if !v.ensure(s, 1) {
				return false
			}
			second := uint64(0)
			if v.wide {
				second = b.second[i]
			}
			if s.add(v, key, second) {
				b.fresh[i] = 1
			}
		}
	}
	return true
}

// ensure makes room for so many more keys. A table is enlarged when four fifths of it are used; if the
// budget does not allow it the table may fill up a little more. Beyond that ensure reports false.
func (v *visited) ensure(s *shard, more int) bool {
	for 5*(s.used+more) > 4*s.size {
		if !v.enlarge(s, more) {
			return !v.budget.exceeded.Load()
		}
	}
	return true
}

// grown is the size after the given one: small tables grow fast, large ones by a quarter, so that at least
// 64 in a hundred slots are used. The first sizes differ, so that not all tables are outgrown, and hence large, at
// the same time.
func (s *shard) grown() int {
	size := s.size
	switch {
	case size == 0:
		return s.least
	case size < 1<<10:
		return 2 * size
	case size < 1<<13:
		return size + size/2
	}
	return size + size/4
}

// enlarge moves a shard to a larger table. If it reports false there is no memory for that, and if the
// shard cannot do without, the budget says so. The table is enlarged in place, so that there are never two.
func (v *visited) enlarge(s *shard, more int) bool {
	size, words := s.grown(), v.words()
	if !v.budget.ask(8*(size-s.size)*words, 100*(s.used+more) > 92*s.size) {
		return false
	}
	old := s.size
	s.slots, s.size = growSlots(s.slots, size*words), size
	if v.wide {
		v.spreadWide(s, old)
	} else {
		v.spread(s, old)
	}
	return true
}

// spread moves the keys of a table that has been enlarged to where they belong now. It goes from the last
// to the first: a key moves up, to where all the keys are in place already. Keys that would not, which lie
// near the beginning or far from home, wait until all others are in place.
func (v *visited) spread(s *shard, old int) {
	slots, bits := s.slots, v.bits
	var waiting []uint64
	for i := old - 1; i >= 0; i-- {
		key := slots[i]
		if key == 0 {
			continue
		}
		slots[i] = 0
		at := home(key, bits, uint64(len(slots)))
		if at > i {
			for at < len(slots) && slots[at] != 0 {
				at++
			}
			if at < len(slots) {
				slots[at] = key
				continue
			}
		}
		waiting = append(waiting, key)
	}
	for _, key := range waiting {
		at, _ := v.slot(s, key, 0)
		slots[at] = key
	}
}

// spreadWide is spread for keys of two words.
func (v *visited) spreadWide(s *shard, old int) {
	slots, size := s.slots, s.size
	var waiting []uint64
	for i := old - 1; i >= 0; i-- {
		key, second := slots[2*i], slots[2*i+1]
		if key == 0 {
			continue
		}
		slots[2*i], slots[2*i+1] = 0, 0
		at := home(key, v.bits, uint64(size))
		for at > i && at < size && slots[2*at] != 0 {
			at++
		}
		if at <= i || at == size {
			waiting = append(waiting, key, second)
			continue
		}
		slots[2*at], slots[2*at+1] = key, second
	}
	for ; len(waiting) > 0; waiting = waiting[2:] {
		at, _ := v.slot(s, waiting[0], waiting[1])
		slots[2*at], slots[2*at+1] = waiting[0], waiting[1]
	}
}

// clear empties the set.
func (v *visited) clear() {
	for i := range v.shards {
		s := &v.shards[i]
		freeSlots(s.slots)
		v.budget.give(8*len(s.slots) + 4*len(s.ordinals))
		*s = shard{least: s.least}
	}
}

// count is the number of keys.
func (v *visited) count() uint64 {
	sum := 0
	for i := range v.shards {
		sum += v.shards[i].used
	}
	return uint64(sum)
}

// bytes is the size of the tables.
func (v *visited) bytes() uint64 {
	sum := 0
	for i := range v.shards {
		sum += 8*len(v.shards[i].slots) + 4*len(v.shards[i].ordinals)
	}
	return uint64(sum)
}
