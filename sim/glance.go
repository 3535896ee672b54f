package sim

const (
	glanceEvery = 16
	glanceFrom  = 2000
	signsOfLine = 4 // that many fill a line of a processor's cache
)

// glance reads a little of what the next events are about. The reads do not wait for each other, as
// those of the events themselves would: in a large world memory is what takes the time.
func (c *Cluster[S, M, C]) glance() {
	events := c.queue.batch[c.queue.next:]
	events = events[:min(len(events), glanceEvery)]
	sum := c.ahead
	for _, e := range events {
		sum += uint64(c.nodes[e.node].sent)
		if e.kind() == atDelivery {
			sum += uint64(c.letters.things[e.number()].from.Address)
		}
	}
	for _, e := range events {
		switch n := &c.nodes[e.node]; e.kind() {
		case atDelivery:
			sum += n.glanceAtSigns()
		case atTimer:
			sum += n.glanceAtTimer(int(e.number()))
		}
	}
	for _, e := range events {
		if n := &c.nodes[e.node]; e.kind() == atTimer && len(n.alarms) > 0 {
			sum += uint64(len(n.alarms[0].out.Send))
		}
	}
	c.ahead = sum
}

func (n *node[M]) glanceAtSigns() (sum uint64) {
	for i := 0; i < len(n.signs); i += signsOfLine {
		sum += uint64(n.signs[i].heard)
	}
	return sum
}

func (n *node[M]) glanceAtTimer(at int) (sum uint64) {
	if at < len(n.timers) {
		sum = uint64(n.timers[at].due + n.signs[at].heard)
	}
	if len(n.alarms) > 0 {
		sum += uint64(n.alarms[0].timer.Kind)
	}
	return sum
}
