package main

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// counting is a core for the tests of simulations: each node sends the next number to the other
// node.
type counting struct{}

type countInput = protocol.Input[uint32, uint32]

func (counting) Step(s protocol.NodeID, in countInput) (protocol.NodeID, protocol.Output[uint32]) {
	var out protocol.Output[uint32]
	switch in.Kind {
	case protocol.Start:
		s.Incarnation = 1
	case protocol.Command, protocol.Deliver:
		if n := max(in.Command, in.Message); n < 9 {
			to := protocol.NodeID{Address: s.Address ^ 1, Incarnation: 1}
			out.Send = append(out.Send, protocol.Envelope[uint32]{From: s, To: to, Message: n + 1})
		}
		s.Incarnation = 1
	}
	return s, out
}

func (counting) AppendState(dst []byte, s protocol.NodeID) []byte {
	return protocol.AppendNodeID(dst, s)
}
func (counting) DecodeState(src []byte) (protocol.NodeID, error) {
	r := protocol.NewReader(src)
	return r.NodeID(), r.Close()
}
func (counting) AppendMessage(dst []byte, m uint32) []byte {
	return protocol.AppendUint(dst, uint64(m))
}
func (counting) DecodeMessage(src []byte) (uint32, error) {
	r := protocol.NewReader(src)
	return uint32(r.Uint(9)), r.Close()
}
func (counting) AppendCommand(dst []byte, c uint32) []byte {
	return protocol.AppendUint(dst, uint64(c))
}
func (counting) DecodeCommand(src []byte) (uint32, error) { return 0, protocol.ErrEncoding }
func (counting) StateText(s protocol.NodeID) string       { return s.String() }
func (counting) MessageText(m uint32) string              { return fmt.Sprint("number ", m) }
func (counting) CommandText(c uint32) string              { return fmt.Sprint("count from ", c) }
func (counting) TimerText(protocol.Timer) string          { return "?" }

// countScenario is a scenario in which two nodes count to nine in turn. A limit violates a
// property.
type countScenario struct {
	name     string
	limit    uint32 // numbers above break Small; 0: none do
	expected bool
	random   *uint64 // if set, no two runs are the same
	panics   bool
}

func toyScenarios() []*sim.Scenario {
	return []*sim.Scenario{
		countScenario{name: "toy/count"}.scenario(),
		countScenario{name: "toy/small", limit: 4}.scenario(),
		countScenario{name: "toy/expected", limit: 4, expected: true}.scenario(),
		countScenario{name: "toy/undone", expected: true}.scenario(),
		countScenario{name: "toy/moody", random: new(uint64)}.scenario(),
		countScenario{name: "toy/panic", panics: true}.scenario(),
		countScenario{name: "walk/on"}.scenario(),
	}
}

// scenario makes it a scenario.
func (w countScenario) scenario() *sim.Scenario {
	s := &sim.Scenario{
		Name: w.name, Doc: "two nodes count", Draw: w.draw, Run: w.run,
		Words: func() []traces.Term {
			return []traces.Term{{Kind: traces.MessageTerm, Word: "number", Meaning: "one more than was received"}}
		},
		Properties: func() []checker.Property {
			return []checker.Property{{Name: "Small", Doc: "no node receives a large number", Shape: checker.Always}}
		},
	}
	if w.expected {
		s.Expected = map[string]string{"Small": "it shows the result of counting"}
	}
	return s
}

func (w countScenario) draw(seed uint64) *sim.Plan {
	p := &sim.Plan{Scenario: w.name, Seed: seed, Nodes: 2, Latency: "exponential 50000", UntilMicros: 5_000_000}
	for i := range seed % 5 {
		p.Ops = append(p.Ops, sim.Op{AtMicros: int64(1+i) * 1_000_000, Do: "count", Node: int(i % 2), Arg: i})
	}
	return p
}

func (w countScenario) run(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &sim.Result{Verdict: sim.Holds}
	if w.random != nil {
		*w.random++
		p.Seed += *w.random
	}
	config := sim.Config[protocol.NodeID, uint32, uint32]{
		Core: counting{}, Nodes: []protocol.NodeID{{}, {Address: 1}}, Seed: p.Seed, TickMicros: 1000,
		Identity: func(s *protocol.NodeID) protocol.NodeID { return *s },
		Network:  sim.Network{Latency: latency, Faults: p.Faults},
	}
	oracle := &numbers{scenario: w, result: r}
	config.Observer = oracle
	if o.Record != nil {
		oracle.Tracer = &sim.Tracer[protocol.NodeID, uint32, uint32]{Core: counting{}, Recorder: o.Record}
	}
	c := sim.New(config)
	if o.Record != nil {
		oracle.Tracer.Simulation = c
		o.Record.Begin(oracle.Tracer)
	}
	c.Start(0)
	c.Start(1)
	for _, op := range p.Ops {
		c.At(op.AtMicros, func() { c.Command(op.Node, uint32(op.Arg)) })
	}
	c.RunUntil(p.UntilMicros, func() bool { return r.Verdict == sim.Holds })
	r.AtMicros, r.Digest, r.Stats, r.Length, r.Counts = c.Now(), c.Digest(), c.Stats(), c.Stats().Steps, map[string]int{
		"counted": len(p.Ops),
	}
	return r, nil
}

// numbers looks at each number that is delivered.
type numbers struct {
	*sim.Tracer[protocol.NodeID, uint32, uint32]
	scenario countScenario
	result   *sim.Result
}

func (n *numbers) Before(h *sim.StepInfo[uint32, uint32]) {
	if n.Tracer != nil {
		n.Tracer.Before(h)
	}
}

func (n *numbers) After(h *sim.StepInfo[uint32, uint32], out *protocol.Output[uint32]) {
	if m := h.Input.Message; n.scenario.limit > 0 && m > n.scenario.limit && n.result.Verdict == sim.Holds {
		n.result.Verdict, n.result.Property, n.result.Where = sim.Violated, "Small", fmt.Sprint(m, " is not small")
	}
	if n.scenario.panics && h.Input.Message == 7 {
		panic("seven")
	}
	if n.Tracer != nil {
		n.Tracer.After(h, out)
	}
}

func (n *numbers) Fate(e *protocol.Envelope[uint32], fate string) {
	if n.Tracer != nil {
		n.Tracer.Outcome(e, fate)
	}
}
