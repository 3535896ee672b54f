package refine

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// observedCore is a core that shows the oracle what it sends, which states do not contain.
type observedCore struct {
	protocol.Core[refine.State, refine.Message, refine.Command]
	oracle *Oracle
}

// Step executes a step and shows its messages to the oracle.
func (c observedCore) Step(
	s refine.State,
	in protocol.Input[refine.Message, refine.Command],
) (refine.State, protocol.Output[refine.Message]) {
	after, out := c.Core.Step(s, in)
	c.oracle.Sent(&after, out.Send)
	return after, out
}

// Sent checks the messages of a step. AskedOnce: no client is asked to measure in a round in which
// it has reported. It would answer, and its head might wait a long time for another client.
func (o *Oracle) Sent(s *refine.State, sent []protocol.Envelope[refine.Message]) {
	for _, e := range sent {
		if list, ok := e.Message.(refine.List); ok && list.Round == s.Round && isReported(s, e.To) {
			o.Violate("AskedOnce", "%v asks %v for measurements that it has already reported", s.ID, e.To)
		}
	}
}

func isReported(s *refine.State, id protocol.NodeID) bool {
	for i := range s.Candidates {
		if c := &s.Candidates[i]; c.ID == id {
			return c.Report != nil
		}
	}
	return false
}
