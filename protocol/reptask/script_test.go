package reptask_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the
// commands of package drivetest there are
//
//	nodes ABC ABC BC             a started node for each cluster, which is its own
//	submit A @3 2 1.5-fold to BC a job of two at time 3, over-provisioned; B or C represents it
//	cancel A 1                   the client cancels job 1
//	move A#1@3 B C               the job moves from B to C
//	cordon A, uncordon A         it takes no tasks until it is uncordoned
//	leave A                      it takes no more tasks, and gives back those that have not begun
//	adopt B A#1@3 by C to BC     B, which represents it, asks C to own it; B or C represents it then
//	settle                       a fair schedule until the network is quiescent; orphans get an owner
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, func(s *drivetest.Script[reptask.State, reptask.Message, reptask.Command]) { newScript(s) })
}

// script is a network with the commands of this protocol.
type script struct {
	*drivetest.Script[reptask.State, reptask.Message, reptask.Command]
	net *network
}

func newScript(base *drivetest.Script[reptask.State, reptask.Message, reptask.Command]) {
	s := &script{Script: base}
	command := func(name string, c reptask.Command) { s.Net.Command(s.Process(name), c) }
	s.Commands["nodes"] = s.nodes
	s.Commands["submit"] = s.submit
	s.Commands["cancel"] = func(args []string) {
		command(args[0], reptask.Command{Kind: reptask.CommandCancel, Number: uint32(s.Number(args[1]))})
	}
	s.Commands["move"] = func(args []string) {
		command(args[1], reptask.Command{Kind: reptask.CommandMove, Job: s.job(args[0]), Target: s.ID(args[2])})
	}
	s.Commands["cordon"] = func(args []string) { command(args[0], reptask.Command{Kind: reptask.CommandCordon}) }
	s.Commands["uncordon"] = func(args []string) { command(args[0], reptask.Command{Kind: reptask.CommandUncordon}) }
	s.Commands["leave"] = func(args []string) { command(args[0], reptask.Command{Kind: reptask.CommandLeave}) }
	s.Commands["adopt"] = func(args []string) {
		c := reptask.Command{Kind: reptask.CommandAdopt, Job: s.job(args[1])}
		c.Target, c.Candidates = s.ID(args[3]), s.ids(args[5])
		command(args[0], c)
	}
	s.Commands["settle"] = func([]string) {
		s.net.adopts = true
		if !s.net.settle() {
			s.Net.Violated("the network does not become quiescent")
		}
		s.net.checkQuiescent()
	}
}

func (s *script) nodes(clusters []string) {
	s.net = newNetwork(len(clusters))
	s.Net = s.net.Network
	for i, names := range clusters {
		var all []reptask.Neighbour
		for _, id := range s.ids(names) {
			all = append(all, reptask.Neighbour{ID: id})
		}
		s.Net.Command(s.Net.Nodes[i], reptask.Command{Kind: reptask.CommandCluster, Cluster: all})
	}
	s.Use(s.Net)
	s.Net.Log = func(e drivetest.Entry) {
		switch e.Verb {
		case "lost": // these scripts do not say whether a message found its receiver
			e.Verb = "deliver"
		case "start", "command", "state", "copy", "lose":
			return
		}
		s.Say(e.String())
	}
}

func (s *script) submit(args []string) {
	c := reptask.Command{Kind: reptask.CommandSubmit, Submitted: uint64(s.Number(args[1][1:])), Candidates: s.ids(args[5])}
	c.Spec.Size = uint32(s.Number(args[2]))
	degrees := []reptask.Over{reptask.OverNone, 1_500, 8_000, reptask.OverTotal}
	i := slices.IndexFunc(degrees, func(o reptask.Over) bool { return o.String() == args[3] })
	require.GreaterOrEqual(s.T, i, 0, "no over-provisioning %s", args[3])
	c.Spec.Over = degrees[i]
	s.Net.Command(s.Process(args[0]), c)
}

// job reads a job as texts write it: A#1@3
func (s *script) job(word string) reptask.Job {
	owner, rest, _ := strings.Cut(word, "#")
	number, submitted, _ := strings.Cut(rest, "@")
	return reptask.Job{Submitted: uint64(s.Number(submitted)), Owner: s.ID(owner), Number: uint32(s.Number(number))}
}

func (s *script) ids(names string) []protocol.NodeID {
	var all []protocol.NodeID
	for i := range len(names) {
		all = append(all, s.ID(names[i:i+1]))
	}
	return all
}
