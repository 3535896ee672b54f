package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Start begins the first life of a process. Its state is the one given in the configuration.
func (c *Cluster[S, M, C]) Start(node int) {
	n := &c.nodes[node]
	if n.up {
		panic("sim: started twice")
	}
	c.states[node], n.begun, n.up = c.cfg.Nodes[node], true, true
	c.step(node, protocol.Input[M, C]{Kind: protocol.Start}, nil)
}

// Place lets a process run in a given state, as if it had come there by itself. Its timers are
// those that a step of the core had set. For large worlds that are not worth growing.
func (c *Cluster[S, M, C]) Place(node int, s S, timers []protocol.SetTimer, persisted []byte) {
	n := &c.nodes[node]
	c.states[node], n.begun, n.up, n.persisted = s, true, true, persisted
	c.changed(node)
	for _, t := range timers {
		c.set(node, t)
	}
}

// Command gives an order of the application.
func (c *Cluster[S, M, C]) Command(node int, order C) {
	if c.nodes[node].up {
		c.step(node, protocol.Input[M, C]{Kind: protocol.Command, Command: order}, nil)
	}
}

// Crash ends a life. Of the process only what it persisted is left.
func (c *Cluster[S, M, C]) Crash(node int) {
	n := &c.nodes[node]
	if !n.up {
		return
	}
	h := Happening[M, C]{Kind: "crash", Node: node}
	if c.cfg.Watch != nil {
		c.cfg.Watch.Before(&h)
	}
	c.note(0, node, 0)
	c.stats.Crashes++
	crashed := n.id
	*n = remains(n)
	c.states[node] = *new(S)
	if c.cfg.Told != nil {
		c.cfg.Told(node, []protocol.Event{{Name: "crash", Peer: crashed}})
	}
	if c.cfg.Watch != nil {
		c.cfg.Watch.After(&h, &protocol.Output[M]{})
	}
}

// remains is what is left of a place after a crash.
func remains[M any](n *node[M]) node[M] {
	return node[M]{begun: n.begun, sent: n.sent, drift: n.drift, chance: n.chance, persisted: n.persisted}
}

// Restart begins a later life of a process that crashed or has ended, with what it persisted.
func (c *Cluster[S, M, C]) Restart(node int) {
	n := &c.nodes[node]
	if n.live || n.persisted == nil {
		return
	}
	c.stats.Restarts++
	*n = remains(n)
	c.states[node], n.up = c.cfg.Nodes[node], true
	c.step(node, protocol.Input[M, C]{Kind: protocol.Restart, Persisted: n.persisted}, nil)
}

func (c *Cluster[S, M, C]) deliver(node int, p posted[M]) {
	n, letter := &c.nodes[node], p.letter
	for i := range n.signs {
		if n.signs[i].letter == letter && c.cfg.Watch == nil {
			c.stats.Delivered++
			c.stats.Remembered++
			c.note(protocol.Deliver, node, trail(p.from, protocol.Timer{}))
			n.signs[i].heard = c.now // the timer is due later than before, so the event that is queued is early enough
			return
		}
	}
	if !n.live || n.id != letter.To {
		c.stats.Vanished++
		return
	}
	c.stats.Delivered++
	if c.cfg.Watch == nil {
		for i := range n.readings {
			if n.readings[i].letter == letter {
				c.stats.Remembered++
				c.note(protocol.Deliver, node, trail(p.from, protocol.Timer{}))
				c.obey(node, n.readings[i].out)
				return
			}
		}
	}
	c.step(node, protocol.Input[M, C]{Kind: protocol.Deliver, From: letter.From, Message: letter.Message}, letter)
}

// step hands an input to the core and obeys its output.
func (c *Cluster[S, M, C]) step(node int, in protocol.Input[M, C], letter *protocol.Envelope[M]) {
	c.note(in.Kind, node, trail(in.From, in.Timer)^uint64(in.Choice))
	h := Happening[M, C]{Kind: in.Kind.String(), Node: node, Input: in}
	if c.cfg.Watch != nil {
		c.cfg.Watch.Before(&h)
	}
	n := &c.nodes[node]
	c.stats.Steps++
	if c.cfg.Twice {
		c.cfg.Core.Step(c.states[node], in)
	}
	after, made := c.cfg.Core.Step(c.states[node], in)
	out := &made
	same := in.Kind != protocol.Start && c.cfg.Unchanged != nil && c.cfg.Unchanged(&c.states[node], &after)
	if !same {
		c.states[node] = after
		c.changed(node)
	} else if out.Choose == 0 && len(out.Events) == 0 {
		n.remember(letter, in.Kind, in.Timer, out)
	}
	c.obey(node, out)
	if same && letter != nil {
		n.renewed(letter, out)
	}
	if c.cfg.Told != nil && (!same || len(out.Events) > 0) {
		c.cfg.Told(node, out.Events)
	}
	if c.cfg.Watch != nil {
		c.cfg.Watch.After(&h, out)
	}
	if out.Choose > 0 {
		choice := uint32(n.chance.Below(uint64(out.Choose)))
		c.step(node, protocol.Input[M, C]{Kind: protocol.Chosen, Choice: choice}, nil)
	}
}

// changed takes note of a new state.
func (c *Cluster[S, M, C]) changed(node int) {
	n, s := &c.nodes[node], &c.states[node]
	n.id = c.cfg.Identity(s)
	n.live = n.up && !c.cfg.Stopped(s)
	n.forget()
}

// obey does what an output asks for, in the order of the contract, but for choices and events.
func (c *Cluster[S, M, C]) obey(node int, out *protocol.Output[M]) {
	n := &c.nodes[node]
	if out.Persist != nil {
		n.persisted = out.Persist
	}
	for i := range out.Send {
		c.send(node, &out.Send[i])
	}
	for _, t := range out.Cancel {
		n.cancel(t)
	}
	for i := range out.Set {
		c.set(node, out.Set[i])
	}
	for _, peer := range out.Measure {
		c.measure(node, peer)
	}
}

// Persisted is what is on a node's disk.
func (c *Cluster[S, M, C]) Persisted(node int) []byte { return slices.Clone(c.nodes[node].persisted) }
