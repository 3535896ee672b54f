package dtm

// keep sends each neighbour a sign of life. It resends what the neighbour may have missed.
func (n *node) keep() {
	if n.Phase == Joining {
		n.remind()
		return
	}
	d := &n.Departure
	switch d.Stage {
	case Asking:
		n.each(Leaving{Round: d.Round})
	case Committed:
		n.each(Left{Round: d.Round})
	}
	if !n.Lock.Holder.IsNobody() {
		n.send(n.Lock.Holder, Consent{Round: n.Lock.Round})
	}
	if !n.Anchor.IsNobody() {
		if n.Former.IsNobody() {
			n.send(n.Anchor, Beat{})
		} else {
			n.claim()
		}
	}
	for _, b := range n.Branches {
		switch {
		case b.Gone:
		case b.Acked != n.Version:
			n.send(b.Host, n.position())
		default:
			n.send(b.Host, Beat{})
		}
	}
	n.aggregate()
}
