package stateset

import (
	"encoding/binary"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// ensure makes room for more keys. A table is enlarged when 85 of 100 slots are used. If the budget
// does not allow it, the table may fill up a little more. Beyond that ensure reports false.
func (v *Set) ensure(s *shard, more int) bool {
	for 100*(s.used+more) > 85*s.size || s.crowded(more) {
		if !v.enlarge(s, more) {
			return !v.budget.Exceeded.Load()
		}
	}
	return true
}

// crowded reports whether this number of keys might leave a region without a free slot, where
// look-ups end.
func (s *shard) crowded(more int) bool {
	return s.regions > 0 && int(s.fullest)+more > mostFill(s.span())
}

// mostFill is how many slots of a region may be used.
func mostFill(span int) int { return span - span/64 }

// even reports whether the keys of a table without regions would leave room in all regions of
// another.
func (s *shard) even(f format, size int) bool {
	var fill [mostRegions]int
	for slot := range s.size {
		if word := s.at(slot); word != 0 {
			fill[f.region(word, 0)]++ // the bits that choose the shard are removed
		}
	}
	return slices.Max(fill[:]) <= mostFill(size>>f.regions)
}

// grown is the size after the given one: small tables double, large ones grow by half, so that at
// least 56 of 100 slots are used. The first sizes differ, so that the tables do not all grow at the
// same time.
func (s *shard) grown() int {
	size := s.size
	switch {
	case size == 0:
		return s.least
	case size < 1<<10:
		return 2 * size
	}
	return size + size/2
}

// enlarge moves a shard to a larger table. It reports false if there is no memory for that; if the
// shard cannot do without, the budget is then exceeded.
func (v *Set) enlarge(s *shard, more int) bool {
	size := s.grown()
	f := v.newFormat(s, size)
	size -= size & (1<<f.regions - 1) // regions are equal
	need := 8 * f.words(size)
	if f == s.format {
		need -= 8 * len(s.slots) // otherwise there are two tables for a moment
	}
	if !v.budget.Ask(need, 100*(s.used+more) > 92*s.size || s.crowded(more)) {
		return false
	}
	if f == s.format {
		v.stretch(s, size)
	} else {
		v.budget.Give(8 * len(s.slots))
		v.reformat(s, f, size)
	}
	return true
}

// words is how much memory a table of a size takes.
func (f *format) words(size int) int { return (size*f.stride + 7) / 8 }

// reformat moves a shard without regions to another table.
func (v *Set) reformat(s *shard, f format, size int) {
	old := *s
	s.slots, s.format, s.size, s.fullest = memory.GrowSlots(nil, f.words(size)), f, size, 0
	s.view()
	s.fill = [mostRegions]int32{}
	if old.used > 0 {
		keys := v.buffer()
		*keys = old.take((*keys)[:0], 0, 0, old.size, v.Bits)
		s.fillIn(*keys, v.Bits)
		for i := 0; i < len(*keys); i += len(*keys) / old.used {
			s.fill[f.region((*keys)[i], v.Bits)]++
		}
		s.fullest = slices.Max(s.fill[:])
		v.spare.Put(keys)
	}
	memory.FreeSlots(old.slots)
}

// buffer returns room for keys that are moved.
func (v *Set) buffer() *[]uint64 {
	if keys, ok := v.spare.Get().(*[]uint64); ok {
		return keys
	}
	return new([]uint64)
}

// stretch enlarges a table in place, so that there are never two. It goes from the last region to
// the first. Each region moves up, to where its predecessor there has been moved already.
func (v *Set) stretch(s *shard, size int) {
	span := s.span()
	s.slots, s.size = memory.GrowSlots(s.slots, s.words(size)), size
	s.view()
	keys := v.buffer()
	for region := 1<<s.regions - 1; region >= 0; region-- {
		*keys = s.take((*keys)[:0], region, region*span, (region+1)*span, v.Bits)
		clear(s.table[region*s.span()*s.stride : (region+1)*s.span()*s.stride])
		s.fillIn(*keys, v.Bits)
	}
	v.spare.Put(keys)
}

// take appends the keys of some slots of a region, except for the bits that choose the shard; of
// wide keys it appends both halves. Free slots cannot be predicted, so there is no branch: the key
// of a free slot is overwritten.
func (s *shard) take(keys []uint64, region, from, to int, bits uint) []uint64 {
	f, table, n, halves := s.format, s.table, len(keys), 1
	if f.wide() {
		halves = 2
	}
	keys = slices.Grow(keys, halves*(to-from+1))
	keys = keys[:cap(keys)]
	for at := from * f.stride; at < to*f.stride; at += f.stride {
		word := readWord(table, at, f.bytes-4)
		keys[n] = f.key(region, word, bits)
		if halves == 2 {
			keys[n+1] = binary.LittleEndian.Uint64(table[at+f.bytes:])
		}
		n += halves & -int(word&1) // the lowest bit of a used slot is set
	}
	return keys[:n]
}

// fillIn writes keys to free slots. None of them is in the table yet, and they are counted already.
func (s *shard) fillIn(keys []uint64, bits uint) {
	f, table, size, span := s.format, s.table, uint64(s.size), s.span()*s.stride
	for i := 0; i < len(keys); i++ {
		key := keys[i]
		at, end := home(key, bits, size)*f.stride, (f.region(key, bits)+1)*span
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
