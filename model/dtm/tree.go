package dtm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// layout is a tree of hosts: the i-th host has the i-th segment. It is written as "A B:A@0/4
// C:B@2/6": the segment of B ends at 0 on that of A and is 4 long.
type layout []dtm.Segment

// parse reads a layout. A mistake in it is one of the catalogue.
func parse(text string) layout {
	var all layout
	for i, word := range strings.Fields(text) {
		name, rest, attached := strings.Cut(word, ":")
		if name != model.NodeName(i) {
			panic(fmt.Sprintf("layout %q: %q is not %s", text, name, model.NodeName(i)))
		}
		var s dtm.Segment
		if attached {
			anchor, place, _ := strings.Cut(rest, "@")
			at, length, _ := strings.Cut(place, "/")
			s = dtm.Segment{Anchor: id(anchor[0]), At: number(at), Length: number(length)}
		}
		all = append(all, s)
	}
	return all
}

func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// id returns the first incarnation of the node of that name.
func id(name byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

func ids(names string) []protocol.NodeID {
	var all []protocol.NodeID
	for i := range len(names) {
		all = append(all, id(names[i]))
	}
	return all
}

// label returns the label of a host of the tree.
func (l layout) label(i int) dtm.Label {
	s := l[i]
	own := dtm.Label{{Host: id('A' + byte(i)), At: s.At, Length: s.Length}}
	if s.Anchor.IsNobody() {
		return own
	}
	return append(own, l.label(int(s.Anchor.Address))...)
}

// far returns the length of the way between two hosts.
func (l layout) far(a, b int) int64 {
	d, ok := dtm.Predict(l.label(a), l.label(b))
	if !ok {
		panic("two trees")
	}
	return d
}

// children lists the children of a host among the first hosts.
func (l layout) children(of protocol.NodeID, members int) (all []dtm.Child) {
	for i, s := range l[:members] {
		if s.Anchor == of && !of.IsNobody() {
			all = append(all, dtm.Child{Host: id('A' + byte(i)), At: s.At, Length: s.Length})
		}
	}
	return all
}

// member returns the state of a host in a tree of the first hosts, in which nothing is in progress.
func (l layout) member(i, members int) dtm.State {
	self := id('A' + byte(i))
	s := dtm.State{ID: self, Phase: dtm.Member, Segment: l[i], Version: 1}
	if !s.Anchor.IsNobody() {
		s.Above, s.Heard = l.label(int(s.Anchor.Address)), 1
		s.Siblings = l.children(s.Anchor, members)
	}
	for _, c := range l.children(self, members) {
		s.Branches = append(s.Branches, dtm.Branch{Child: c, Acked: 1})
	}
	return s
}

// pair reports whether a list of pairs, such as "AB CD", has a pair.
func pair(pairs string, a, b protocol.NodeID) bool {
	names := model.NodeName(int(a.Address)) + model.NodeName(int(b.Address))
	return slices.ContainsFunc(strings.Fields(pairs), func(p string) bool {
		return p == names || p == names[1:]+names[:1]
	})
}
