package sim_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// word is a message that functions could change.
type word []byte

type (
	bagInput  = protocol.Input[word, string]
	bagOutput = protocol.Output[word]
	bagConfig = sim.Config[bag, word, string]
)

// bag is the state of a node with a slice.
type bag struct {
	Self protocol.NodeID
	Got  []byte
}

// bags is a correct core: a node sends the word of its command, and stores the words that it
// receives. If step is set, it is called instead: it stands for foreign code.
type bags struct {
	step func(s bag, in bagInput) (bag, bagOutput)
}

func (b bags) Step(s bag, in bagInput) (bag, bagOutput) {
	if b.step != nil {
		return b.step(s, in)
	}
	return rightStep(s, in)
}

func rightStep(s bag, in bagInput) (bag, bagOutput) {
	var out bagOutput
	switch in.Kind {
	case protocol.Start:
		s.Self.Incarnation = 1
		out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 1}, MinTicks: 5, MaxTicks: 9}}
	case protocol.Command:
		to := protocol.NodeID{Address: 1 - s.Self.Address, Incarnation: 1}
		out.Send = []protocol.Envelope[word]{{From: s.Self, To: to, Message: word(in.Command)}}
	case protocol.Deliver:
		s.Got = append([]byte(string(s.Got)), in.Message...)
	}
	out.Events = []protocol.Event{{Name: in.Kind.String()}}
	return s, out
}

func (bags) AppendState(dst []byte, s bag) []byte {
	return append(protocol.AppendNodeID(dst, s.Self), s.Got...)
}

func (bags) DecodeState(src []byte) (bag, error) {
	r := protocol.NewReader(src)
	return bag{Self: r.NodeID(), Got: r.Bytes(r.Left())}, r.Close()
}
func (bags) AppendMessage(dst []byte, m word) []byte   { return append(dst, m...) }
func (bags) DecodeMessage(src []byte) (word, error)    { return word(string(src)), nil }
func (bags) AppendCommand(dst []byte, c string) []byte { return append(dst, c...) }
func (bags) DecodeCommand(src []byte) (string, error)  { return string(src), nil }
func (bags) StateText(s bag) string                    { return string(s.Got) }
func (bags) MessageText(m word) string                 { return string(m) }
func (bags) CommandText(c string) string               { return c }
func (bags) TimerText(protocol.Timer) string           { return "timer" }

// bagOracle is an oracle with functions that a stranger can replace.
type bagOracle struct {
	sim.Violation
	broken, quiescent func() (property, where string)
}

func (o *bagOracle) Broken() (property, where string) {
	if o.broken != nil {
		return o.broken()
	}
	return o.Violation.Broken()
}

func (o *bagOracle) Quiescent() (property, where string) {
	if o.quiescent != nil {
		return o.quiescent()
	}
	return "", ""
}

// stage is all that a scenario of bags is made of, for strangers to spoil.
type stage struct {
	core     *bags
	config   *bagConfig
	oracle   *bagOracle
	converge *sim.Convergence
	counts   func() map[string]int
	ops      map[string]func(sim.Op)
	run      *sim.Run[bag, word, string] // once it is made
}

// bagScenario is a right scenario: two nodes send words to each other.
func bagScenario(spoil func(*stage)) *sim.Scenario {
	s := &sim.Scenario{
		Name: "toy/bags", Doc: "two nodes send words",
		Draw: sim.DrawFrom("toy/bags", "toy/bags", func(p *sim.Plan, c *sim.Chance) {
			p.Nodes, p.Latency, p.UntilMicros, p.SettleMicros = 2, "uniform 1 5000", 1_000_000, 1_000_000
			for range 20 {
				p.Add(sim.Op{AtMicros: int64(c.Below(900_000)), Do: "say", Node: int(c.Below(2))})
			}
		}),
		Properties: func() []checker.Property { return []checker.Property{{Name: "Good"}} },
		Words:      func() []traces.Term { return nil },
	}
	s.Run = func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
		latency, err := p.Delays()
		if err != nil {
			return nil, err
		}
		g := &stage{
			core: &bags{}, oracle: &bagOracle{}, converge: &sim.Convergence{Latency: sim.Constant(1), PollMicros: 1000},
			config: &bagConfig{
				Nodes: []bag{{}, {Self: protocol.NodeID{Address: 1}}}, TickMicros: 1000,
				Network: sim.Network{Latency: latency}, Identity: func(s *bag) protocol.NodeID { return s.Self },
			},
		}
		g.config.OnStep = func(int, []protocol.Event) {}
		g.ops = map[string]func(sim.Op){"say": func(op sim.Op) { g.run.Command(op.Node, "abc") }}
		if spoil != nil {
			spoil(g)
		}
		g.config.Core = *g.core
		g.run = sim.NewRun(p, o, *g.config, g.oracle)
		g.run.Begin()
		for i := range p.Nodes {
			g.run.Start(i)
		}
		if err := g.run.Schedule(g.ops); err != nil {
			return nil, err
		}
		return g.run.Finish(*g.converge, g.counts)
	}
	return s
}

// stranger spoils a right scenario. The run must say so, and name the function.
type stranger struct {
	spoil func(*stage)
	says  string
}

// spoiledStep is a core that does something more in a step with an input of that kind.
func spoiledStep(kind protocol.InputKind, more func(s *bag, in *bagInput, out *bagOutput)) func(*stage) {
	return func(g *stage) {
		g.core.step = func(s bag, in bagInput) (bag, bagOutput) {
			after, out := rightStep(s, in)
			if in.Kind == kind {
				more(&after, &in, &out)
			}
			return after, out
		}
	}
}

// wrongCores are cores that are no functions of their arguments, or that have impossible outputs.
func wrongCores() map[string]stranger {
	calls := byte(0)
	return map[string]stranger{
		"Step changes its message": {spoiledStep(protocol.Deliver, func(_ *bag, in *bagInput, _ *bagOutput) {
			in.Message[0]++
		}), "Step of the core changes the message that it is given"},
		"Step changes its state": {func(g *stage) {
			g.config.Nodes[0].Got, g.config.Nodes[1].Got = []byte{7}, []byte{7}
			g.core.step = func(s bag, in bagInput) (bag, bagOutput) { s.Got[0]++; return rightStep(s, in) }
		}, "Step of the core changes the state that it is given"},
		"Step is fickle": {spoiledStep(protocol.Timeout, func(s *bag, _ *bagInput, _ *bagOutput) {
			calls++
			s.Got = []byte{calls}
		}), "Step of the core gives another result when called again"},
		"outputs are fickle": {spoiledStep(protocol.Timeout, func(_ *bag, _ *bagInput, out *bagOutput) {
			calls++
			out.Events = []protocol.Event{{Name: fmt.Sprint(calls)}}
		}), "Step of the core gives another result when called again"},
		"a timer ends before it begins": {spoiledStep(protocol.Timeout, func(_ *bag, _ *bagInput, out *bagOutput) {
			out.Set = []protocol.SetTimer{{MinTicks: 9, MaxTicks: 3}}
		}), "Step of the core: it sets a timer of kind 0 that fires after 9 ticks at least and 3 at most"},
		"choices without end": {func(g *stage) {
			g.core.step = func(s bag, in bagInput) (bag, bagOutput) {
				after, out := rightStep(s, in)
				out.Choose = 2
				return after, out
			}
		}, "Step of the core answers each choice by asking for another one, 10000 times in a row"},
		"Step panics": {spoiledStep(protocol.Deliver, func(s *bag, _ *bagInput, _ *bagOutput) { _ = s.Got[99] }),
			"Step of the core panicked: runtime error: index out of range [99]"},
		"Step exits": {spoiledStep(protocol.Deliver, func(*bag, *bagInput, *bagOutput) { runtime.Goexit() }),
			"Step of the core: the goroutine was made to exit"},
	}
}

// wrongConfigs are functions of a configuration that are wrong.
func wrongConfigs() map[string]stranger {
	calls := int64(0)
	next := func() int64 { calls++; return calls }
	return map[string]stranger{
		"Identity changes": {func(g *stage) {
			g.config.Identity = func(s *bag) protocol.NodeID { s.Got = append(s.Got, 1); return s.Self }
		}, "Identity changes the state that it is given"},
		"Identity is fickle": {func(g *stage) {
			g.config.Identity = func(s *bag) protocol.NodeID {
				id := s.Self
				if id.Incarnation > 0 {
					id.Incarnation = uint16(next())
				}
				return id
			}
		}, "Identity gives another answer"},
		"Identity moves": {func(g *stage) {
			g.config.Identity = func(s *bag) protocol.NodeID {
				id := s.Self
				id.Address += protocol.Address(len(s.Got))
				return id
			}
		}, "Identity returns D for a state at A"},
		"Stopped is fickle": {func(g *stage) { g.config.Stopped = func(*bag) bool { return next()%2 == 0 } },
			"Stopped gives another answer"},
		"Stopped changes": {func(g *stage) {
			g.config.Stopped = func(s *bag) bool { s.Got = []byte{byte(next())}; return false }
		}, "Stopped changes the state"},
		"Stopped panics": {func(g *stage) { g.config.Stopped = func(*bag) bool { panic("no") } }, "Stopped panicked: no"},
		"Unchanged lies": {func(g *stage) { g.config.Unchanged = func(_, _ *bag) bool { return true } },
			"Unchanged says that a step led back to the same state"},
		"Unchanged is fickle": {func(g *stage) { g.config.Unchanged = func(_, _ *bag) bool { return next()%2 == 0 } },
			"Unchanged gives another answer"},
		"Due is fickle": {func(g *stage) { g.config.Due = func(int, protocol.Timer) bool { return next()%2 == 0 } },
			"Due gives another answer"},
		"Due exits": {func(g *stage) { g.config.Due = func(int, protocol.Timer) bool { runtime.Goexit(); return true } },
			"Due: the goroutine was made to exit"},
		"Span is fickle": {func(g *stage) { g.config.Span = func(int, protocol.Timer) int64 { return next() } },
			"Span gives another answer"},
		"Span is negative": {func(g *stage) { g.config.Span = func(int, protocol.Timer) int64 { return -1 } },
			"Span returns -1 microseconds; it must be from 0 to"},
		"OnStep changes": {func(g *stage) {
			g.config.OnStep = func(node int, _ []protocol.Event) { g.run.State(node).Got = []byte("other") }
		}, "OnStep changes a state at A"},
		"OnStep makes steps without end": {func(g *stage) {
			g.config.OnStep = func(node int, _ []protocol.Event) {
				if g.run.Now() > 0 {
					g.run.Command(node, "more")
				}
			}
		}, "OnStep or the observer makes a step for each step"},
		"latencies are fickle": {func(g *stage) {
			g.config.Network.Latency = latencyFunc(func(*sim.Chance) int64 { return next() })
		}, "Latency.Micros gives another latency when called again"},
		"latencies are negative": {func(g *stage) {
			g.config.Network.Latency = latencyFunc(func(*sim.Chance) int64 { return -5 })
		}, "Latency.Micros returns -5 microseconds"},
		"latencies panic": {func(g *stage) {
			g.config.Network.Latency = latencyFunc(func(*sim.Chance) int64 { panic("far") })
		}, "Latency.Micros panicked: far"},
		"no Identity": {func(g *stage) { g.config.Identity = nil }, "Identity is missing"},
	}
}

type latencyFunc func(*sim.Chance) int64

func (f latencyFunc) Micros(_, _ protocol.Address, c *sim.Chance) int64 { return f(c) }

// wrongRuns are oracles and operations that are wrong.
func wrongRuns() map[string]stranger {
	calls := 0
	return map[string]stranger{
		"Broken forgets": {func(g *stage) {
			g.oracle.broken = func() (string, string) {
				if calls++; calls == 9 {
					return "Good", "here"
				}
				return "", ""
			}
		}, `Oracle.Broken named the property "Good" before and "" now`},
		"Broken names nothing": {func(g *stage) { g.oracle.broken = func() (string, string) { return "", "all is bad" } },
			`Oracle.Broken says "all is bad" and names no property`},
		"Broken names something else": {func(g *stage) {
			g.oracle.broken = func() (string, string) { return "Goood", "here" }
		}, `a run violates the property "Goood", which Properties does not list`},
		"Quiescent is fickle": {func(g *stage) {
			g.oracle.quiescent = func() (string, string) { calls++; return []string{"Good", ""}[calls%2], "" }
		}, "Oracle.Quiescent names no property"},
		"Quiescent panics": {func(g *stage) { g.oracle.quiescent = func() (string, string) { panic("no") } },
			"Oracle.Quiescent panicked: no"},
		"the oracle changes a state": {func(g *stage) {
			g.oracle.broken = func() (string, string) { g.run.State(0).Got = []byte{9}; return "", "" }
		}, "the state has changed since its last step at A"},
		"an operation panics": {func(g *stage) { g.ops["say"] = func(sim.Op) { panic("no") } },
			`the function for the operation "say" panicked: no`},
		"an operation has no end": {func(g *stage) {
			g.ops["say"] = func(sim.Op) {
				var again func()
				again = func() { g.run.At(g.run.Now(), again) }
				again()
			}
		}, "1048576 functions in a row were scheduled for one time"},
		"an interval is empty": {func(g *stage) { g.ops["say"] = func(sim.Op) { g.run.Every(0, func() {}) } },
			"Every is called with an interval of 0 microseconds"},
		"no polls":         {func(g *stage) { g.converge.PollMicros = 0 }, "PollMicros of the convergence is 0"},
		"no latency after": {func(g *stage) { g.converge.Latency = nil }, "the Latency of the convergence is missing"},
		"OnHeal exits": {func(g *stage) { g.converge.OnHeal = runtime.Goexit },
			"OnHeal of the convergence: the goroutine"},
		"counts panic": {func(g *stage) { g.counts = func() map[string]int { panic("no") } },
			"counts of Finish panicked"},
	}
}

// Strangers write functions that are wrong. Each of these gave a verdict, ended the process, had no
// end, or lost the seed. Now the run says which function it is, and a campaign counts it.
func TestBadFunctionsOfScenariosAreNamed(t *testing.T) {
	for _, strangers := range []func() map[string]stranger{wrongCores, wrongConfigs, wrongRuns} {
		for name := range strangers() {
			t.Run(name, func(t *testing.T) {
				c := strangers()[name]
				c2 := sim.Campaign{Scenarios: []*sim.Scenario{bagScenario(c.spoil)}, Seeds: 1, Workers: 1}
				totals, err := c2.Run(context.Background())
				require.NoError(t, err)
				found := totals[0].Shortest[sim.PanicProperty]
				require.Len(t, found, 1, "%v", totals[0].Violated)
				assert.Contains(t, found[0].Result.Where, c.says)
				assert.NotEmpty(t, found[0].Result.Stack)
			})
		}
	}
	s := bagScenario(nil)
	r, err := sim.Try(s, s.Draw(3), sim.RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, sim.Holds, r.Verdict, "the scenario is right: %s", r.Where)
}

// A seed is not lost because its run made the goroutine of a worker exit.
func TestNoSeedIsLost(t *testing.T) {
	s := bagScenario(func(g *stage) { g.ops["say"] = func(sim.Op) { runtime.Goexit() } })
	for _, workers := range []int{1, 3} {
		totals, err := (&sim.Campaign{Scenarios: []*sim.Scenario{s}, Seeds: 20, Workers: workers}).Run(context.Background())
		require.NoError(t, err)
		assert.Equal(t, uint64(20), totals[0].Seeds)
		assert.Equal(t, uint64(20), totals[0].Violated[sim.PanicProperty])
	}
}

// Wrong parts of a campaign are refused, and its functions are named, too.
func TestWrongCampaignsAreRefused(t *testing.T) {
	draws := uint64(0)
	for says, spoil := range map[string]func(*sim.Campaign, *sim.Scenario){
		"it has no scenario":           func(c *sim.Campaign, _ *sim.Scenario) { c.Scenarios = nil },
		"one of its scenarios is nil":  func(c *sim.Campaign, _ *sim.Scenario) { c.Scenarios[0] = nil },
		`two scenarios have the name`:  func(c *sim.Campaign, s *sim.Scenario) { c.Scenarios = append(c.Scenarios, s) },
		"shard 3 of 3; ShardIndex":     func(c *sim.Campaign, _ *sim.Scenario) { c.ShardIndex, c.ShardCount = 3, 3 },
		`"toy/bags" has no Draw`:       func(_ *sim.Campaign, s *sim.Scenario) { s.Draw = nil },
		`"toy/bags" has no Run`:        func(_ *sim.Campaign, s *sim.Scenario) { s.Run = nil },
		`"toy/bags" has no Properties`: func(_ *sim.Campaign, s *sim.Scenario) { s.Properties = nil },
		"toy/bags: Draw panicked: no": func(_ *sim.Campaign, s *sim.Scenario) {
			s.Draw = func(uint64) *sim.Plan { panic("no") }
		},
		"toy/bags: Draw returns no plan": func(_ *sim.Campaign, s *sim.Scenario) {
			s.Draw = func(uint64) *sim.Plan { return nil }
		},
		"Found of the campaign: the goroutine was made to exit": func(c *sim.Campaign, s *sim.Scenario) {
			s.Run = func(*sim.Plan, sim.RunOptions) (*sim.Result, error) { panic("no") }
			c.Found = func(sim.Finding) { runtime.Goexit() }
		},
		"Progress of the campaign panicked: no": func(c *sim.Campaign, _ *sim.Scenario) {
			c.Seeds, c.ProgressEvery, c.Progress = 0, time.Microsecond, func(sim.Progress) { panic("no") }
		},
	} {
		s := bagScenario(nil)
		c := &sim.Campaign{Scenarios: []*sim.Scenario{s}, Seeds: 2, Workers: 2}
		spoil(c, s)
		_, err := c.Run(context.Background())
		require.ErrorContains(t, err, says)
	}
	for says, run := range map[string]func(*sim.Plan, sim.RunOptions) (*sim.Result, error){
		"neither a result nor an error": func(*sim.Plan, sim.RunOptions) (*sim.Result, error) { return nil, nil },
		"violated without a property": func(*sim.Plan, sim.RunOptions) (*sim.Result, error) {
			return &sim.Result{Verdict: sim.Violated}, nil
		},
		"the verdict holds, and \"Good\"": func(*sim.Plan, sim.RunOptions) (*sim.Result, error) {
			return &sim.Result{Verdict: sim.Holds, Property: "Good"}, nil
		},
	} {
		s := bagScenario(nil)
		s.Run = run
		r, err := sim.Try(s, s.Draw(1), sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, sim.PanicProperty, r.Property)
		assert.Contains(t, r.Where, says)
	}

	s := bagScenario(nil)
	draw := s.Draw
	s.Draw = func(uint64) *sim.Plan { draws++; return draw(draws) }
	var why string
	c := &sim.Campaign{Scenarios: []*sim.Scenario{s}, Seeds: 1, Workers: 1, AgainEvery: 1}
	c.Found = func(f sim.Finding) { why = f.Why }
	_, err := c.Run(context.Background())
	require.NoError(t, err)
	assert.Contains(t, why, "Draw makes another plan when called again with the same seed")
}

// A core that is fickle only where no sample looks makes a run unrepeatable. The function is found
// by one more run.
func TestTheFunctionBehindAnUnrepeatableRunIsNamed(t *testing.T) {
	calls := byte(0)
	s := bagScenario(func(g *stage) {
		step := 0
		g.core.step = func(s bag, in bagInput) (bag, bagOutput) {
			after, out := rightStep(s, in)
			if step++; len(s.Got) == 30 && in.Kind == protocol.Deliver {
				calls++
				after.Got = append(after.Got, calls)
			}
			return after, out
		}
	})
	draw := s.Draw
	s.Draw = func(seed uint64) *sim.Plan {
		p := draw(seed)
		p.Ops = append(p.Ops, p.Ops...)
		return p
	}
	var found []string
	c := &sim.Campaign{Scenarios: []*sim.Scenario{s}, Seeds: 8, Workers: 1, AgainEvery: 1}
	c.Found = func(f sim.Finding) { found = append(found, f.Why+f.Result.Where) }
	_, err := c.Run(context.Background())
	require.NoError(t, err)
	require.Len(t, found, 8)
	for _, why := range found {
		assert.Contains(t, why, "Step of the core gives another result when called again")
	}
}

// A machine whose run fails does not say that properties hold.
func TestAMachineThatFailsDecidesNothing(t *testing.T) {
	for name, fail := range map[string]func(){"panicked: no": func() { panic("no") }, "made to exit": runtime.Goexit} {
		s := bagScenario(func(g *stage) { g.ops["say"] = func(sim.Op) { fail() } })
		m, err := sim.NewMachine(s, s.Draw(1))
		require.NoError(t, err)
		for len(m.Enabled()) > 0 {
			m.Take(0)
		}
		_, err = m.Check("Good")
		require.ErrorContains(t, err, `the function for the operation "say"`)
		assert.ErrorContains(t, err, name)
	}
}

// Equal plans have equal results, after any earlier runs: strangers see no trace of the tests.
func TestTheTestsOfFunctionsChangeNoRun(t *testing.T) {
	s := bagScenario(nil)
	digests := map[string]bool{}
	for range 2 {
		for _, o := range []sim.RunOptions{{}, {Twice: true}} {
			r, err := sim.Try(s, s.Draw(5), o)
			require.NoError(t, err)
			digests[fmt.Sprint(r.Digest, r.Stats)] = true
		}
	}
	assert.Len(t, digests, 1)
}
