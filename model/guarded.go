package model

import (
	"slices"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/model/cores"
	"github.com/canvass-grid/canvass/protocol"
)

// Calling implements [checker.Caller]. It names the function of the system that is running, or that
// has panicked.
func (k *worker[S, M, C]) Calling() string { return k.calls.Running() }

// Calling implements [checker.Caller], for Initial.
func (c *compiled[S, M, C]) Calling() string {
	if c.starting == nil {
		return ""
	}
	return c.starting.Running()
}

// guarded returns the system for one worker: every function notes in the log that it is running. So
// the worker has no way to call one of them without a note. A test replaces each function by a
// panic, and wants its name.
func (c *compiled[S, M, C]) guarded(log *blame.Log) *compiled[S, M, C] {
	own := *c
	own.System = c.System.guarded(log)
	if own.Symmetry != nil {
		own.renames, _ = own.renamer() // Compile has seen that there is one
	}
	return &own
}

func (s *System[S, M, C]) guarded(log *blame.Log) *System[S, M, C] {
	g := *s
	if s.Core != nil {
		g.Core = cores.Guard(log, s.Core)
	}
	g.Identity = blame.F1(log, "Identity", s.Identity)
	g.Repeats = blame.F1(log, "Repeats", s.Repeats)
	g.Stopped = blame.F1(log, "Stopped", s.Stopped)
	g.Crashable = blame.F2(log, "Crashable", s.Crashable)
	g.Due = blame.F3(log, "Due", s.Due)
	g.Latency = blame.F2(log, "Latency", s.Latency)
	g.Confluent = blame.F2(log, "Confluent", s.Confluent)
	g.View = blame.F1(log, "View", s.View)
	g.QuiescentEnd = blame.F1(log, "QuiescentEnd", s.QuiescentEnd)
	g.Draw = blame.Do2(log, "Draw", s.Draw)
	if s.Monitor != nil {
		g.Monitor = guardMonitor(log, s.Monitor)
	}
	if s.Symmetry != nil {
		y := *s.Symmetry
		y.State = blame.F2(log, "Symmetry.State", y.State)
		y.Message = blame.F2(log, "Symmetry.Message", y.Message)
		y.Command = blame.F2(log, "Symmetry.Command", y.Command)
		y.Monitor = blame.F2(log, "Symmetry.Monitor", y.Monitor)
		y.Persisted = blame.F2(log, "Symmetry.Persisted", y.Persisted)
		g.Symmetry = &y
	}
	g.Properties = slices.Clone(s.Properties)
	for i, p := range g.Properties {
		p.Holds = blame.F1(log, function{"Holds", p.Name}.String(), p.Holds)
		p.Triggers = blame.F1(log, function{"Triggers", p.Name}.String(), p.Triggers)
		g.Properties[i] = p
	}
	return &g
}

// guardedMonitor notes the calls of a monitor.
type guardedMonitor[S any] struct {
	monitor Monitor[S]
	initial func(struct{}) []byte
	view    func([]byte) any
	wants   func(string) bool
	log     *blame.Log
	observe int
}

func guardMonitor[S any](log *blame.Log, m Monitor[S]) Monitor[S] {
	return &guardedMonitor[S]{
		monitor: m,
		initial: blame.F1(log, "Monitor.Initial", func(struct{}) []byte { return m.Initial() }),
		view:    blame.F1(log, "Monitor.View", m.View),
		wants:   blame.F1(log, "Monitor.Wants", m.Wants),
		log:     log, observe: log.Add("Monitor.Observe"),
	}
}

func (g *guardedMonitor[S]) Initial() []byte         { return g.initial(struct{}{}) }
func (g *guardedMonitor[S]) View(mon []byte) any     { return g.view(mon) }
func (g *guardedMonitor[S]) Wants(event string) bool { return g.wants(event) }

func (g *guardedMonitor[S]) Observe(mon []byte, node int, after S, events []protocol.Event) []byte {
	before := g.log.Enter(g.observe)
	mon = g.monitor.Observe(mon, node, after, events)
	g.log.Leave(before)
	return mon
}
