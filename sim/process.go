package sim

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Start starts the first incarnation of a process, in the state given in the configuration.
func (s *Simulation[S, M, C]) Start(node int) {
	n := &s.nodes[node]
	if n.up {
		panic(fmt.Sprintf("sim: node %d was started twice", node))
	}
	s.states[node], n.begun, n.up = s.cfg.Nodes[node], true, true
	s.step(node, protocol.Input[M, C]{Kind: protocol.Start}, nil)
}

// Place lets a process run in a given state, as if its own steps had led there. The caller
// passes the timers that a step would have set. It saves growing a large network step by step.
func (s *Simulation[S, M, C]) Place(node int, state S, timers []protocol.SetTimer, persisted []byte) {
	n := &s.nodes[node]
	s.states[node], n.begun, n.up, n.persisted = state, true, true, persisted
	s.changed(node)
	for _, t := range timers {
		s.set(node, t)
	}
}

// Command gives a command of the application to a node.
func (s *Simulation[S, M, C]) Command(node int, order C) {
	if s.nodes[node].up {
		s.step(node, protocol.Input[M, C]{Kind: protocol.Command, Command: order}, nil)
	}
}

// Crash ends an incarnation. Only the persisted bytes survive.
func (s *Simulation[S, M, C]) Crash(node int) {
	n := &s.nodes[node]
	if !n.up {
		return
	}
	h := StepInfo[M, C]{Kind: "crash", Node: node}
	if s.cfg.Observer != nil {
		s.cfg.Observer.Before(&h)
	}
	s.actions.add(s.now, 0, node, 0)
	s.stats.Crashes++
	crashed := n.id
	*n = afterCrash(n)
	s.states[node] = *new(S)
	s.audit.unwatch(node)
	if s.cfg.OnStep != nil {
		s.cfg.OnStep(node, []protocol.Event{{Name: "crash", Peer: crashed}})
	}
	if s.cfg.Observer != nil {
		s.cfg.Observer.After(&h, &protocol.Output[M]{})
	}
}

// afterCrash is the rest of a node after a crash.
func afterCrash[M any](n *node[M]) node[M] {
	return node[M]{begun: n.begun, sent: n.sent, drift: n.drift, chance: n.chance, persisted: n.persisted}
}

// Restart starts a new incarnation of a process that crashed or stopped, from its persisted bytes.
func (s *Simulation[S, M, C]) Restart(node int) {
	n := &s.nodes[node]
	if n.live || n.persisted == nil {
		return
	}
	s.stats.Restarts++
	*n = afterCrash(n)
	s.states[node], n.up = s.cfg.Nodes[node], true
	s.audit.unwatch(node)
	s.step(node, protocol.Input[M, C]{Kind: protocol.Restart, Persisted: n.persisted}, nil)
}

func (s *Simulation[S, M, C]) deliver(node int, p delivery[M]) {
	n, envelope := &s.nodes[node], p.envelope
	for i := range n.heartbeats {
		if n.heartbeats[i].envelope == envelope && s.cfg.Observer == nil {
			s.stats.Delivered++
			s.stats.Remembered++
			s.actions.add(s.now, protocol.Deliver, node, digestWord(p.from, protocol.Timer{}))
			n.heartbeats[i].receivedAt = s.now // never earlier than before, so the queued event is early enough
			return
		}
	}
	if !n.live || n.id != envelope.To {
		s.stats.Undelivered++
		return
	}
	s.stats.Delivered++
	if s.cfg.Observer == nil {
		for i := range n.deliveries {
			if n.deliveries[i].envelope == envelope {
				s.stats.Remembered++
				s.actions.add(s.now, protocol.Deliver, node, digestWord(p.from, protocol.Timer{}))
				s.apply(node, n.deliveries[i].out)
				return
			}
		}
	}
	s.step(node, protocol.Input[M, C]{Kind: protocol.Deliver, From: envelope.From, Message: envelope.Message}, envelope)
}

// step executes a step of the core and applies its output.
func (s *Simulation[S, M, C]) step(node int, in protocol.Input[M, C], envelope *protocol.Envelope[M]) {
	s.actions.add(s.now, in.Kind, node, digestWord(in.From, in.Timer)^uint64(in.Choice))
	h := StepInfo[M, C]{Kind: in.Kind.String(), Node: node, Input: in}
	if s.cfg.Observer != nil {
		s.cfg.Observer.Before(&h)
	}
	n := &s.nodes[node]
	s.audit.begin(node, &in)
	if s.cfg.Twice {
		s.cfg.Core.Step(s.states[node], in)
	}
	after, made := s.cfg.Core.Step(s.states[node], in)
	out := &made
	s.audit.check(node, in, &after, out)
	same := in.Kind != protocol.Start && s.cfg.Unchanged != nil && s.audit.unchanged(node, &after)
	if !same {
		s.states[node] = after
		s.changed(node)
	} else if out.Choose == 0 && len(out.Events) == 0 {
		n.cache(envelope, in.Kind, in.Timer, out)
	}
	s.apply(node, out)
	if same && envelope != nil {
		n.noteHeartbeat(envelope, out)
	}
	s.audit.watch(node)
	if s.cfg.OnStep != nil && (!same || len(out.Events) > 0) {
		s.cfg.OnStep(node, out.Events)
		s.audit.requireUnchanged("OnStep")
	}
	if s.cfg.Observer != nil {
		s.cfg.Observer.After(&h, out)
	}
	if out.Choose > 0 {
		choice := uint32(n.chance.Below(uint64(out.Choose)))
		s.step(node, protocol.Input[M, C]{Kind: protocol.Chosen, Choice: choice}, nil)
	}
	s.audit.deep--
}

// changed updates what is derived from a node's state.
func (s *Simulation[S, M, C]) changed(node int) {
	n, state := &s.nodes[node], &s.states[node]
	s.audit.unwatch(node)
	n.id = s.cfg.Identity(state)
	n.live = n.up && !s.cfg.Stopped(state)
	n.clearCache()
}

// apply carries out an output, in the order that the contract prescribes, except choices and
// events.
func (s *Simulation[S, M, C]) apply(node int, out *protocol.Output[M]) {
	n := &s.nodes[node]
	if out.Persist != nil {
		n.persisted = out.Persist
	}
	for i := range out.Send {
		s.send(node, &out.Send[i])
	}
	for _, t := range out.Cancel {
		n.cancel(t)
	}
	for i := range out.Set {
		s.set(node, out.Set[i])
	}
	for _, peer := range out.Measure {
		s.measure(node, peer)
	}
}

// Persisted is the content of a node's disk.
func (s *Simulation[S, M, C]) Persisted(node int) []byte {
	return slices.Clone(s.nodes[node].persisted)
}
