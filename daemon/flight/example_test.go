package flight_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/space"
)

// An incarnation of one node is recorded and stepped again. Then a build with another configuration
// steps it.
func Example() {
	dir, err := os.MkdirTemp("", "flight")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := space.New(0, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	core := &peer.Core{Config: peer.DefaultConfig(s, 4, 8, 100)}
	record, err := flight.New(dir, flight.Header{
		Grid: "example", Life: "A-1", Cores: []flight.CoreKind{flight.PeerKind(1, core.Config)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	id, state := flight.CoreID{Kind: 1}, peer.New(0, space.Point{6})
	record.Snapshot(0, []flight.State{{Core: id, Bytes: core.AppendState(nil, state)}})
	for i, in := range []peer.Input{
		{Kind: protocol.Start},
		{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandCreate}},
	} {
		record.Input(id, time.Duration(i)*time.Second, 0, protocol.AppendInput(nil, core, in))
		var out peer.Output
		state, out = core.Step(state, in)
		record.Output(id, protocol.Hash(protocol.AppendOutput(nil, core, out)))
	}
	if err := record.Close(); err != nil {
		fmt.Println(err)
		return
	}

	file := filepath.Join(dir, "A-1-000.cfr")
	report, err := flight.Verify([]string{file}, flight.Cores)
	fmt.Println(report.Steps, "steps,", report.Difference, err)

	report, err = flight.Verify([]string{file}, func(flight.CoreKind) (flight.Stepper, error) {
		other := *core
		other.Config.Can.UpdateTicks = 50
		return flight.Steps(&other), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := report.Difference
	fmt.Printf("record %d, core %s, %s: the %s differs\nnow: %s\n", d.Record, d.Core, d.Input, d.What, d.Now)
	// Output:
	// 2 steps, <nil> <nil>
	// record 4, core peer, command: create: the output differs
	// now: set can update to 50 to 50 ticks; event can:create A (digest 49741d4e06d5deb6)
}
