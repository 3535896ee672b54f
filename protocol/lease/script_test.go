package lease_test

import (
	"testing"

	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the commands of
// package drivetest there are
//
//	nodes 4 witnesses 3     there are nodes A to D, which do not run; A, B and C are witnesses
//	start A                 the first life begins, with the nonce 0, or the one of the command draw
//	isolate D               all messages to and from D are dropped
//	ask C A                 C asks for A
//	regrid A                the operator closes the generation at A
//	entered A               A is in the grid: others can enter through it
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, newScript)
}

func newScript(s *drivetest.Script[lease.State, lease.Message, lease.Command]) {
	s.Commands["nodes"] = func(args []string) {
		net := newNetwork(s.Number(args[0]), s.Number(args[2]))
		s.Use(net)
		nonces := []uint32{}
		s.Commands["draw"] = func(args []string) { nonces = append(nonces, uint32(s.Number(args[0]))) }
		net.Choose = func(n uint32) uint32 {
			if len(nonces) == 0 {
				return 0
			}
			v := nonces[0]
			nonces = nonces[1:]
			return v
		}
	}
	s.Commands["start"] = func(args []string) { s.Net.Start(s.Process(args[0])) }
	s.Commands["isolate"] = func(args []string) {
		for i := len(s.Net.InFlight) - 1; i >= 0; i-- {
			e := s.Net.InFlight[i]
			if a := s.ID(args[0]).Address; e.From.Address == a || e.To.Address == a {
				s.Net.Lose(i)
			}
		}
	}
	s.Commands["ask"] = func(args []string) { s.Net.Command(s.Process(args[0]), asked(s.ID(args[1]))) }
	s.Commands["regrid"] = func(args []string) {
		s.Net.Command(s.Process(args[0]), lease.Command{Kind: lease.CommandRegrid})
	}
	s.Commands["entered"] = func(args []string) {
		s.Net.Command(s.Process(args[0]), lease.Command{Kind: lease.CommandEntered})
	}
}
