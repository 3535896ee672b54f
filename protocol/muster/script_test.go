package muster_test

import (
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the commands of
// package drivetest there are
//
//	nodes 3                 nodes A, B and C run, without a role
//	host A of C 7000        the task layer starts a task at A; C represents the attempt
//	represent C halt A B    the task layer has decided at C; the first failure halts the others
//	represent C keep A B    the same, but the others go on
//	granted C, refused C    the answer of the custodian
//	exits B 3, killed B 9   the process ends with a code, or by a signal
//	keeps B 0               the process ends with a code, and its task has outputs
//	kept B, unkept B        the outputs are safe, or could not be kept
//	unfit B                 the process can never be started
//	lost B                  the host has lost the task
//	cancel C                the client cancels
//	deposited C             the outcome is safe
//	end B                   the task layer ends the attempt
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, newScript)
}

func newScript(s *drivetest.Script[muster.State, muster.Message, muster.Command]) {
	command := func(name string, c muster.Command) { s.Net.Command(s.Process(name), c) }
	one := func(c muster.Command) func([]string) { return func(args []string) { command(args[0], c) } }
	s.Commands["nodes"] = func(args []string) { s.Use(newNetwork(s.Number(args[0]))) }
	s.Commands["host"] = func(args []string) {
		var ports []uint16
		for _, p := range args[3:] {
			ports = append(ports, uint16(s.Number(p)))
		}
		command(args[0], hosted(s.ID(args[2]), ports...))
	}
	s.Commands["represent"] = func(args []string) {
		var hosts []protocol.NodeID
		for _, name := range args[2:] {
			hosts = append(hosts, s.ID(name))
		}
		command(args[0], represented(args[1] == "halt", hosts...))
	}
	s.Commands["granted"], s.Commands["refused"] = one(granted(true)), one(granted(false))
	s.Commands["exits"] = func(args []string) { command(args[0], exited(uint32(s.Number(args[1])), 0)) }
	s.Commands["killed"] = func(args []string) { command(args[0], exited(0, uint8(s.Number(args[1])))) }
	s.Commands["keeps"] = func(args []string) { command(args[0], ended(uint32(s.Number(args[1])), 0)) }
	s.Commands["kept"], s.Commands["unkept"] = one(kept(true)), one(kept(false))
	s.Commands["unfit"] = one(plain(muster.CommandUnfit))
	s.Commands["lost"] = one(plain(muster.CommandLost))
	s.Commands["cancel"] = one(halted(muster.Cancelled))
	s.Commands["deposited"] = one(plain(muster.CommandDeposited))
	s.Commands["end"] = one(plain(muster.CommandEnd))
}
