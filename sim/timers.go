package sim

import "github.com/canvass-grid/canvass/protocol"

// timer is a timer of a node. Setting it again only moves due. The event that is queued for it
// checks whether its time has come, and is queued again if not.
type timer struct {
	name    protocol.Timer
	pending bool
	due     int64 // or later, by its heartbeat
	queued  int64 // time of the queued event; 0: none
	span    int64 // the duration for which it was set
}

// heartbeat is the message that only sets a timer again, and when it last arrived: the timer lasts
// its span from then on. Most messages are heartbeats, so everything that they touch is stored
// together.
type heartbeat[M any] struct {
	envelope   *protocol.Envelope[M] // nil: none
	receivedAt int64
}

// due is when a timer is due.
func (n *node[M]) due(at int) int64 {
	t := &n.timers[at]
	return max(t.due, n.heartbeats[at].receivedAt+t.span)
}

func (n *node[M]) cancel(t protocol.Timer) {
	for i := range n.timers {
		if n.timers[i].pending && n.timers[i].name == t {
			n.timers[i].pending = false
			n.heartbeats[i] = heartbeat[M]{}
			return
		}
	}
}

// set sets a timer.
func (s *Simulation[S, M, C]) set(node int, set protocol.SetTimer) {
	n := &s.nodes[node]
	at := -1
	for i := range n.timers {
		t := &n.timers[i]
		if t.pending && t.name == set.Timer {
			at = i
			break
		}
		if !t.pending && at < 0 {
			at = i
		}
	}
	if at < 0 {
		at = len(n.timers)
		n.timers = append(n.timers, timer{})
		n.heartbeats = append(n.heartbeats, heartbeat[M]{})
	}
	span := n.chance.Between(int64(set.MinTicks)*s.cfg.TickMicros, int64(set.MaxTicks)*s.cfg.TickMicros)
	span = max(1, span+span*n.drift/million)
	if s.cfg.Span != nil {
		if other := s.audit.span(node, set.Timer); other > 0 {
			span = other
		}
	}
	t := &n.timers[at]
	if t.name != set.Timer || t.span != span {
		n.heartbeats[at] = heartbeat[M]{}
	}
	t.name, t.pending, t.span = set.Timer, true, span
	s.setDue(node, at)
}

// noteHeartbeat remembers a message that, in the present state, only sets its sender's timer again.
func (n *node[M]) noteHeartbeat(envelope *protocol.Envelope[M], out *protocol.Output[M]) {
	if len(out.Set) != 1 || out.Set[0].MinTicks != out.Set[0].MaxTicks || out.Set[0].Timer.Peer != envelope.From ||
		len(out.Send)+len(out.Cancel)+len(out.Measure)+len(out.Events) > 0 || out.Persist != nil || out.Choose > 0 {
		return
	}
	for i := range n.timers {
		if n.timers[i].pending && n.timers[i].name == out.Set[0].Timer {
			n.heartbeats[i].envelope = envelope
		}
	}
}

// setDue makes a timer due after its span.
func (s *Simulation[S, M, C]) setDue(node, at int) {
	t := &s.nodes[node].timers[at]
	t.due = s.now + t.span
	if t.queued == 0 || t.queued > t.due {
		t.queued = t.due
		s.schedule(t.due, node, atTimer|uint32(at))
	}
}

// timerDue handles the event of a timer, which may have been moved or cancelled since.
func (s *Simulation[S, M, C]) timerDue(node, at int) {
	n := &s.nodes[node]
	if at >= len(n.timers) || n.timers[at].queued != s.now {
		return
	}
	t := &n.timers[at]
	t.queued = 0
	switch {
	case !t.pending:
	case n.due(at) > s.now:
		t.queued = n.due(at)
		s.schedule(t.queued, node, atTimer|uint32(at))
	case !n.live:
		t.pending, n.heartbeats[at] = false, heartbeat[M]{}
	case s.cfg.Due != nil && !s.audit.isDue(node, t.name):
		s.setDue(node, at)
	default:
		t.pending, n.heartbeats[at] = false, heartbeat[M]{}
		s.stats.Timeouts++
		s.fire(node, t.name)
	}
}

func (s *Simulation[S, M, C]) fire(node int, t protocol.Timer) {
	n := &s.nodes[node]
	if s.cfg.Observer == nil {
		for i := range n.timeouts {
			if known := &n.timeouts[i]; known.timer == t {
				s.stats.Remembered++
				s.actions.add(s.now, protocol.Timeout, node, digestWord(protocol.NodeID{}, t))
				s.apply(node, known.out)
				return
			}
		}
	}
	s.step(node, protocol.Input[M, C]{Kind: protocol.Timeout, Timer: t}, nil)
}

// Pending lists the pending timers of a node.
func (s *Simulation[S, M, C]) Pending(node int) []protocol.Timer {
	var all []protocol.Timer
	for _, t := range s.nodes[node].timers {
		if t.pending {
			all = append(all, t.name)
		}
	}
	return all
}
