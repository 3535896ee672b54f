package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// AnswerKind is the kind of an answer to a search.
type AnswerKind uint8

// The kinds of answers to a search.
const (
	AnswerDrawn AnswerKind = iota + 1
	AnswerView
	AnswerReadings
)

// Answer is one answer to a [Join]. Only the field of its kind is set; Version is that of the view.
type Answer struct {
	Kind     AnswerKind
	Drawn    []protocol.NodeID
	Version  uint32
	View     View
	Readings []Reading
}

// Await is a host that is being measured. Its label comes first, and is empty before.
type Await struct {
	Host  protocol.NodeID
	Label Label
}

// Latency is a measured latency, as a length of the tree.
type Latency struct {
	Host   protocol.NodeID
	Length int64
}

// Search is how far a joining host has come. The answers are those to a [Join], from its beginning:
// the join itself is a function of them. Measured latencies stay when a search begins again, since
// only labels become outdated.
type Search struct {
	Members   []protocol.NodeID // given by the application, without silent ones
	Latencies []Latency         // sorted by host
	Refusals  int
	Tries     int // of the present request
	Answers   []Answer

	// The awaited answers: latencies, a view, or the host that it wants to attach to. If all are
	// empty, it rests after a refusal.
	Awaits []Await
	Look   protocol.NodeID
	Anchor protocol.NodeID // was asked to be the anchor
	Asked  Attach          // as it was asked
}

func (s Search) clone() Search {
	s.Members, s.Latencies = slices.Clone(s.Members), slices.Clone(s.Latencies)
	s.Answers, s.Awaits = slices.Clone(s.Answers), slices.Clone(s.Awaits)
	return s
}

// isWaiting reports whether an answer is missing.
func (s *Search) isWaiting() bool { return len(s.Awaits) > 0 || !s.Look.IsNobody() }

// isResting reports whether it was refused and waits before it tries again.
func (s *Search) isResting() bool { return !s.isWaiting() && s.Anchor.IsNobody() }

func (s *Search) latency(host protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(s.Latencies, host, func(l Latency, id protocol.NodeID) int {
		return l.Host.Compare(id)
	})
}

// mostSteps bounds the answers of one join.
const mostSteps = 1 << 10

// joiner is a node that looks for its place. It owns Search in the state.
type joiner struct{ *node }

// advance repeats the join with the answers so far and sends its next request.
func (n joiner) advance() {
	s := &n.Search
	s.Awaits, s.Look, s.Anchor, s.Asked, s.Tries = nil, protocol.NodeID{}, protocol.NodeID{}, Attach{}, 0
	j := NewJoin(n.cfg.Manner)
	for _, a := range s.Answers {
		a.give(j)
	}
	for range mostSteps {
		w := j.Next()
		var a Answer
		switch {
		case w.Random > 0:
			a = Answer{Kind: AnswerDrawn, Drawn: s.draw(w.Random)}
		case !w.Look.IsNobody():
			s.Look = w.Look
			n.send(w.Look, Look{})
			return
		case len(w.Measure) > 0:
			if n.await(w.Measure) {
				return
			}
			a = Answer{Kind: AnswerReadings}
		default:
			n.ask(j)
			return
		}
		s.Answers = append(s.Answers, a)
		a.give(j)
	}
	n.giveUp("the search has no end")
}

// give passes the answer to a join, if the join wants it. A view that came after the end of the
// join shows only the version of the anchor.
func (a *Answer) give(j *Join) {
	if w := j.Next(); a.Kind == AnswerView && w.Look.IsNobody() {
		return
	}
	switch a.Kind {
	case AnswerDrawn:
		j.Drawn(a.Drawn)
	case AnswerView:
		j.Looked(a.View)
	case AnswerReadings:
		j.Measured(a.Readings)
	}
}

// draw returns count of the members that the application gave, each time the next ones.
func (s *Search) draw(count int) []protocol.NodeID {
	if len(s.Members) <= count {
		return slices.Clone(s.Members)
	}
	drawn := 0
	for _, a := range s.Answers {
		drawn += len(a.Drawn)
	}
	from := drawn % len(s.Members)
	return slices.Concat(s.Members[from:], s.Members[:from])[:count]
}

// await asks hosts for their labels, before they are measured. It reports whether any is asked.
func (n joiner) await(hosts []protocol.NodeID) bool {
	for _, h := range hosts {
		if h != n.ID {
			n.Search.Awaits = append(n.Search.Awaits, Await{Host: h})
			n.send(h, Look{})
		}
	}
	return len(n.Search.Awaits) > 0
}

// onReport takes a view, for which the node has asked.
func (n joiner) onReport(from protocol.NodeID, m Report) {
	s := &n.Search
	if len(m.View.Label) == 0 || m.View.Label[0].Host != from {
		n.Ignore(from, "a view of another host")
		return
	}
	if s.Look == from {
		if !s.agrees(m.View.Label) {
			n.rest()
			return
		}
		s.Answers = append(s.Answers, Answer{Kind: AnswerView, Version: m.Version, View: m.View})
		n.advance()
		return
	}
	i := slices.IndexFunc(s.Awaits, func(a Await) bool { return a.Host == from && len(a.Label) == 0 })
	if i < 0 {
		n.Ignore(from, "no view is awaited")
		return
	}
	s.Awaits[i].Label = m.View.Label
	if _, known := s.latency(from); !known {
		n.Out.Measure = append(n.Out.Measure, from)
	}
	n.gather()
}

// onMeasured takes a latency. Lengths are in halves of its unit.
func (n joiner) onMeasured(from protocol.NodeID, measure uint32) {
	s := &n.Search
	i, known := s.latency(from)
	awaited := slices.ContainsFunc(s.Awaits, func(a Await) bool { return a.Host == from && len(a.Label) > 0 })
	if known || !awaited {
		n.Ignore(from, "not being measured")
		return
	}
	s.Latencies = slices.Insert(s.Latencies, i, Latency{Host: from, Length: 2 * int64(measure)})
	n.gather()
}

// gather goes on when all awaited labels and latencies are there.
func (n joiner) gather() {
	s := &n.Search
	if len(s.Awaits) == 0 {
		return
	}
	var readings []Reading
	for _, a := range s.Awaits {
		i, known := s.latency(a.Host)
		if len(a.Label) == 0 || !known {
			return
		}
		readings = append(readings, Reading{Label: a.Label, Measured: s.Latencies[i].Length})
	}
	for i, r := range readings {
		if !s.agrees(r.Label) || slices.ContainsFunc(readings[:i], func(o Reading) bool { return !agree(o.Label, r.Label) }) {
			n.rest()
			return
		}
	}
	s.Answers = append(s.Answers, Answer{Kind: AnswerReadings, Readings: readings})
	n.advance()
}

// agrees reports whether a label can be of the same time as the search's other labels. Otherwise
// hosts have left meanwhile, and the search begins again.
func (s *Search) agrees(label Label) bool {
	for _, a := range s.Answers {
		if slices.ContainsFunc(a.Readings, func(r Reading) bool { return !agree(r.Label, label) }) {
			return false
		}
	}
	return true
}

// onOverdue asks again, a few times. Then the hosts that have not answered are no longer members,
// as far as the node knows, and the search begins again later. It does not go on without them: a
// host that has just attached without having been notified, or a host that has just failed, can
// hide the place of the node.
func (n joiner) onOverdue() {
	s := &n.Search
	s.Tries++
	if s.Tries < n.cfg.Tries {
		n.remind()
		return
	}
	s.Members = without(s.Members, s.Look)
	for _, a := range s.Awaits {
		if _, known := s.latency(a.Host); !known || len(a.Label) == 0 {
			s.Members = without(s.Members, a.Host)
		}
	}
	n.rest()
}

// remind sends again what may be lost.
func (n joiner) remind() {
	s := &n.Search
	if !s.Look.IsNobody() {
		n.send(s.Look, Look{})
	}
	for _, a := range s.Awaits {
		_, known := s.latency(a.Host)
		switch {
		case len(a.Label) == 0:
			n.send(a.Host, Look{})
		case !known:
			n.Out.Measure = append(n.Out.Measure, a.Host)
		}
	}
	if !s.Anchor.IsNobody() {
		n.send(s.Anchor, s.Asked)
	}
}

// again begins the search again, with all latencies that are known.
func (n joiner) again() {
	n.Search.Answers = nil
	n.advance()
}

// rest waits before the search begins again.
func (n joiner) rest() {
	s := &n.Search
	s.Refusals++
	s.Answers, s.Awaits, s.Look, s.Anchor, s.Asked = nil, nil, protocol.NodeID{}, protocol.NodeID{}, Attach{}
	if s.Refusals >= n.cfg.Refusals || len(s.Members) == 0 {
		n.giveUp("no member answers, or all attempts failed")
	}
}

// giveUp ends the search without a place. A host that wants to leave has left.
func (n joiner) giveUp(why string) {
	n.Event(EventGivenUp, protocol.NodeID{}, 0, why)
	leaves := n.Departure.Stage != Staying
	n.State = State{ID: n.ID}
	if leaves {
		n.depart()
	}
}
