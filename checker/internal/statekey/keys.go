package statekey

import (
	"math"
	"math/bits"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// A key stands for a state in the visited set. Three kinds of keys are exact: different states have
// different keys, always.
//
//	direct  The words side by side, each with as many bits as its values have needed so far. This serves
//	        as long as all of them fit into 63 bits.
//	grouped A direct key in which some words are one, the number of their joint value (grouped.go).
//	paired  Two direct keys, for as long as each half of the words fits into 63 bits (paired.go).
//	folded  As many words side by side as fit into 32 bits; these numbers folded in pairs, and the pairs in
//	        pairs, each pair replaced by a number of its own (fold.go), until one pair remains.
//
// The others are fingerprints: hash values of the words, which different states may share.
type Kind uint8

const (
	Direct Kind = iota
	Grouped
	Paired
	Folded
	Fingerprint64
	Fingerprint128
)

// Layout says how keys are made.
type Layout struct {
	Kind   Kind
	bits   []uint8      // paired: by word
	rest   []lane       // direct: the words; grouped: those outside the group
	mixer  hashfn.Mixer // direct, grouped: of the numbers that stand for vectors
	Group  *group       // grouped
	half   int          // paired: so many words make the first half
	Seed   uint64       // hashed
	Leaves []leaf       // folded
}

// What a slot of the visited set has room for: see package stateset.
const (
	// PlaceBits is how many leading bits of a key the place of a slot tells in a large table.
	PlaceBits = 13
	// LeastSlotBytes and mostSlotBytes bound what a slot of a large table has of the first half of a key: the latter has room
	// for all bits that the place does not tell, and the one that is set.
	LeastSlotBytes, MostSlotBytes = 4, 7
)

// DirectBits is how many bits the words of a direct key may take: behind them stands a 1, so that no key is 0.
const DirectBits = 63

// CompactFrom is from how many states on keys have no more bits than they need. Below, tables are not large and gain
// nothing by that, and to make all keys anew whenever a word has outgrown its bits takes time.
const CompactFrom = 1 << 21

// Demand is how many bits words need, or other parts of a key: now, and once their values have grown by a quarter.
type Demand struct{ Now, later []uint8 }

// DemandOf is that of words whose values are at most so large.
func DemandOf(most []uint32) Demand {
	d := Demand{make([]uint8, len(most)), make([]uint8, len(most))}
	for i, value := range most {
		d.Now[i], d.later[i] = uint8(bits.Len32(value)), uint8(bits.Len32(value+min(value/4, math.MaxUint32-value)))
	}
	return d
}

// total is a sum of bits.
func total(parts []uint8) (sum int) {
	for _, n := range parts {
		sum += int(n)
	}
	return sum
}

// share gives out the bits of a direct key to its parts when so many states have been found: in the end no more than fill the
// slots of the visited set.
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

// SlotBytes is what a slot of a large table must have room for.
func (l *Layout) SlotBytes() int {
	if l.mixer == (hashfn.Mixer{}) {
		return MostSlotBytes
	}
	return max((l.mixer.Bits()+1-PlaceBits+7)/8, LeastSlotBytes)
}

// NewLayout gives the words of states, of which so many have been found, the bits that they need. What is left over
// goes to all of them in proportion, for numbers that have yet to grow. If they do not fit, it folds.
func NewLayout(d Demand, states uint32) Layout {
	if total(d.Now) > DirectBits {
		if l, ok := newPaired(d.Now); ok {
			return l
		}
		return Layout{Kind: Folded, Leaves: newLeaves(orders(len(d.Now))[0], d.Now)}
	}
	return newDirect(d.share(states))
}

// newDirect makes the layout of direct keys of so many bits that give words so many.
func newDirect(given []uint8, room int) Layout {
	places := make([]int, len(given))
	for i := range given {
		places[i] = i
	}
	return Layout{Kind: Direct, rest: lanesOf(places, given), mixer: hashfn.NewMixer(room)}
}

// spread gives out bits to words that need at least so many.
func spread(need []uint8, most int) []uint8 {
	sum := total(need)
	given, spare := make([]uint8, len(need)), most-sum
	for i, n := range need {
		given[i] = n + uint8(min(spare*(int(n)+1)/(sum+len(need)), 32-int(n)))
	}
	return given
}

// packBits puts words side by side behind a 1, each in so many bits.
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

// lane is where a word goes in a number: so many bits up, and what it must not have more bits than.
type lane struct {
	at    int32
	mask  uint32
	shift uint8
}

// lanesOf puts some of the words side by side in so many bits each, the last one at the bottom.
func lanesOf(places []int, widths []uint8) []lane {
	lanes, shift := make([]lane, len(places)), uint8(0)
	for i := len(places) - 1; i >= 0; i-- {
		lanes[i] = lane{int32(places[i]), uint32(1<<widths[i] - 1), shift}
		shift += widths[i]
	}
	return lanes
}

// packLanes puts some of the words of a vector side by side. Bits that do not fit are returned in over. No
// step waits for the one before.
func packLanes(lanes []lane, vector []uint32) (packed uint64, over uint32) {
	for i := range lanes {
		l := &lanes[i]
		w := vector[l.at]
		packed |= uint64(w) << (l.shift & 63)
		over |= w &^ l.mask
	}
	return packed, over
}

// packAll is packLanes for all vectors, which lie one behind the other: one word of all of them after the other, so that
// what is the same for all is at hand.
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

// pack adds one word of all vectors, of which the first is the first of words.
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

// Raise makes most the largest values of the words of vectors, which lie one behind the other, where these are larger.
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
	Warmed uint64   // what touch read, kept so that the reads are not optimised away
}

// Make fills keys with those of the vectors, which lie one behind the other. It reports false if the layout does not suffice; then the keys are void.
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
