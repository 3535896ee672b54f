package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// ask asks all witnesses whether an incarnation is over. If the question is open, it goes again to
// witnesses that did not condemn it.
func (n *node) ask(id protocol.NodeID) {
	at := n.question(id)
	switch {
	case n.Phase == Drawing || n.Phase == Fenced:
		n.Ignore(id, "the life has not begun or is over")
		return
	case id.Incarnation == 0 || id == n.Self:
		n.Ignore(id, "no life to ask for")
		return
	case n.IsDead(id):
		n.Event(EventDead, id, 0, "")
		return
	case at < 0 && len(n.Asks) >= n.cfg.AskLimit:
		n.Ignore(id, "too many questions are open")
		return
	case at < 0:
		at = len(n.Asks)
		n.Asks = append(n.Asks, Question{Node: id, Verdicts: make([]Opinion, len(n.cfg.Witnesses))})
	}
	for w, v := range n.Asks[at].Verdicts {
		if v != SaysDead {
			n.Asks[at].Verdicts[w] = NoOpinion
			n.toWitness(w, Message{Kind: Ask, Peer: id})
		}
	}
}

func (n *node) resendAsks() {
	for _, q := range n.Asks {
		for w, v := range q.Verdicts {
			if v == NoOpinion {
				n.toWitness(w, Message{Kind: Ask, Peer: q.Node})
			}
		}
	}
}

// onVerdict counts an answer. A majority of one kind ends the question.
func (n *node) onVerdict(w int, from protocol.NodeID, m Message) {
	at := n.question(m.Peer)
	if at < 0 || n.Asks[at].Verdicts[w] == SaysDead {
		n.Ignore(from, "no such question is open")
		return
	}
	verdicts := n.Asks[at].Verdicts
	verdicts[w] = SaysAlive
	if m.Condemned {
		verdicts[w] = SaysDead
	}
	switch n.cfg.majority() {
	case count(verdicts, SaysDead):
		if len(n.Dead) >= n.cfg.DeadLimit {
			n.Dead = n.Dead[1:]
		}
		n.Dead = append(n.Dead, m.Peer)
		n.Event(EventDead, m.Peer, 0, "")
	case count(verdicts, SaysAlive):
		n.Event(EventAlive, m.Peer, 0, "")
	default:
		return
	}
	n.Asks = slices.Delete(n.Asks, at, at+1)
}

func count(verdicts []Opinion, what Opinion) (n int) {
	for _, v := range verdicts {
		if v == what {
			n++
		}
	}
	return n
}
