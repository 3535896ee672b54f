package drivetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

type script = drivetest.Script[can.State, can.Message, can.Command]

// TestScripts runs testdata/commands.txt, which uses each command that all protocols have.
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, func(s *script) {
		command := func(c can.Command) { s.Net.Command(s.Process("B"), c) }
		s.Commands["nodes"] = func([]string) {
			s.Use(newNetwork(2, 10))
			s.Net.Command(s.Net.Nodes[0], can.Command{Kind: can.CommandCreate})
		}
		s.Commands["join"] = func([]string) { command(can.Command{Kind: can.CommandJoin, Contact: s.ID("A")}) }
		s.Commands["leave"] = func([]string) { command(can.Command{Kind: can.CommandLeave}) }
		s.Commands["break"] = func(args []string) { s.Net.Violated("%s is broken", args[0]) }
		s.Commands["ask"] = func([]string) { s.Say(string(rune('0' + s.Net.Choose(10)))) }
	})
}

// A command that names a thing which is not there fails.
func TestScriptsRefuse(t *testing.T) {
	for _, line := range []string{
		"deliver B<-A", "lose B<-A", "late x", "timeout A propose", "measured A B", "state C", "restart B.x", "ask", "fly",
	} {
		s := drivetest.NewScript[can.State, can.Message, can.Command]()
		s.Use(newNetwork(2, 10))
		s.Commands["ask"] = func([]string) { s.Net.Choose(10) }
		require.True(t, fails(func(t require.TestingT) {
			s.T = t
			s.Run(line)
		}), line)
	}
}

// recorder is a test that may fail.
type recorder struct{ failed bool }

func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { panic(r) }

// fails reports whether a test fails.
func fails(test func(require.TestingT)) bool {
	r := &recorder{}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(r) {
				panic(p)
			}
		}()
		test(r)
	}()
	return r.failed
}
