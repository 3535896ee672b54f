package refine

import (
	"github.com/canvass-grid/canvass/protocol"
)

// beginSurvey asks for measurements of all listed nodes but this one. A node may be measured for
// several heads at once: every survey that waits for it takes the next result, which cannot be
// older than the latest request.
func (n *node) beginSurvey(listed []protocol.NodeID) []Reading {
	var survey []Reading
	for _, id := range listed {
		if id != n.ID {
			survey = append(survey, Reading{Peer: id})
			n.Out.Measure = append(n.Out.Measure, id)
		}
	}
	if len(survey) > 0 {
		n.restartTimer(protocol.Timer{Kind: MeasureTimer})
	}
	return survey
}

// complete reports whether every reading is there.
func complete(survey []Reading) bool {
	for _, r := range survey {
		if r.Micros == 0 {
			return false
		}
	}
	return true
}

// onMeasured records a measurement.
func (n *node) onMeasured(peer protocol.NodeID, micros uint32) {
	if n.fill(func(id protocol.NodeID) bool { return id == peer }, min(max(micros, 1), Far)) {
		n.Event(EventMeasured, peer, micros, "")
		return
	}
	n.Ignore(peer, "not measured")
}

// onUnmeasured ends the waiting: a node that could not be measured counts as far.
func (n *node) onUnmeasured() {
	n.fill(func(protocol.NodeID) bool { return true }, Far)
}

// fill sets the missing readings of some peers, and reports whether there were any. A survey that
// is complete now is sent to its head.
func (n *node) fill(which func(protocol.NodeID) bool, micros uint32) bool {
	filled := fillSurvey(n.Survey, which, micros)
	for i := range n.Slots {
		t := &n.Slots[i]
		if !fillSurvey(t.Survey, which, micros) {
			continue
		}
		filled = true
		if complete(t.Survey) {
			n.send(t.Head, Report{Round: t.Round, Readings: t.Survey})
		}
	}
	return filled
}

func fillSurvey(survey []Reading, which func(protocol.NodeID) bool, micros uint32) bool {
	filled := false
	for i := range survey {
		if r := &survey[i]; r.Micros == 0 && which(r.Peer) {
			r.Micros, filled = micros, true
		}
	}
	return filled
}
