package sim_test

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// echo is a core that follows commands, to test each kind of output.
type echo struct{}

// echoState is the state of its nodes.
type echoState struct {
	Self protocol.NodeID
	Got  string // the inputs so far, in short
}

type (
	echoInput      = protocol.Input[string, string]
	echoOutput     = protocol.Output[string]
	echoSimulation = sim.Simulation[echoState, string, string]
	echoConfig     = sim.Config[echoState, string, string]
)

func node(a protocol.Address) protocol.NodeID {
	return protocol.NodeID{Address: a, Incarnation: 1}
}

// Step records its inputs. Commands are words: "say X" sends X to all others, "set" sets timer 1 to
// 10 ticks, "cancel" cancels it, "choose" asks for a choice of 1000, "measure" measures node 1,
// "both" cancels and sets in one step.
func (echo) Step(s echoState, in echoInput) (echoState, echoOutput) {
	var out echoOutput
	timer := protocol.Timer{Kind: 1}
	switch in.Kind {
	case protocol.Start:
		s.Self.Incarnation = 1
		out.Persist = []byte{byte(s.Self.Address), 1}
	case protocol.Restart:
		s.Self.Incarnation = uint16(in.Persisted[1]) + 1
		out.Persist = []byte{in.Persisted[0], in.Persisted[1] + 1}
		s.Got = "again "
	case protocol.Command:
		word, rest, _ := strings.Cut(in.Command, " ")
		switch word {
		case "say":
			for a := range protocol.Address(3) {
				if a != s.Self.Address {
					out.Send = append(out.Send, protocol.Envelope[string]{From: s.Self, To: node(a), Message: rest})
				}
			}
		case "set":
			out.Set = []protocol.SetTimer{{Timer: timer, MinTicks: 10, MaxTicks: 10}}
		case "cancel":
			out.Cancel = []protocol.Timer{timer}
		case "both":
			out.Cancel, out.Set = []protocol.Timer{timer}, []protocol.SetTimer{{Timer: timer, MinTicks: 5, MaxTicks: 5}}
		case "choose":
			out.Choose = 1000
		case "measure":
			out.Measure = []protocol.NodeID{node(1)}
		}
	case protocol.Deliver:
		s.Got += fmt.Sprintf("%v:%s ", in.From, in.Message)
	case protocol.Timeout:
		s.Got += "timeout "
	case protocol.Chosen:
		s.Got += "chosen "
	case protocol.Measured:
		s.Got += fmt.Sprintf("measured %v %d ", in.From, in.Measure)
	}
	out.Events = []protocol.Event{{Name: in.Kind.String()}}
	return s, out
}

func (echo) AppendState(dst []byte, s echoState) []byte {
	return append(protocol.AppendNodeID(dst, s.Self), s.Got...)
}
func (echo) DecodeState(src []byte) (echoState, error) {
	r := protocol.NewReader(src)
	return echoState{Self: r.NodeID(), Got: string(r.Bytes(r.Left()))}, r.Close()
}
func (echo) AppendMessage(dst []byte, m string) []byte { return append(dst, m...) }
func (echo) DecodeMessage(src []byte) (string, error)  { return string(src), nil }
func (echo) AppendCommand(dst []byte, c string) []byte { return append(dst, c...) }
func (echo) DecodeCommand(src []byte) (string, error)  { return string(src), nil }
func (echo) StateText(s echoState) string              { return s.Self.String() + " " + s.Got }
func (echo) MessageText(m string) string               { return m }
func (echo) CommandText(c string) string               { return c }
func (echo) TimerText(t protocol.Timer) string         { return fmt.Sprint("timer ", t.Kind) }

// echoes returns a simulation of three nodes that are up.
func echoes(change func(*echoConfig)) *echoSimulation {
	c := echoConfig{
		Core: echo{}, Nodes: []echoState{{}, {Self: protocol.NodeID{Address: 1}}, {Self: protocol.NodeID{Address: 2}}},
		Seed: 1, TickMicros: 1000,
		Identity: func(s *echoState) protocol.NodeID { return s.Self }, Network: sim.Network{Latency: sim.Constant(100)},
	}
	if change != nil {
		change(&c)
	}
	cluster := sim.New(c)
	for i := range cluster.Len() {
		cluster.Start(i)
	}
	return cluster
}
