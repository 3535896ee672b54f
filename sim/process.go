package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Start begins the first life of a process. Its state is the one given in the configuration.
func (c *Simulation[S, M, C]) Start(node int) {
	n := &c.nodes[node]
	if n.up {
		panic("sim: started twice")
	}
	c.states[node], n.begun, n.up = c.cfg.Nodes[node], true, true
	c.step(node, protocol.Input[M, C]{Kind: protocol.Start}, nil)
}

// Place lets a process run in a given state, as if it had come there by itself. Its timers are
// those that a step of the core had set. For large worlds that are not worth growing.
func (c *Simulation[S, M, C]) Place(node int, s S, timers []protocol.SetTimer, persisted []byte) {
	n := &c.nodes[node]
	c.states[node], n.begun, n.up, n.persisted = s, true, true, persisted
	c.changed(node)
	for _, t := range timers {
		c.set(node, t)
	}
}

// Command gives an order of the application.
func (c *Simulation[S, M, C]) Command(node int, order C) {
	if c.nodes[node].up {
		c.step(node, protocol.Input[M, C]{Kind: protocol.Command, Command: order}, nil)
	}
}

// Crash ends a life. Of the process only what it persisted is left.
func (c *Simulation[S, M, C]) Crash(node int) {
	n := &c.nodes[node]
	if !n.up {
		return
	}
	h := StepInfo[M, C]{Kind: "crash", Node: node}
	if c.cfg.Observer != nil {
		c.cfg.Observer.Before(&h)
	}
	c.digestInput(0, node, 0)
	c.stats.Crashes++
	crashed := n.id
	*n = afterCrash(n)
	c.states[node] = *new(S)
	if c.cfg.OnStep != nil {
		c.cfg.OnStep(node, []protocol.Event{{Name: "crash", Peer: crashed}})
	}
	if c.cfg.Observer != nil {
		c.cfg.Observer.After(&h, &protocol.Output[M]{})
	}
}

// remains is what is left of a place after a crash.
func afterCrash[M any](n *node[M]) node[M] {
	return node[M]{begun: n.begun, sent: n.sent, drift: n.drift, chance: n.chance, persisted: n.persisted}
}

// Restart begins a later life of a process that crashed or has ended, with what it persisted.
func (c *Simulation[S, M, C]) Restart(node int) {
	n := &c.nodes[node]
	if n.live || n.persisted == nil {
		return
	}
	c.stats.Restarts++
	*n = afterCrash(n)
	c.states[node], n.up = c.cfg.Nodes[node], true
	c.step(node, protocol.Input[M, C]{Kind: protocol.Restart, Persisted: n.persisted}, nil)
}

func (c *Simulation[S, M, C]) deliver(node int, p delivery[M]) {
	n, letter := &c.nodes[node], p.envelope
	for i := range n.heartbeats {
		if n.heartbeats[i].envelope == letter && c.cfg.Observer == nil {
			c.stats.Delivered++
			c.stats.Remembered++
			c.digestInput(protocol.Deliver, node, digestWord(p.from, protocol.Timer{}))
			n.heartbeats[i].receivedAt = c.now // the timer is due later than before, so the event that is queued is early enough
			return
		}
	}
	if !n.live || n.id != letter.To {
		c.stats.Undelivered++
		return
	}
	c.stats.Delivered++
	if c.cfg.Observer == nil {
		for i := range n.deliveries {
			if n.deliveries[i].envelope == letter {
				c.stats.Remembered++
				c.digestInput(protocol.Deliver, node, digestWord(p.from, protocol.Timer{}))
				c.apply(node, n.deliveries[i].out)
				return
			}
		}
	}
	c.step(node, protocol.Input[M, C]{Kind: protocol.Deliver, From: letter.From, Message: letter.Message}, letter)
}

// step hands an input to the core and obeys its output.
func (c *Simulation[S, M, C]) step(node int, in protocol.Input[M, C], letter *protocol.Envelope[M]) {
	c.digestInput(in.Kind, node, digestWord(in.From, in.Timer)^uint64(in.Choice))
	h := StepInfo[M, C]{Kind: in.Kind.String(), Node: node, Input: in}
	if c.cfg.Observer != nil {
		c.cfg.Observer.Before(&h)
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
		n.cache(letter, in.Kind, in.Timer, out)
	}
	c.apply(node, out)
	if same && letter != nil {
		n.noteHeartbeat(letter, out)
	}
	if c.cfg.OnStep != nil && (!same || len(out.Events) > 0) {
		c.cfg.OnStep(node, out.Events)
	}
	if c.cfg.Observer != nil {
		c.cfg.Observer.After(&h, out)
	}
	if out.Choose > 0 {
		choice := uint32(n.chance.Below(uint64(out.Choose)))
		c.step(node, protocol.Input[M, C]{Kind: protocol.Chosen, Choice: choice}, nil)
	}
}

// changed takes note of a new state.
func (c *Simulation[S, M, C]) changed(node int) {
	n, s := &c.nodes[node], &c.states[node]
	n.id = c.cfg.Identity(s)
	n.live = n.up && !c.cfg.Stopped(s)
	n.clearCache()
}

// obey does what an output asks for, in the order of the contract, but for choices and events.
func (c *Simulation[S, M, C]) apply(node int, out *protocol.Output[M]) {
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
func (c *Simulation[S, M, C]) Persisted(node int) []byte {
	return slices.Clone(c.nodes[node].persisted)
}
