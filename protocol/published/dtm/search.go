package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// mostSteps bounds the answers of one join.
const mostSteps = 1 << 10

// advance repeats the greedy walk with the answers so far, and sends its next request.
func (n *node) advance() {
	s := &n.Search
	s.Awaits, s.Look = nil, protocol.NodeID{}
	j := dtm.NewJoin(dtm.Walk)
	for _, a := range s.Answers {
		switch a.Kind {
		case dtm.AnswerDrawn:
			j.Drawn(a.Drawn)
		case dtm.AnswerView:
			j.Looked(a.View)
		case dtm.AnswerReadings:
			j.Measured(a.Readings)
		}
	}
	for range mostSteps {
		w := j.Next()
		switch {
		case w.Random > 0: // "a random base node"
			base := s.Members[:1]
			s.Answers = append(s.Answers, dtm.Answer{Kind: dtm.AnswerDrawn, Drawn: base})
			j.Drawn(base)
		case !w.Look.IsNobody():
			s.Look = w.Look
			n.send(w.Look, dtm.Look{})
			return
		case len(w.Measure) > 0:
			for _, h := range w.Measure {
				s.Awaits = append(s.Awaits, dtm.Await{Host: h})
				n.send(h, dtm.Look{})
			}
			return
		default:
			place, _ := j.Place()
			s.Anchor = place.On.Label[0].Host
			s.Asked = dtm.Attach{At: place.On.At, Length: place.Length}
			n.send(s.Anchor, s.Asked)
			return
		}
	}
}

// reported takes the view of a host.
func (n *node) reported(from protocol.NodeID, m dtm.Report) {
	s := &n.Search
	if s.Look == from {
		s.Answers = append(s.Answers, dtm.Answer{Kind: dtm.AnswerView, View: m.View})
		n.advance()
		return
	}
	i := slices.IndexFunc(s.Awaits, func(a dtm.Await) bool { return a.Host == from && len(a.Label) == 0 })
	if i >= 0 {
		s.Awaits[i].Label = m.View.Label
		n.Out.Measure = append(n.Out.Measure, from)
	}
}

// measured takes a latency. Lengths are in halves of its unit.
func (n *node) measured(from protocol.NodeID, measure uint32) {
	s := &n.Search
	i, known := slices.BinarySearchFunc(s.Latencies, from, func(l dtm.Latency, id protocol.NodeID) int {
		return l.Host.Compare(id)
	})
	if !known {
		s.Latencies = slices.Insert(s.Latencies, i, dtm.Latency{Host: from, Length: 2 * int64(measure)})
	}
	n.gather()
}

// gather goes on when all awaited labels and latencies are there.
func (n *node) gather() {
	s := &n.Search
	var readings []dtm.Reading
	for _, a := range s.Awaits {
		i := slices.IndexFunc(s.Latencies, func(l dtm.Latency) bool { return l.Host == a.Host })
		if len(a.Label) == 0 || i < 0 {
			return
		}
		readings = append(readings, dtm.Reading{Label: a.Label, Measured: s.Latencies[i].Length})
	}
	s.Answers = append(s.Answers, dtm.Answer{Kind: dtm.AnswerReadings, Readings: readings})
	n.advance()
}
