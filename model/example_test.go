package model_test

import (
	"context"
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// greeter is a node that counts the greetings that it has heard.
type greeter struct {
	Self  protocol.NodeID
	Heard int
}

// greet sends a greeting when a command names a node to greet, and counts arriving greetings.
func greet(g greeter, in protocol.Input[string, protocol.NodeID]) (greeter, protocol.Output[string]) {
	var out protocol.Output[string]
	switch in.Kind {
	case protocol.Command:
		out.Send = append(out.Send, protocol.Envelope[string]{From: g.Self, To: in.Command, Message: "hello"})
	case protocol.Deliver:
		g.Heard++
	}
	return g, out
}

// A counterexample becomes a trace, which can be kept, shown and replayed.
func ExampleTrace() {
	a, b := protocol.NodeID{Address: 0, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 1}
	system, err := (&model.System[greeter, string, protocol.NodeID]{
		Info: model.Info{Name: "greetings", Budget: model.Budget{Duplicate: 1}}, Core: model.Plain(greet),
		Nodes: []model.Node[greeter, protocol.NodeID]{
			{Name: "A", State: greeter{Self: a}, Commands: [][]protocol.NodeID{{b}}}, {Name: "B", State: greeter{Self: b}},
		},
		Identity:     func(g greeter) protocol.NodeID { return g.Self },
		QuiescentEnd: func(*model.GlobalState[greeter, string]) bool { return true },
		Properties: []model.Property[greeter, string]{{
			Property: checker.Property{Name: "Once", Doc: "a greeting is heard once", Shape: checker.Always},
			Holds:    func(w *model.GlobalState[greeter, string]) bool { return w.Slots[1].State.Heard <= 1 },
		}},
	}).Compile()
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	trace, err := model.Trace(system, report.Outcomes[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := traces.WriteText(os.Stdout, trace); err != nil { // or traces.Write, to keep it, or traces.WriteHTML
		fmt.Println(err)
	}
	// Output:
	// # greetings: Once (always) is violated by a run of 3 actions
	// # a greeting is heard once
	// # bounds: -; faults: duplicate 1
	// 00 init                 => A: {Self:A Heard:0}; B: {Self:B Heard:0}; network: -; budget: duplicate 1
	// 01 command A B          => network: A->B hello; send A->B hello
	// 02 duplicate A->B hello => B: {Self:B Heard:1}; budget: none
	// 03 deliver A->B hello   => B: {Self:B Heard:2}; network: -
	// # VIOLATED Once (always)
}
