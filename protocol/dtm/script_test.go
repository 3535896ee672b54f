package dtm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// TestScripts runs the files testdata/*.txt, one behaviour a file. In addition to the
// commands of package drivetest there are
//
//	hosts 4          so many hosts on a line, each 4 from the next; all have joined
//	D join A B       D is given A and B; without any, it begins a tree
//	B leave
//	settle           a fair schedule until the network is quiescent, and what is true then
//	labels           the label of every member
func TestScripts(t *testing.T) {
	drivetest.RunScripts(t, func(s *drivetest.Script[dtm.State, dtm.Message, dtm.Command]) { newScript(s) })
}

// script is a network with the commands of this protocol.
type script struct {
	*drivetest.Script[dtm.State, dtm.Message, dtm.Command]
	net *network
}

func newScript(base *drivetest.Script[dtm.State, dtm.Message, dtm.Command]) {
	s := &script{Script: base}
	s.Commands["hosts"] = s.hosts
	s.Commands["settle"] = func([]string) { s.Net.Quietly(s.net.rest) }
	s.Commands["labels"] = func([]string) {
		for _, p := range s.Net.Live() {
			if state := p.State(); state.Phase == dtm.Member {
				s.Say(dtm.MessageText(dtm.Aggregate{Labels: []dtm.Label{state.Label()}}))
			}
		}
	}
	s.Default = s.command
}

func (s *script) hosts(args []string) {
	s.net = grown(s.Number(args[0]), nil, nil)
	s.Use(s.net.Network)
}

func (s *script) command(words []string) {
	kinds := map[string]dtm.CommandKind{"join": dtm.CommandJoin, "leave": dtm.CommandLeave}
	require.Contains(s.T, kinds, words[1], "no such command")
	c := dtm.Command{Kind: kinds[words[1]]}
	for _, name := range words[2:] {
		c.Nodes = append(c.Nodes, s.ID(name))
	}
	s.Net.Command(s.Process(words[0]), c)
}
