package latency

import (
	"math/rand/v2"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/scheduler"
)

// Anchors is a tree that predicts latencies, built by hosts that join one after the other. Every
// decision is one of package dtm.
type Anchors struct {
	in       *Input
	manner   dtm.Manner
	chance   *rand.Rand
	members  []int
	segments []dtm.Segment
	children [][]dtm.Child
	labels   []dtm.Label
	measured int
}

var _ Predictor = (*Anchors)(nil)

// DTM builds the tree. The seed decides in which order hosts join and which members they meet.
func DTM(in *Input, manner dtm.Manner, seed uint64) *Anchors {
	t := &Anchors{
		in: in, manner: manner, chance: scheduler.Stream(seed, "joins of DTM"),
		segments: make([]dtm.Segment, in.Hosts), children: make([][]dtm.Child, in.Hosts), labels: make([]dtm.Label, in.Hosts),
	}
	for _, host := range t.chance.Perm(in.Hosts) {
		t.join(host)
	}
	return t
}

// Nanos is a predicted latency in nanoseconds.
func (t *Anchors) Nanos(a, b int) float64 {
	d, ok := dtm.Predict(t.labels[a], t.labels[b])
	if !ok {
		panic("embed: two hosts are not in one tree")
	}
	return float64(d) / 2
}

// Halves is a predicted latency in half-nanoseconds, exactly.
func (t *Anchors) Halves(a, b int) int64 {
	d, _ := dtm.Predict(t.labels[a], t.labels[b])
	return d
}

// Measured is how many latencies all hosts measured when they joined.
func (t *Anchors) Measured() int { return t.measured }

// Anchor is the host to whose segment a host is attached; -1 for the root.
func (t *Anchors) Anchor(host int) int {
	if a := t.segments[host].Anchor; !a.IsNobody() {
		return int(a.Address)
	}
	return -1
}

// Label is the label of a host. It must not be changed.
func (t *Anchors) Label(host int) dtm.Label { return t.labels[host] }

// Rejoin makes each host leave and join again, one after the other in a random order.
func (t *Anchors) Rejoin() {
	for _, host := range t.chance.Perm(t.in.Hosts) {
		t.leave(host)
		t.join(host)
	}
}

func identity(host int) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(host), Incarnation: 1}
}

func (t *Anchors) join(host int) {
	if len(t.members) == 0 {
		t.attach(host, dtm.Segment{})
		return
	}
	j := dtm.NewJoin(t.manner)
	for w := j.Next(); ; w = j.Next() {
		switch {
		case w.Random > 0:
			j.Drawn(t.draw(w.Random))
		case len(w.Measure) > 0:
			t.measured += len(w.Measure)
			readings := make([]dtm.Reading, len(w.Measure))
			for i, h := range w.Measure {
				other := int(h.Address)
				readings[i] = dtm.Reading{Label: t.labels[other], Measured: 2 * t.in.Nanos(host, other)}
			}
			j.Measured(readings)
		case !w.Look.IsNobody():
			j.Looked(t.view(int(w.Look.Address)))
		default:
			p, _ := j.Place()
			t.attach(host, dtm.Segment{Anchor: p.On.Label[0].Host, At: p.On.At, Length: p.Length})
			return
		}
	}
}

// draw returns different random members.
func (t *Anchors) draw(n int) []protocol.NodeID {
	var drawn []protocol.NodeID
	for len(drawn) < min(n, len(t.members)) {
		if id := identity(t.members[t.chance.IntN(len(t.members))]); !slices.Contains(drawn, id) {
			drawn = append(drawn, id)
		}
	}
	return drawn
}

func (t *Anchors) view(host int) dtm.View {
	v := dtm.View{Label: t.labels[host], Children: t.children[host]}
	if anchor := t.Anchor(host); anchor >= 0 {
		v.Siblings = t.children[anchor]
	}
	return v
}

func (t *Anchors) attach(host int, s dtm.Segment) {
	t.members = append(t.members, host)
	t.place(host, s)
}

// place gives a host a segment, and labels to it and to the hosts below it.
func (t *Anchors) place(host int, s dtm.Segment) {
	t.segments[host] = s
	if !s.Anchor.IsNobody() {
		anchor := int(s.Anchor.Address)
		t.children[anchor] = append(t.children[anchor], dtm.Child{Host: identity(host), At: s.At, Length: s.Length})
	}
	t.label(host)
}

func (t *Anchors) label(host int) {
	s := t.segments[host]
	label := dtm.Label{{Host: identity(host), At: s.At, Length: s.Length}}
	if anchor := t.Anchor(host); anchor >= 0 {
		label = append(slices.Grow(label, len(t.labels[anchor])), t.labels[anchor]...)
	}
	t.labels[host] = label
	for _, c := range t.children[host] {
		t.label(int(c.Host.Address))
	}
}

func (t *Anchors) leave(host int) {
	t.members = slices.DeleteFunc(t.members, func(m int) bool { return m == host })
	if anchor := t.Anchor(host); anchor >= 0 {
		t.children[anchor] = slices.DeleteFunc(t.children[anchor], func(c dtm.Child) bool { return c.Host == identity(host) })
	}
	children := t.children[host]
	t.children[host] = nil
	moved := dtm.Leave(t.segments[host], children)
	heir := dtm.Heir(children)
	if heir < 0 {
		return
	}
	t.place(int(children[heir].Host.Address), moved[heir])
	for i, c := range children {
		if i != heir {
			t.place(int(c.Host.Address), moved[i])
		}
	}
}
