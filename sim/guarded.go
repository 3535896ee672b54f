package sim

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/model/cores"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// The functions of a scenario come from strangers. Every one is replaced, where it is stored, by a
// wrapper that notes in a log that it is running. So a run has no way to call one without a note,
// and [Try] can name the function that panicked or made its goroutine exit. Tests replace each
// function by a panic, and want its name.

// guarded returns the configuration for one simulation.
func (c Config[S, M, C]) guarded(log *blame.Log) Config[S, M, C] {
	c.calls = log
	if c.Core != nil {
		c.Core = cores.Guard(log, c.Core)
	}
	c.Identity = blame.F1(log, "Identity", c.Identity)
	c.Stopped = blame.F1(log, "Stopped", c.Stopped)
	c.Unchanged = blame.F2(log, "Unchanged", c.Unchanged)
	c.Due = blame.F2(log, "Due", c.Due)
	c.Span = blame.F2(log, "Span", c.Span)
	c.OnStep = blame.Do2(log, "OnStep", c.OnStep)
	c.Network.Latency = guardLatency(log, c.Network.Latency)
	if c.Observer != nil {
		c.Observer = guardObserver[S, M, C](log, c.Observer)
	}
	return c
}

// guardedLatency notes the calls of a latency.
type guardedLatency struct {
	latency Latency
	log     *blame.Log
	micros  int // the number of its function
}

func guardLatency(log *blame.Log, l Latency) Latency {
	if l == nil {
		return nil
	}
	return &guardedLatency{l, log, log.Add("Latency.Micros")}
}

// Micros implements [Latency].
func (g *guardedLatency) Micros(from, to protocol.Address, c *Chance) int64 {
	before := g.log.Enter(g.micros)
	micros := g.latency.Micros(from, to, c)
	g.log.Leave(before)
	return micros
}

// guardedObserver notes the calls of an observer.
type guardedObserver[S, M, C any] struct {
	observer               Observer[S, M, C]
	log                    *blame.Log
	before, after, outcome int
}

func guardObserver[S, M, C any](log *blame.Log, o Observer[S, M, C]) Observer[S, M, C] {
	return &guardedObserver[S, M, C]{
		o, log, log.Add("Observer.Before"), log.Add("Observer.After"), log.Add("Observer.Outcome"),
	}
}

// Before implements [Observer].
func (g *guardedObserver[S, M, C]) Before(h *StepInfo[M, C]) {
	before := g.log.Enter(g.before)
	g.observer.Before(h)
	g.log.Leave(before)
}

// After implements [Observer].
func (g *guardedObserver[S, M, C]) After(h *StepInfo[M, C], out *protocol.Output[M]) {
	before := g.log.Enter(g.after)
	g.observer.After(h, out)
	g.log.Leave(before)
}

// Outcome implements [Observer].
func (g *guardedObserver[S, M, C]) Outcome(e *protocol.Envelope[M], outcome string) {
	before := g.log.Enter(g.outcome)
	g.observer.Outcome(e, outcome)
	g.log.Leave(before)
}

// guardedOracle notes the calls of an oracle.
type guardedOracle struct {
	oracle                     Oracle
	log                        *blame.Log
	broken, violate, quiescent int
}

func guardOracle(log *blame.Log, o Oracle) *guardedOracle {
	return &guardedOracle{o, log, log.Add("Oracle.Broken"), log.Add("Oracle.Violate"), log.Add("Oracle.Quiescent")}
}

// Broken implements [Oracle].
func (g *guardedOracle) Broken() (property, where string) {
	before := g.log.Enter(g.broken)
	property, where = g.oracle.Broken()
	g.log.Leave(before)
	return property, where
}

// Violate implements [Oracle].
func (g *guardedOracle) Violate(property, format string, args ...any) {
	before := g.log.Enter(g.violate)
	g.oracle.Violate(property, format, args...)
	g.log.Leave(before)
}

// Quiescent implements [Oracle].
func (g *guardedOracle) Quiescent() (property, where string) {
	before := g.log.Enter(g.quiescent)
	property, where = g.oracle.Quiescent()
	g.log.Leave(before)
	return property, where
}

// guardedRecorder notes the calls of a recorder.
type guardedRecorder struct {
	recorder             Recorder
	log                  *blame.Log
	begin, before, after int
}

func guardRecorder(log *blame.Log, r Recorder) Recorder {
	if r == nil {
		return nil
	}
	return &guardedRecorder{r, log, log.Add("Recorder.Begin"), log.Add("Recorder.Before"), log.Add("Recorder.After")}
}

// Begin implements [Recorder].
func (g *guardedRecorder) Begin(now View) {
	before := g.log.Enter(g.begin)
	g.recorder.Begin(now)
	g.log.Leave(before)
}

// Before implements [Recorder].
func (g *guardedRecorder) Before(a traces.Action) {
	before := g.log.Enter(g.before)
	g.recorder.Before(a)
	g.log.Leave(before)
}

// After implements [Recorder].
func (g *guardedRecorder) After(effects []string, now View) {
	before := g.log.Enter(g.after)
	g.recorder.After(effects, now)
	g.log.Leave(before)
}

// guarded returns the functions of a convergence.
func (e Convergence) guarded(log *blame.Log) Convergence {
	switch {
	case e.Latency == nil:
		broken("the Latency of the convergence is missing, which Finish needs")
	case e.PollMicros < 1:
		broken("PollMicros of the convergence is %d; it must be at least 1, or the run has no end", e.PollMicros)
	}
	e.OnHeal = blame.Do0(log, "OnHeal of the convergence", e.OnHeal)
	e.OnPoll = blame.Do0(log, "OnPoll of the convergence", e.OnPoll)
	return e
}

// broken ends a run: a function of the scenario breaks its contract.
func broken(format string, args ...any) { panic(&ContractError{fmt.Sprintf(format, args...)}) }

// ContractError says which function of a scenario breaks its contract, how, and what to do. A run
// in which one does violates [PanicProperty].
type ContractError struct{ Problem string }

// Error says which part of the contract was broken.
func (e *ContractError) Error() string { return "sim: the scenario breaks its contract: " + e.Problem }
