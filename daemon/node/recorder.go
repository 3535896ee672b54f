package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
)

// recorder passes what the loop does to the flight recorder.
type recorder struct{ *flight.Recorder }

// Begin records the state that a core begins with.
func (r recorder) Begin(core driver.CoreID, at time.Duration, state []byte) {
	r.Recorder.Begin(flight.CoreID(core), at, state)
}

// Input records an input.
func (r recorder) Input(core driver.CoreID, at time.Duration, input []byte) {
	r.Recorder.Input(flight.CoreID(core), at, 0, input)
}

// Output records the digest of an output.
func (r recorder) Output(core driver.CoreID, output []byte) {
	r.Recorder.Output(flight.CoreID(core), protocol.Hash(output))
}

// End records that a core is dropped.
func (r recorder) End(core driver.CoreID) { r.Recorder.End(flight.CoreID(core)) }

// recorder is what the loop records with; nil if nothing is recorded.
func (n *Node) recorder() driver.Recorder {
	if n.record == nil {
		return nil
	}
	return recorder{n.record}
}

// openRecord begins the record of this life.
func (n *Node) openRecord() (err error) {
	folder, err := n.folder(disk.Flight)
	if err != nil {
		return err
	}
	address := protocol.NodeID{Address: n.id.Address, Incarnation: 1}
	began := strings.ReplaceAll(n.wall().UTC().Format("20060102T150405.000"), ".", "-")
	n.record, err = flight.New(folder, flight.Header{
		Grid: string(n.id.Grid), Life: fmt.Sprintf("%v-%s", address, began),
		Build: n.options.Build, Wire: Wire,
		Cores: []flight.CoreKind{
			flight.PeerKind(peerCore, n.cores), flight.MusterKind(musterCore, n.config.Grid.Muster()),
			flight.LeaseKind(leaseCore, n.config.Grid.Lease()),
			flight.CustodyKind(custodyCore, n.config.Grid.Custody()),
		},
	})
	return err
}

// endRecord ends the record. If the life has failed, it says so alone: a full disk fails both.
func (n *Node) endRecord(failed error) error {
	err := n.record.Close()
	switch {
	case failed == nil:
		return err
	case err == nil:
		return failed
	}
	n.log.Warn("the flight record is not complete", "error", err)
	return failed
}

// segment begins a segment of the record when one is due.
func (n *Node) segment() {
	if n.record == nil || !n.record.Due() {
		return
	}
	var states []flight.State
	for _, s := range n.loop.States() {
		states = append(states, flight.State{Core: flight.CoreID(s.Core), Bytes: s.Bytes})
	}
	n.record.Snapshot(n.clock(), states)
}
