package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the
// commands of package drivetest there are
//
//	space 16                the sizes of the dimensions
//	network A 2, B 10       nodes that join one after the other, each when the network is quiescent
//	join C 5 via A          a node from outside asks to join
//	leave B
//	put A 5 7               a client at A puts 7 at the key 5
//	get A 5, cas A 5 7 8, lookup A 5
//	settle                  a fair schedule until the network is quiescent
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, func(s *drivetest.Script[store.State, store.Message, store.Command]) { newScript(s) })
}

// script is a network with the commands of this protocol.
type script struct {
	*drivetest.Script[store.State, store.Message, store.Command]
	net *network
	id  uint32 // of the last operation
}

func newScript(base *drivetest.Script[store.State, store.Message, store.Command]) {
	s := &script{Script: base}
	s.Commands["space"] = s.space
	s.Commands["network"] = func(args []string) { s.Net.Quietly(func() { s.net.found(s.key(args[1])) }) }
	s.Commands["join"] = func(args []string) {
		p := s.net.add(s.key(args[1]))
		s.Net.Command(p, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: s.ID(args[3])}))
	}
	s.Commands["leave"] = func(args []string) {
		s.Net.Command(s.Process(args[0]), store.CommandMap(can.Command{Kind: can.CommandLeave}))
	}
	s.Commands["get"] = func(args []string) { s.operation(store.Get, args, 0, 0) }
	s.Commands["lookup"] = func(args []string) { s.operation(store.Lookup, args, 0, 0) }
	s.Commands["put"] = func(args []string) { s.operation(store.Put, args, s.Number(args[2]), 0) }
	s.Commands["cas"] = func(args []string) {
		s.operation(store.CompareAndSet, args, s.Number(args[3]), s.Number(args[2]))
	}
	s.Commands["lose"] = func(args []string) { s.lose(s.Envelope(args)) }
	s.Commands["settle"] = func([]string) { s.Net.Quietly(func() { require.True(s.T, s.net.settle()) }) }
}

func (s *script) space(args []string) {
	var sizes []int32
	for _, size := range args {
		sizes = append(sizes, int32(s.Number(size)))
	}
	s.net = newNetwork(newConfig(sizes...))
	s.Use(s.net.Network)
}

func (s *script) operation(kind store.Kind, args []string, value, expect int) {
	s.id++
	op := store.Operation{ID: s.id, Kind: kind, Key: s.key(args[1]), Value: uint32(value), Expect: uint32(expect)}
	s.Net.Command(s.Process(args[0]), store.CommandOperation(op))
}

// lose drops a message, and shows it.
func (s *script) lose(i int) {
	s.Say("lost " + store.MessageText(s.net.cfg, s.Net.InFlight[i].Message))
	s.Net.Lose(i)
}

// key reads a point: 5, or 1,6
func (s *script) key(word string) (p space.Point) {
	for k, c := range strings.Split(word, ",") {
		p[k] = int32(s.Number(c))
	}
	return p
}
