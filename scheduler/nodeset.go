package scheduler

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NodeRange is the nodes First to Last of a platform, which numbers its nodes through its clusters,
// from 0.
type NodeRange struct{ First, Last int }

// NodeSet is a set of nodes: ranges in ascending order, with a gap between any two.
type NodeSet []NodeRange

// NodesOf makes a set of nodes, which it sorts.
func NodesOf(nodes []int) NodeSet {
	slices.Sort(nodes)
	var s NodeSet
	for _, n := range slices.Compact(nodes) {
		s = s.Add(n, n)
	}
	return s
}

// Add adds a range whose nodes come after those of the set.
func (s NodeSet) Add(first, last int) NodeSet {
	if n := len(s); n > 0 && s[n-1].Last+1 == first {
		s[n-1].Last = last
		return s
	}
	return append(s, NodeRange{first, last})
}

// Union returns the nodes of both sets.
func (s NodeSet) Union(other NodeSet) NodeSet {
	all := slices.Concat(s, other)
	slices.SortFunc(all, func(a, b NodeRange) int { return cmp.Compare(a.First, b.First) })
	var union NodeSet
	for _, r := range all {
		if n := len(union); n > 0 && r.First <= union[n-1].Last+1 {
			union[n-1].Last = max(union[n-1].Last, r.Last)
			continue
		}
		union = append(union, r)
	}
	return union
}

// Count counts the nodes.
func (s NodeSet) Count() int {
	n := 0
	for _, r := range s {
		n += r.Last - r.First + 1
	}
	return n
}

// String writes the set as OAR and Batsim write theirs: "0-3 7".
func (s NodeSet) String() string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(r.First))
		if r.Last > r.First {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(r.Last))
		}
	}
	return b.String()
}

// mostNode bounds the numbers of nodes in a text.
const mostNode = 1<<31 - 2

var errNodeSet = errors.New("write ranges of node numbers in ascending order, as in 0-3 7")

// ParseNodeSet reads a set as [NodeSet.String] writes it.
func ParseNodeSet(text string) (NodeSet, error) {
	var s NodeSet
	least := 0
	for _, part := range strings.Fields(text) {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		first, errFirst := strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		if errFirst != nil || errLast != nil || first < least || last < first || last > mostNode {
			return nil, fmt.Errorf("%q is no set of nodes: %q is out of place; %w", text, part, errNodeSet)
		}
		s, least = s.Add(first, last), last+1
	}
	return s, nil
}
