package refine

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// mostTried bounds the candidates of a round of which all subsets are tried.
const mostTried = 10

// clusterBroken compares the cluster that a head finds with the best of all subsets of the nodes
// that were measured: the largest in which all are near each other. Among equal ones the first
// wins, where the former members come before the other nodes.
func (s *transition) clusterBroken() string {
	if !s.concludes() {
		return ""
	}
	ids, near := s.measurements()
	if len(ids) > mostTried {
		return ""
	}
	best := []protocol.NodeID{s.after.ID}
	for subset := uint(0); subset < 1<<len(ids); subset++ {
		chosen := []protocol.NodeID{s.after.ID}
		for i := range ids {
			if subset&(1<<(len(ids)-1-i)) != 0 {
				chosen = append(chosen, ids[i])
			}
		}
		if 1+bits.OnesCount(subset) >= len(best) && len(chosen) <= s.cfg.SizeBound && mutual(chosen, near) {
			best = chosen
		}
	}
	slices.SortFunc(best, protocol.NodeID.Compare)
	if !slices.Equal(best, together(s.after, inside)) {
		return "it does not find the best cluster"
	}
	return ""
}

func mutual(ids []protocol.NodeID, near func(a, b protocol.NodeID) bool) bool {
	for i, a := range ids {
		if slices.ContainsFunc(ids[:i], func(b protocol.NodeID) bool { return !near(a, b) || !near(b, a) }) {
			return false
		}
	}
	return true
}

// measurements returns the nodes that a head measured in the round that it ends, its members first,
// and which of all were near each other by their own measurements.
func (s *transition) measurements() (ids []protocol.NodeID, near func(a, b protocol.NodeID) bool) {
	found := map[[2]protocol.NodeID]bool{}
	note := func(from protocol.NodeID, survey []refine.Reading) {
		for _, r := range survey {
			micros := r.Micros
			if micros == 0 && s.in.Kind == protocol.Measured && r.Peer == s.in.From {
				micros = max(1, s.in.Measure)
			}
			found[[2]protocol.NodeID{from, r.Peer}] = micros > 0 && micros <= s.cfg.DiameterMicros
		}
	}
	note(s.before.ID, s.before.Survey)
	for _, status := range []refine.Status{refine.Member, refine.Accepted} {
		for _, c := range s.before.Candidates {
			dropped := s.commands(refine.CommandDrop) && slices.Contains(s.in.Command.Nodes, c.ID)
			if c.Status != status || !measuredBy(s.before, c) || s.withdrawn(c.ID) || dropped {
				continue
			}
			ids = append(ids, c.ID)
			if m, ok := s.message().(refine.Report); ok && c.Report == nil && c.ID == s.in.From {
				c.Report = m.Readings
			}
			note(c.ID, c.Report)
		}
	}
	return ids, func(a, b protocol.NodeID) bool { return found[[2]protocol.NodeID{a, b}] }
}
