package refine_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the
// commands of package drivetest there are
//
//	grid 3 M 2 N 3 [greedy]  so many nodes, started; the bounds; the criterion: first, global, greedy
//	far B C                  these two are far from each other from now on; near B C: no longer
//	A add B C, A drop B, A measure, A leave
//	settle                   a fair schedule until the network is quiescent, and what is true then
//	clusters                 what every node advertises
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, func(s *drivetest.Script[refine.State, refine.Message, refine.Command]) { newScript(s) })
}

// script is a network with the commands of this protocol.
type script struct {
	*drivetest.Script[refine.State, refine.Message, refine.Command]
	net *network
}

func newScript(base *drivetest.Script[refine.State, refine.Message, refine.Command]) {
	s := &script{Script: base}
	s.Commands["grid"] = s.grid
	s.Commands["far"] = func(args []string) { s.move(args, true) }
	s.Commands["near"] = func(args []string) { s.move(args, false) }
	s.Commands["settle"] = func([]string) { s.Net.Quietly(s.net.rest) }
	s.Commands["clusters"] = func([]string) { s.clusters() }
	s.Default = s.command
}

func (s *script) grid(args []string) {
	cfg := refine.DefaultConfig(s.Number(args[2]), s.Number(args[4]), diameter)
	cfg.Criterion = refine.FirstCome
	if len(args) > 5 {
		cfg.Criterion = map[string]refine.Criterion{
			"first":  refine.FirstCome,
			"global": refine.GlobalOrder,
			"greedy": refine.Greedy,
		}[args[5]]
	}
	require.NoError(s.T, cfg.Validate())
	s.net = newNetwork(&cfg, s.Number(args[0]))
	s.net.startAll()
	s.Use(s.net.Network)
}

// move changes the latency between two nodes.
func (s *script) move(args []string, far bool) {
	s.net.setFar(s.ID(args[0]).Address, s.ID(args[1]).Address, far)
	s.net.drift = s.net.drift || s.Net.Events[refine.EventMeasured] > 0
}

func (s *script) command(words []string) {
	kinds := map[string]refine.CommandKind{
		"add":     refine.CommandAdd,
		"drop":    refine.CommandDrop,
		"measure": refine.CommandMeasure,
		"leave":   refine.CommandLeave,
	}
	require.Contains(s.T, kinds, words[1], "no such command")
	c := refine.Command{Kind: kinds[words[1]]}
	for _, name := range words[2:] {
		c.Nodes = append(c.Nodes, s.ID(name))
	}
	s.Net.Command(s.Process(words[0]), c)
}

func (s *script) clusters() {
	for _, p := range s.Net.Live() {
		line := p.ID().String() + ": none"
		state := p.State()
		if c, ok := state.Advertised(); ok {
			line = p.ID().String() + ": of " + c.Head.String() + " " + strconv.Itoa(int(c.Round))
			for _, id := range c.Members {
				line += " " + id.String()
			}
		}
		s.Say(line)
	}
}
