package parallel

// news has the queue lengths of other nodes at the last report. Reports come once a period, from
// all nodes at once. Without a period, nodes see exact queue lengths.
type news struct {
	period int64
	next   int64  // when the next report comes
	number uint64 // of the present period
	// Hosts whose queue lengths have changed since the last report. Without a period, they are known
	// as soon as nothing else happens at that time.
	changed []int32
}

// load has the reported queues of an advertised cluster.
type load struct {
	known   bool  // it is up to date
	longest int32 // the largest queue length
	free    int32 // nodes with an empty queue
	single  int32 // nodes with one task
}

func newNews(period, from int64) news {
	if period == 0 {
		return news{next: never, number: 1}
	}
	return news{period: period, next: from, number: 1}
}

// report begins the next period.
func (e *engine) report() {
	e.news.next += e.news.period
	e.spread()
}

// changes is called before the length of a queue changes.
func (e *engine) changes(node int32) {
	e.stir(node)
	if h := &e.hosts[node]; h.changed != e.news.number {
		h.changed, h.before = e.news.number, h.length()
		e.news.changed = append(e.news.changed, node)
	}
}

// known is the queue length of a node in the view of others.
func (e *engine) known(node int32) int32 {
	h := &e.hosts[node]
	if e.news.period > 0 && h.changed == e.news.number {
		return h.before
	}
	return h.length()
}

// loadOf has the reported load of the cluster that a node advertises.
func (e *engine) loadOf(node int32) *load { return e.load(int32(e.grid.Nodes[node].View)) }

func (e *engine) load(view int32) *load {
	l := &e.loads[view]
	if l.known {
		return l
	}
	*l = load{known: true}
	for _, member := range e.grid.views[view] {
		length := e.known(member)
		l.longest = max(l.longest, length)
		switch length {
		case 0:
			l.free++
		case 1:
			l.single++
		}
	}
	return l
}
