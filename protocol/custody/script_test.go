package custody_test

import (
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

type script = drivetest.Script[custody.State, custody.Message, custody.Command]

// TestScripts runs the files testdata/*.txt, one behaviour a file. Each step shows the state if it
// changed, and all outputs. In addition to the commands of package drivetest there are
//
//	nodes 3                        A, B and C are the custodians
//	taken 3 2                      the same, and they have taken a job with two attempts
//	accept A 2                     take the job, with so many attempts
//	dead B A                       B receives a certificate for the life A; A.2 is the second one
//	loss A                         the operator accepts the loss of the other disk
//	permit A 1 G/1 H I             an attempt of try 1 asks for the permit, with hosts H and I
//	closed A 1 G/1 H               nothing of the attempt runs at H
//	outcome A 1 G/1 ok             the attempt deposits an outcome
//	end A cancelled                the client cancels
//	over A 1                       the task layer gives try 1 up
//	forget A                       the record is no longer wanted
//	forgotten A                    another custodian has forgotten the job
//	hello B<-C 5                   B receives this message, from whatever life
//	prepare B<-A 3                 likewise
//	copied A<-B 3 1                likewise, for view 3 and record 1
//	waits A                        for which custodians A waits
//	record A                       whether the record at A is committed
//
// The attempt -/0 stands for no attempt.
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, newScript)
}

func newScript(s *script) {
	begin := func(net *network) {
		net.Core.(*anyLife).note = func(text string) { s.Say("    " + text) }
		s.Use(net)
	}
	s.Commands["nodes"] = func(args []string) { begin(newNetwork(s.Number(args[0]))) }
	s.Commands["taken"] = func(args []string) {
		net := newNetwork(s.Number(args[0]))
		net.Command(net.Nodes[0], custody.Command{Kind: custody.CommandAccept, Limit: uint32(s.Number(args[1]))})
		net.Drain()
		begin(net)
	}
	addCommands(s)
	hand := func(args []string, m custody.Message) {
		to, from, _ := strings.Cut(args[0], "<-")
		s.Net.Hand(custody.Envelope{From: s.Life(from), To: s.Life(to), Message: m})
	}
	number := func(word string) uint32 { return uint32(s.Number(word)) }
	s.Commands["hello"] = func(args []string) {
		hand(args, custody.Message{Kind: custody.Hello, Number: number(args[1])})
	}
	s.Commands["prepare"] = func(args []string) {
		hand(args, custody.Message{Kind: custody.Prepare, Number: number(args[1])})
	}
	s.Commands["copied"] = func(args []string) {
		hand(args, custody.Message{Kind: custody.Copied, Number: number(args[1]), Seq: number(args[2])})
	}
	s.Commands["waits"] = func(args []string) {
		state, names := s.Process(args[0]).State(), []string{"waits for"}
		for _, a := range state.WaitsFor() {
			names = append(names, protocol.NodeID{Address: a, Incarnation: 1}.String())
		}
		s.Say(strings.Join(names, " "))
	}
	s.Commands["record"] = func(args []string) {
		state := s.Process(args[0]).State()
		if _, committed := state.Record(); committed {
			s.Say("committed")
		} else {
			s.Say("not committed")
		}
	}
}

// addCommands adds the script commands that give a custodian a command.
func addCommands(s *script) {
	give := func(name string, makes func(args []string) custody.Command) {
		s.Commands[name] = func(args []string) {
			c := makes(args[1:])
			s.Net.Command(s.Process(args[0]), c)
		}
	}
	number := func(word string) uint32 { return uint32(s.Number(word)) }
	about := func(kind custody.CommandKind, args []string) custody.Command {
		c := custody.Command{Kind: kind, Try: number(args[0])}
		by, epoch, _ := strings.Cut(args[1], "/")
		if by != "-" {
			c.Attempt = custody.Attempt{By: s.Life(by), Epoch: number(epoch)}
		}
		return c
	}
	give("accept", func(args []string) custody.Command {
		return custody.Command{Kind: custody.CommandAccept, Limit: number(args[0])}
	})
	give("dead", func(args []string) custody.Command {
		return custody.Command{Kind: custody.CommandDead, Life: s.Life(args[0])}
	})
	give("loss", func([]string) custody.Command { return plain(custody.CommandAcceptLoss) })
	give("permit", func(args []string) custody.Command {
		c := about(custody.CommandPermit, args)
		for _, name := range args[2:] {
			c.Hosts = append(c.Hosts, s.Life(name))
		}
		return c
	})
	give("closed", func(args []string) custody.Command {
		c := about(custody.CommandClosed, args)
		c.Life = s.Life(args[2])
		return c
	})
	give("outcome", func(args []string) custody.Command {
		c := about(custody.CommandOutcome, args)
		c.Outcome = custody.Digest(args[2])
		return c
	})
	give("end", func(args []string) custody.Command {
		c := plain(custody.CommandCancel)
		for e := custody.Cancelled; e <= custody.Exhausted; e++ {
			if e.String() == args[0] {
				c.Requested = e
			}
		}
		return c
	})
	give("over", func(args []string) custody.Command {
		return custody.Command{Kind: custody.CommandTryOver, Try: number(args[0])}
	})
	give("forget", func([]string) custody.Command { return plain(custody.CommandForget) })
	give("forgotten", func([]string) custody.Command { return plain(custody.CommandForgotten) })
}
