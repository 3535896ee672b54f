package can_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the
// commands of package drivetest there are
//
//	space 16 [virtual]   the sizes of the dimensions
//	node A 2             a process at this coordinate, started
//	network A 2, B 6     nodes that join one after the other, each when the network is quiescent
//	create A, join B via A, leave B
//	settle               a fair schedule until the network is quiescent, and what is true then
//	map                  the owners and their zones
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, func(s *drivetest.Script[can.State, can.Message, can.Command]) { newScript(s) })
}

// script is a network with the commands of this protocol.
type script struct {
	*drivetest.Script[can.State, can.Message, can.Command]
	net *network
}

func newScript(base *drivetest.Script[can.State, can.Message, can.Command]) {
	s := &script{Script: base}
	command := func(name string, c can.Command) { s.Net.Command(s.Process(name), c) }
	s.Commands["space"] = s.space
	s.Commands["node"] = func(args []string) { s.Net.Start(s.node(args)) }
	s.Commands["network"] = func(args []string) {
		p := s.node(args)
		s.Net.Quietly(func() { require.True(s.T, s.net.found(p)) })
	}
	s.Commands["create"] = func(args []string) { command(args[0], can.Command{Kind: can.CommandCreate}) }
	s.Commands["join"] = func(args []string) {
		command(args[0], can.Command{Kind: can.CommandJoin, Contact: s.ID(args[2])})
	}
	s.Commands["leave"] = func(args []string) { command(args[0], can.Command{Kind: can.CommandLeave}) }
	s.Commands["settle"] = func([]string) {
		s.Net.Quietly(func() {
			if !s.net.settle() {
				s.Net.Violated("the network does not become quiescent")
			}
			s.net.checkQuiescent()
		})
	}
	s.Commands["map"] = func([]string) {
		for _, p := range s.net.members() {
			s.Say(strings.TrimSuffix(describe(s.net.cfg, []can.Record{p.State().Self})[1:], "}"))
		}
	}
}

func (s *script) space(args []string) {
	virtual := 0
	for args[len(args)-1] == "virtual" {
		virtual++
		args = args[:len(args)-1]
	}
	var sizes []int32
	for _, size := range args {
		sizes = append(sizes, int32(s.Number(size)))
	}
	sp, err := space.New(virtual, sizes...)
	require.NoError(s.T, err)
	cfg := can.DefaultConfig(sp)
	s.net = newNetwork(&cfg)
	s.Use(s.net.Network)
}

// node adds a process: a name, which must be the next letter, and a coordinate.
func (s *script) node(args []string) *process {
	var coord space.Point
	for k, word := range args[1:] {
		coord[k] = int32(s.Number(word))
	}
	p := s.net.add(coord)
	require.Same(s.T, p, s.Process(args[0]), "nodes are named in the order of the alphabet")
	return p
}
