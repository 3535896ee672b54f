package sim

import "github.com/canvass-grid/canvass/protocol"

// timer is a timer of a node. Setting it again, which happens with every sign of life, moves only due: the
// event that is queued for it looks when its time has come, and is queued again if that was too early.
type timer struct {
	name    protocol.Timer
	pending bool
	due     int64
	queued  int64 // when the event for it is due; 0: there is none
	span    int64 // how long it was set for
}

func (n *node[M]) cancel(t protocol.Timer) {
	for i := range n.timers {
		if n.timers[i].pending && n.timers[i].name == t {
			n.timers[i].pending = false
			n.renews[i] = nil
			return
		}
	}
}

// set starts a timer afresh.
func (c *Cluster[S, M, C]) set(node int, s protocol.SetTimer) {
	n := &c.nodes[node]
	at := -1
	for i := range n.timers {
		t := &n.timers[i]
		if t.pending && t.name == s.Timer {
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
		n.renews = append(n.renews, nil)
	}
	span := n.chance.Between(int64(s.MinTicks)*c.cfg.TickMicros, int64(s.MaxTicks)*c.cfg.TickMicros)
	span = max(1, span+span*n.drift/million)
	t := &n.timers[at]
	if t.name != s.Timer || t.span != span {
		n.renews[at] = nil
	}
	t.name, t.pending, t.span = s.Timer, true, span
	c.plan(node, at)
}

// renewed notes that a letter, in the state at hand, did nothing but set its sender's timer afresh, if that is
// so. Signs of life are like that, and most messages are signs of life.
func (n *node[M]) renewed(letter *protocol.Envelope[M], out *protocol.Output[M]) {
	if len(out.Set) != 1 || out.Set[0].MinTicks != out.Set[0].MaxTicks || out.Set[0].Timer.Peer != letter.From ||
		len(out.Send)+len(out.Cancel)+len(out.Measure)+len(out.Events) > 0 || out.Persist != nil || out.Choose > 0 {
		return
	}
	for i := range n.timers {
		if n.timers[i].pending && n.timers[i].name == out.Set[0].Timer {
			n.renews[i] = letter
		}
	}
}

// renew lets a letter set a timer afresh.
func (c *Cluster[S, M, C]) renew(node, at int) {
	t := &c.nodes[node].timers[at]
	c.stats.Delivered++
	c.stats.Remembered++
	c.note(protocol.Deliver, node, trail(t.name.Peer, protocol.Timer{}))
	t.due = c.now + t.span // later than before, so the event that is queued is early enough
}

// plan makes a timer due its span from now.
func (c *Cluster[S, M, C]) plan(node, at int) {
	t := &c.nodes[node].timers[at]
	t.due = c.now + t.span
	if t.queued == 0 || t.queued > t.due {
		t.queued = t.due
		c.queue.push(event{at: t.due, node: uint32(node), what: atTimer | uint32(at)})
	}
}

// timerDue handles the event of a timer, which may have been moved or cancelled since.
func (c *Cluster[S, M, C]) timerDue(node, at int) {
	n := &c.nodes[node]
	if at >= len(n.timers) || n.timers[at].queued != c.now {
		return
	}
	t := &n.timers[at]
	t.queued = 0
	switch {
	case !t.pending:
	case t.due > c.now:
		t.queued = t.due
		c.queue.push(event{at: t.due, node: uint32(node), what: atTimer | uint32(at)})
	case !n.live:
		t.pending, n.renews[at] = false, nil
	case c.cfg.Due != nil && !c.cfg.Due(node, t.name):
		c.plan(node, at)
	default:
		t.pending, n.renews[at] = false, nil
		c.stats.Timeouts++
		c.fire(node, t.name)
	}
}

func (c *Cluster[S, M, C]) fire(node int, t protocol.Timer) {
	n := &c.nodes[node]
	if c.cfg.Watch == nil {
		for i := range n.memory {
			if m := &n.memory[i]; m.letter == nil && m.timer == t {
				c.stats.Remembered++
				c.note(protocol.Timeout, node, trail(protocol.NodeID{}, t))
				c.obey(node, m.out)
				return
			}
		}
	}
	c.step(node, protocol.Input[M, C]{Kind: protocol.Timeout, Timer: t}, nil)
}

// Pending lists the timers that are pending at a node, in the order of their places.
func (c *Cluster[S, M, C]) Pending(node int) []protocol.Timer {
	var all []protocol.Timer
	for _, t := range c.nodes[node].timers {
		if t.pending {
			all = append(all, t.name)
		}
	}
	return all
}
