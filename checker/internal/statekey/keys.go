package statekey

import (
	"math"
	"math/bits"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// Kind is a kind of key: see the package comment.
type Kind uint8

const (
	Direct Kind = iota
	Grouped
	Paired
	Folded
	Fingerprint64
	Fingerprint128
)

// Layout is how keys are made.
type Layout struct {
	Kind   Kind
	bits   []uint8      // paired: by word
	rest   []lane       // direct: the words; grouped: those outside the group
	mixer  hashfn.Mixer // direct, grouped: of the numbers that stand for vectors
	Group  *group       // grouped
	half   int          // paired: the number of words in the first half
	Seed   uint64       // hashed
	Leaves []leaf       // folded
}

// The format of slots in the visited set: see package stateset.
const (
	// PlaceBits is how many leading bits of a key the position of a slot implies in a large table.
	PlaceBits = 13
	// LeastSlotBytes and MostSlotBytes bound how many bytes a slot of a large table has for the
	// first half of a key. The latter has room for all bits that the position does not imply, and
	// the bit that is always set.
	LeastSlotBytes, MostSlotBytes = 4, 7
)

// DirectBits is how many bits the words of a direct key may take. They are followed by a 1, so that
// no key is 0.
const DirectBits = 63

// CompactFrom is the number of states from which on keys have no more bits than they need. Below
// it, tables are small and gain nothing, and keys would be remade whenever a word outgrows its
// bits.
const CompactFrom = 1 << 21

// Demand is how many bits words, or other parts of a key, need: now, and once their values have
// grown by a quarter.
type Demand struct{ Now, later []uint8 }

// DemandOf is the demand of words whose values are at most so large.
func DemandOf(most []uint32) Demand {
	d := Demand{make([]uint8, len(most)), make([]uint8, len(most))}
	for i, value := range most {
		d.Now[i], d.later[i] = uint8(bits.Len32(value)), uint8(bits.Len32(value+min(value/4, math.MaxUint32-value)))
	}
	return d
}

// total is the sum of the bits.
func total(parts []uint8) (sum int) {
	for _, n := range parts {
		sum += int(n)
	}
	return sum
}

// share allots the bits of a direct key to its parts, given the number of states found: in the end
// no more than fill the slots of the visited set.
func (d Demand) share(states uint32) (given []uint8, room int) {
	later := total(d.later)
	for bytes := LeastSlotBytes; bytes < MostSlotBytes && states >= CompactFrom; bytes++ {
		if room := PlaceBits + 8*bytes - 1; later <= room {
			return spread(d.later, room), room
		}
	}
	if later <= DirectBits {
		return spread(d.later, DirectBits), DirectBits
	}
	return spread(d.Now, DirectBits), DirectBits
}

// SlotBytes is how many bytes a slot of a large table must have.
func (l *Layout) SlotBytes() int {
	if l.mixer == (hashfn.Mixer{}) {
		return MostSlotBytes
	}
	return max((l.mixer.Bits()+1-PlaceBits+7)/8, LeastSlotBytes)
}

// NewLayout allots bits to the words of states, given how many states have been found. The bits to
// spare go to all words in proportion, for values that grow. If the words do not fit, they are
// split or folded.
func NewLayout(d Demand, states uint32) Layout {
	if total(d.Now) > DirectBits {
		if l, ok := newPaired(d.Now); ok {
			return l
		}
		return Layout{Kind: Folded, Leaves: newLeaves(orders(len(d.Now))[0], d.Now)}
	}
	return newDirect(d.share(states))
}

// newDirect makes the layout of direct keys of the given number of bits, given the bits of each
// word.
func newDirect(given []uint8, room int) Layout {
	places := make([]int, len(given))
	for i := range given {
		places[i] = i
	}
	return Layout{Kind: Direct, rest: lanesOf(places, given), mixer: hashfn.NewMixer(room)}
}

// spread distributes bits among words by their least numbers.
func spread(need []uint8, most int) []uint8 {
	sum := total(need)
	given, spare := make([]uint8, len(need)), most-sum
	for i, n := range need {
		given[i] = n + uint8(min(spare*(int(n)+1)/(sum+len(need)), 32-int(n)))
	}
	return given
}

// packBits puts words side by side after a 1, each in its own number of bits.
func packBits(widths []uint8, vector []uint32) (key, over uint64) {
	key = 1
	widths = widths[:len(vector)]
	for i, w := range vector {
		n := widths[i] & 63
		key = key<<n | uint64(w)
		over |= uint64(w) >> n
	}
	return key, over
}

// lane is the position of a word in a number: its shift, and the bits that it must fit into.
type lane struct {
	at    int32
	mask  uint32
	shift uint8
}

// lanesOf puts some of the words side by side in the given bits, the last one at the bottom.
func lanesOf(places []int, widths []uint8) []lane {
	lanes, shift := make([]lane, len(places)), uint8(0)
	for i := len(places) - 1; i >= 0; i-- {
		lanes[i] = lane{int32(places[i]), uint32(1<<widths[i] - 1), shift}
		shift += widths[i]
	}
	return lanes
}

// packLanes puts some of the words of a vector side by side. Bits that do not fit are returned in
// over. No step waits for the one before.
func packLanes(lanes []lane, vector []uint32) (packed uint64, over uint32) {
	for i := range lanes {
		l := &lanes[i]
		w := vector[l.at]
		packed |= uint64(w) << (l.shift & 63)
		over |= w &^ l.mask
	}
	return packed, over
}

// packAll is packLanes for all vectors, stored one after the other. It takes one word of all
// vectors after the other, so that common values stay in registers.
func packAll(packed []uint64, lanes []lane, words []uint32, width int) (over uint32) {
	if len(packed) == 0 {
		return 0
	}
	clear(packed)
	for _, l := range lanes {
		over |= l.pack(packed, words[l.at:], width)
	}
	return over
}

// pack adds one word of all vectors; words begins with that of the first vector.
func (l lane) pack(packed []uint64, words []uint32, width int) (over uint32) {
	at, all, shift := 0, uint32(0), l.shift&63
	for i := range packed {
		w := words[at]
		at += width
		packed[i] |= uint64(w) << shift
		all |= w
	}
	return all &^ l.mask
}

// Raise raises the values in most to the largest values of the words of vectors, stored one after
// the other.
func Raise(most, words []uint32) {
	for at := 0; at < len(words); at += len(most) {
		for i, w := range words[at : at+len(most)] {
			most[i] = max(most[i], w)
		}
	}
}

// Keyer makes keys for one goroutine.
type Keyer struct {
	Layout Layout
	Folder *folder
	Keys   []uint64 // of the vectors given last
	Second []uint64 // the other half of wide keys
	values []uint64 // grouped: the joint values
	Warmed uint64   // result of touch, kept so that the reads are not optimised away
}

// Make fills keys with those of the vectors, stored one after the other. It reports false if the
// layout does not suffice; then the keys are void.
func (k *Keyer) Make(words []uint32, width int) bool {
	n := len(words) / width
	if cap(k.Keys) < n {
		k.Keys = make([]uint64, 2*n)
	}
	k.Keys = k.Keys[:n]
	switch k.Layout.Kind {
	case Direct:
		return k.makeDirect(words, width)
	case Grouped:
		return k.makeGrouped(words, width)
	case Paired:
		return k.makePaired(words, width)
	case Folded:
		return k.Folder.make(k.Keys, words, width)
	case Fingerprint128:
		k.Second = memory.Resize(k.Second, n)
		for i := range k.Keys {
			k.Keys[i], k.Second[i] = hashfn.Fingerprint128(k.Layout.Seed, words[i*width:(i+1)*width])
		}
	default:
		for i := range k.Keys {
			k.Keys[i] = hashfn.Fingerprint64(k.Layout.Seed, words[i*width:(i+1)*width])
		}
	}
	return true
}

func (k *Keyer) makeDirect(words []uint32, width int) bool {
	mixer, over := k.Layout.mixer, packAll(k.Keys, k.Layout.rest, words, width)
	for i, key := range k.Keys {
		k.Keys[i] = mixer.Mix(key)
	}
	return over == 0
}
