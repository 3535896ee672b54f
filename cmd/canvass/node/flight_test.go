package node_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	commands "github.com/canvass-grid/canvass/cmd/canvass/node"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/space"
)

// wrongRecord is a record in which the digest of the last output is a wrong one. The process ended
// before it recorded another.
func wrongRecord(t *testing.T) (file string) {
	t.Helper()
	s, err := space.New(0, 16)
	require.NoError(t, err)
	core := &peer.Core{Config: peer.DefaultConfig(s, 4, 8, 100)}
	dir := t.TempDir()
	record, err := flight.New(dir, flight.Header{
		Grid: "g", Life: "A-1", Build: "old",
		Cores: []flight.CoreKind{flight.PeerKind(1, core.Config), flight.MusterKind(2, muster.DefaultConfig())},
	})
	require.NoError(t, err)
	id, state := flight.CoreID{Kind: 1}, peer.New(0, space.Point{6})
	record.Snapshot(time.Second, []flight.State{{Core: id, Bytes: core.AppendState(nil, state)}})
	for i, in := range []peer.Input{
		{Kind: protocol.Start},
		{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandCreate}},
	} {
		record.Input(id, time.Duration(i+2)*time.Second, 0, protocol.AppendInput(nil, core, in))
		next, out := core.Step(state, in)
		state = next
		record.Output(id, protocol.Hash(protocol.AppendOutput(nil, core, out))+uint64(i))
	}
	require.NoError(t, record.Close())
	return filepath.Join(dir, "A-1-000.cfr")
}

func flightVerify(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	root := &cobra.Command{Use: "canvass", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(commands.Commands(client.Env{Stdout: cli.NewOutput(&out), Stderr: cli.NewMessages(&errs)})...)
	root.SetArgs(append([]string{"node", "flight", "verify"}, args...))
	err = root.Execute()
	return out.String(), errs.String(), err
}

func TestFlightVerifyNamesTheStep(t *testing.T) {
	file := wrongRecord(t)
	out, _, err := flightVerify(file)
	assert.Equal(t, cli.Code(12), err)
	assert.Equal(t, file+`: record 4 of incarnation A-1, at 3s, core peer: the output differs
  input:    command: create
  recorded: an output with digest be227ba5d1777c35
  now:      set can update to 100 to 100 ticks; event can:create A (digest be227ba5d1777c34)
steps before it that are as recorded: 1
`, out)

	out, _, err = flightVerify("--json", file)
	assert.Equal(t, cli.Code(12), err)
	assert.JSONEq(t, `{"incarnations":1,"lives":1,"files":1,"records":5,"steps":1,"states":0,"difference":{
		"file":"`+file+`","incarnation":"A-1","life":"A-1","build":"old","record":4,"at_nanos":3000000000,"core":"peer",
		"input":"command: create","what":"output","recorded":"an output with digest be227ba5d1777c35",
		"now":"set can update to 100 to 100 ticks; event can:create A (digest be227ba5d1777c34)"}}`, out)
}

func TestFlightVerifyNotes(t *testing.T) {
	file := wrongRecord(t)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, whole[:len(whole)-3], 0o600))
	out, errs, err := flightVerify(file)
	require.NoError(t, err)
	assert.Equal(t, "all as recorded: incarnations 1, files 1, records 4, steps compared 1\n", out)
	assert.Contains(t, errs, "note: "+file+" ends within the record after 4: ")
	assert.Contains(t, errs, "(core peer) has no output: the process ended in this step or soon after it\n")
}
