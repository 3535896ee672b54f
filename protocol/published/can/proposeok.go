package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// proposeOK is Algorithm 6, ProposeOK(r_R, i) on L from R. Nothing in it asks whether L is still
// BUSY.
func (n proposer) proposeOK(r protocol.NodeID, m ProposeOK) {
	if _, asked := n.findReply(r); !asked || r == n.Self.ID {
		n.Ignore(r, "never asked")
		return
	}
	if m.Instance != n.Self.Instance { // Algorithm 6, line 1
		n.Ignore(r, "answer to another instance")
		return
	}
	answer := No
	if m.Yes {
		answer = Yes
	}
	n.setReply(r, answer) // Algorithm 6, line 2
	if n.allYes() {       // Algorithm 6, line 3
		n.commitPhase(n.subject(n.Gamma), n.Gamma, n.Self.Instance) // Algorithm 6, line 4
	} else if n.noneUndef() { // Algorithm 6, line 5
		subject := n.subject(n.Gamma)
		n.cancel(n.Gamma)                                // Algorithm 6, line 6
		n.commitPhase(subject, Gamma{}, n.Self.Instance) // Algorithm 6, line 7
	} // Algorithm 6, lines 8 and 9
}

// proposeTimeout is Algorithm 7, ProposeTimeout(R) on L.
func (n proposer) proposeTimeout(r protocol.NodeID) {
	n.setReply(r, No)  // Algorithm 7, line 1
	if n.noneUndef() { // Algorithm 7, line 2
		subject := n.subject(n.Gamma)
		n.cancel(n.Gamma)                                // Algorithm 7, line 3
		n.commitPhase(subject, Gamma{}, n.Self.Instance) // Algorithm 7, line 4
	} // Algorithm 7, line 5
}

// neighbours is N_L as Algorithms 6 to 8 mean it: "every node to which a command proposal is sent",
// "all participating nodes". Read literally it is the neighbourhood at this moment.
func (n proposer) neighbours() []protocol.NodeID {
	if n.cfg.Readings.CurrentNeighbourhood {
		return ids(neighbourhood(n.Self.Zone, n.Known()))
	}
	return n.asked()
}

// allYes is "YES = node_L[L].reply[Q] for all Q in N_L".
func (n proposer) allYes() bool {
	return !slices.ContainsFunc(n.neighbours(), func(q protocol.NodeID) bool { return n.reply(q) != Yes })
}

// noneUndef is "node_L[L].reply[Q] is not UNDEF for all Q in N_L".
func (n proposer) noneUndef() bool {
	return !slices.ContainsFunc(n.neighbours(), func(q protocol.NodeID) bool { return n.reply(q) == Undef })
}

// cancel is cancel(γ).
func (n proposer) cancel(g Gamma) {
	n.putOff(g)
	if n.cfg.Readings.CancelClears {
		n.Gamma = Gamma{}
	}
}
