package drivetest

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// drainLimit bounds the messages of one Drain.
const drainLimit = 20_000

// Drain delivers all messages and ends all measurements of nodes that run, and their consequences,
// the oldest first.
func (w *Network[S, M, C]) Drain() {
	for range drainLimit {
		if w.Broken != nil || len(w.InFlight) == 0 && !w.measureAll() {
			return
		}
		if len(w.InFlight) > 0 {
			w.Deliver(0)
		}
	}
	w.Violated("messages cause messages without end")
}

// measureAll ends the oldest measurement at each node, and reports whether there was one.
func (w *Network[S, M, C]) measureAll() (any bool) {
	for _, p := range w.Live() {
		peers := p.Measuring()
		if i := slices.IndexFunc(peers, w.Running); i >= 0 {
			w.Measure(p, peers[i])
			any = true
		}
	}
	return any
}

// Settle is a fair schedule: it drains the network and runs the round, again and again, until that
// changes nothing. It reports whether this came about within the given number of rounds.
func (w *Network[S, M, C]) Settle(rounds int, round func()) bool {
	for range rounds {
		before := w.picture()
		w.Drain()
		round()
		if w.Broken != nil || w.picture() == before {
			return w.Broken == nil
		}
	}
	return false
}

// FireAll fires the timers that are pending at a node and may fire. A timer that one of them
// cancels does not fire. Then is called after each; it may be nil.
func (w *Network[S, M, C]) FireAll(p *Process[S, M, C], may func(protocol.Timer) bool, then func()) {
	for _, t := range p.Pending() {
		if slices.Contains(p.Pending(), t) && may(t) {
			w.Fire(p, t)
			if then != nil {
				then()
			}
		}
	}
}

// FireOne fires one of the pending timers that may fire, picked modulo their number.
func (w *Network[S, M, C]) FireOne(pick int, may func(*Process[S, M, C], protocol.Timer) bool) {
	var fire []func()
	for _, p := range w.Nodes {
		for _, t := range p.Pending() {
			if may(p, t) {
				fire = append(fire, func() { w.Fire(p, t) })
			}
		}
	}
	if len(fire) > 0 {
		fire[pick%len(fire)]()
	}
}

// picture is the present state of the network.
func (w *Network[S, M, C]) picture() string {
	b := []byte{byte(len(w.InFlight))}
	for _, p := range w.Nodes {
		b = protocol.AppendBool(b, p.Node.Running())
		if w.Picture != nil {
			b = append(b, w.Picture(p)...)
		} else {
			b = w.Core.AppendState(b, p.State())
		}
	}
	for _, e := range w.InFlight {
		b = w.Core.AppendMessage(protocol.AppendNodeID(b, e.To), e.Message)
	}
	return string(b)
}
