package checker

import (
	"encoding/binary"
	"slices"
)

// ensure makes room for so many more keys. A table is enlarged when four fifths of it are used; if the
// budget does not allow it the table may fill up a little more. Beyond that ensure reports false.
func (v *visited) ensure(s *shard, more int) bool {
	for 5*(s.used+more) > 4*s.size || s.crowded(more) {
		if !v.enlarge(s, more) {
			return !v.budget.exceeded.Load()
		}
	}
	return true
}

// crowded reports whether so many more keys might leave a region without a free slot, where look-ups end.
func (s *shard) crowded(more int) bool {
	return s.regions > 0 && int(s.fullest)+more > mostFill(s.span())
}

// mostFill is how many slots of a region may be used.
func mostFill(span int) int { return span - span/64 }

// spread reports whether the keys of a table without regions would leave room in all regions of another.
func (s *shard) spread(regions uint, size int, bits uint) bool {
	var fill [mostRegions]int
	for slot := range s.size {
		if word := s.at(slot); word != 0 {
			fill[word>>1>>(63-regions)]++
		}
	}
	return slices.Max(fill[:]) <= mostFill(size>>regions)
}

// grown is the size after the given one: small tables grow fast, large ones by two fifths, so that at least
// 57 in a hundred slots are used. The first sizes differ, so that not all tables are outgrown, and hence large, at
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
	return size + size*2/5
}

// enlarge moves a shard to a larger table. If it reports false there is no memory for that, and if the
// shard cannot do without, the budget says so.
func (v *visited) enlarge(s *shard, more int) bool {
	size := s.grown()
	f := v.newFormat(s, size)
	size -= size & (1<<f.regions - 1) // regions are equal
	need := 8 * f.words(size)
	if f == s.format {
		need -= 8 * len(s.slots) // else there are two tables for a moment
	}
	if !v.budget.ask(need, 100*(s.used+more) > 92*s.size || s.crowded(more)) {
		return false
	}
	if f == s.format {
		v.stretch(s, size)
	} else {
		v.budget.give(8 * len(s.slots))
		s.reformat(f, size, v.bits)
	}
	return true
}

// words is how much memory a table of a size takes.
func (f *format) words(size int) int { return (size*f.stride + 7) / 8 }

// reformat moves a shard without regions to another table.
func (s *shard) reformat(f format, size int, bits uint) {
	old := *s
	s.slots, s.format, s.size = growSlots(nil, f.words(size)), f, size
	s.view()
	s.used, s.fullest, s.fill = 0, 0, [mostRegions]int32{}
	for slot := range old.size {
		if word := old.at(slot); word != 0 {
			s.add(old.key(0, word, bits), old.second(slot), bits)
		}
	}
	freeSlots(old.slots)
}

// key is that of a word in a region of some shard, but for the bits that choose the shard.
func (f *format) key(region int, word uint64, bits uint) uint64 {
	return (uint64(region)<<(64-f.regions) | word<<(64-8*f.bytes)>>f.regions) >> bits
}

// stretch enlarges a table in place, so that there are never two. It goes from the last region to the first, each of which
// moves up, to where what was there has been moved already.
func (v *visited) stretch(s *shard, size int) {
	span := s.span()
	s.slots, s.size = growSlots(s.slots, s.words(size)), size
	s.view()
	keys, _ := v.spare.Get().(*[]uint64)
	if keys == nil {
		keys = new([]uint64)
	}
	for region := 1<<s.regions - 1; region >= 0; region-- {
		*keys = s.take((*keys)[:0], region, region*span, (region+1)*span, v.bits)
		clear(s.table[region*s.span()*s.stride : (region+1)*s.span()*s.stride])
		s.fillIn(*keys, region, v.bits)
	}
	v.spare.Put(keys)
}

// take appends the keys of some slots of a region: if they are wide, both halves of each.
func (s *shard) take(keys []uint64, region, from, to int, bits uint) []uint64 {
	f, table := s.format, s.table
	for at := from * f.stride; at < to*f.stride; at += f.stride {
		word := readWord(table, at, f.bytes-4)
		if word == 0 {
			continue
		}
		keys = append(keys, f.key(region, word, bits))
		if f.wide() {
			keys = append(keys, binary.LittleEndian.Uint64(table[at+f.bytes:]))
		}
	}
	return keys
}

// fillIn writes keys of a region to free slots of it. None of them is there yet, and they are counted already.
func (s *shard) fillIn(keys []uint64, region int, bits uint) {
	f, table, size, span := s.format, s.table, uint64(s.size), s.span()*s.stride
	end := (region + 1) * span
	for i := 0; i < len(keys); i++ {
		key := keys[i]
		at := home(key, bits, size) * f.stride
		for readLow(table, at) != 0 {
			if at += f.stride; at == end {
				at -= span
			}
		}
		writeWord(table, at, f.bytes-4, f.word(key, bits))
		if f.wide() {
			i++
			binary.LittleEndian.PutUint64(table[at+f.bytes:], keys[i])
		}
	}
}
