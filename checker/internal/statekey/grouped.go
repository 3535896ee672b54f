package statekey

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// A grouped key is a direct one in which some words are one number: the number of their joint
// value, from a table. It serves where several words take few values together although each takes
// several, such as the node indexes of clients that wait for each other. So a key takes one word
// where two would be needed, and the table stays in the caches.

// group is a set of words that lie side by side in one number. Each distinct number gets an id.
type group struct {
	words  []int
	lanes  []lane
	idBits uint8
	Table  *groupTable
}

// groupTable numbers the joint values of a group, from 0 on in the order in which they appear.
type groupTable struct {
	shard pairShard
	Bytes atomic.Int64
}

// number returns the number of a joint value. It reports false if there are too many.
func (t *groupTable) number(value uint64) (uint32, bool) {
	return t.shard.number(value+1, hashfn.Pair(value), maxJoint, &t.Bytes)
}

const (
	// maxJoint bounds the joint values of a group that deserves a table. There is room for many more
	// until keys are remade.
	maxJoint = 1 << 20
	// mostJoint bounds the joint values among the states found when a group is chosen. If there are
	// more, they grow with the states, and soon need more bits.
	mostJoint = 1 << 12
	// mostIDBits bounds the bits of an id, however many are to spare: the table has no larger ones.
	mostIDBits = 21
	// jointBits bounds the bits of the words of a group side by side.
	jointBits = 60
)

// NewGrouped makes a layout with the group that saves the most bits. A group consists of the words
// that need the fewest bits, as many of them as together take few values in the states found. Its
// ids get more bits than usual, by the given number, since a round may bring many new joint values
// at once. It reports false if no group fits.
func NewGrouped(found Found, d Demand, more uint8) (Layout, bool) {
	need := d.Now
	order := make([]int, len(need))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(need[a], need[b]) })
	var groups []*group
	recently := found.Count - min(found.Count, orderSample)
	for size := 2; size <= len(order); size++ {
		g, ok := newGroup(order[:size], need)
		if !ok || !g.jointValues(found, recently, more) {
			break
		}
		groups = append(groups, g)
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(a.sum(need), b.sum(need)) })
	for _, g := range groups {
		// A group that fits the states found last may not fit all of them; these are scanned only
		// now.
		if g.sum(need) <= DirectBits && g.jointValues(found, 0, more) && g.sum(need) <= DirectBits &&
			g.idBits <= mostIDBits {
			return g.layout(d, found.Count), true
		}
	}
	return Layout{}, false
}

// sum is how many bits a key takes at least.
func (g *group) sum(need []uint8) int {
	sum := int(g.idBits)
	for at, n := range need {
		if !slices.Contains(g.words, at) {
			sum += int(n)
		}
	}
	return sum
}

// layout allots the bits. The last part is the id of the group, which has one bit to spare.
func (g *group) layout(d Demand, states uint32) Layout {
	var rest []int
	var parts Demand
	for at := range d.Now {
		if !slices.Contains(g.words, at) {
			rest = append(rest, at)
			parts.Now, parts.later = append(parts.Now, d.Now[at]), append(parts.later, d.later[at])
		}
	}
	parts.Now, parts.later = append(parts.Now, g.idBits), append(parts.later, g.idBits)
	given, room := parts.share(states)
	g.idBits = given[len(rest)]
	return Layout{Kind: Grouped, Group: g, rest: lanesOf(rest, given), mixer: hashfn.NewMixer(room)}
}

// newGroup makes a group of words, each with one bit more than it needs. It reports false if they
// do not fit.
func newGroup(words []int, need []uint8) (*group, bool) {
	g := &group{words: words, Table: &groupTable{}}
	sum, given := 0, []uint8(nil)
	for _, at := range words {
		n := min(need[at]+1, 32)
		given = append(given, n)
		sum += int(n)
	}
	if sum > jointBits {
		return nil, false
	}
	g.lanes = lanesOf(words, spread(given, jointBits))
	return g, true
}

// jointValues counts the joint values of the states from a given one on, and sets the bits of their
// ids: as many as they need, one more, and the given number more. It reports false if there are too
// many values.
func (g *group) jointValues(found Found, from uint32, more uint8) bool {
	const lookEvery = 1 << 12 // states between two looks at the context
	seen, last := map[uint64]bool{}, ^uint64(0)
	for i := from; i < found.Count; i++ {
		if i%lookEvery == 0 && found.Cancelled() {
			return false // the check ends, so no keys are made
		}
		value, _ := packLanes(g.lanes, found.Vector(i))
		if value == last {
			continue
		}
		last = value
		if seen[value] = true; len(seen) > mostJoint {
			return false
		}
	}
	g.idBits = uint8(bits.Len(uint(len(seen)))+1) + more
	return true
}

func (k *Keyer) makeGrouped(words []uint32, width int) bool {
	l, g := &k.Layout, k.Layout.Group
	k.values = memory.Resize(k.values, len(k.Keys))
	if packAll(k.Keys, l.rest, words, width)|packAll(k.values, g.lanes, words, width) != 0 {
		return false
	}
	last, number, wide := ^uint64(0), uint64(0), uint64(0)
	for i, value := range k.values {
		if value != last { // successors of one state mostly have the same
			n, ok := g.Table.number(value)
			if !ok {
				return false
			}
			last, number = value, uint64(n)
			wide |= number >> g.idBits
		}
		k.Keys[i] = l.mixer.Mix(k.Keys[i]<<g.idBits | number)
	}
	return wide == 0
}
