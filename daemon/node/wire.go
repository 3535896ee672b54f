package node

import (
	"fmt"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// The kinds of frames.
const (
	coreFrame uint8 = 1 // a message of a core
	callFrame uint8 = 2 // a call of another daemon, or its answer
	jobFrame  uint8 = 3 // a message of a custodian of a job, with its copy of the record

	pieceFrame uint8 = 4 // a question for a piece of a file, or its answer
)

// The kinds of cores. Their numbers are part of frames and of records.
const (
	peerCore   uint8 = 1
	musterCore uint8 = 2
	leaseCore  uint8 = 3

	custodyCore uint8 = 4
)

// peerID names the one peer core of a node.
var peerID = driver.CoreID{Kind: peerCore}

// leaseID names the one lease core of a node.
var leaseID = driver.CoreID{Kind: leaseCore}

// musterID names the muster core of an attempt.
func musterID(by protocol.NodeID, epoch uint32) driver.CoreID {
	return driver.CoreID{Kind: musterCore, By: by, Epoch: epoch}
}

// custodyID names the custody core of a job.
func custodyID(name jobs.Name) driver.CoreID {
	return driver.CoreID{Kind: custodyCore, By: name.By, Epoch: name.Number}
}

// appendJob writes a message of a custodian, and a copy of the record, as the payload of a frame.
func appendJob(core driver.CoreID, message, text []byte) []byte {
	dst := protocol.AppendUint(appendCore(core, nil), uint64(len(message)))
	return append(append(dst, message...), text...)
}

// readJob is the inverse of appendJob.
func readJob(payload []byte) (core driver.CoreID, message, text []byte, err error) {
	core, rest, err := readCore(payload)
	if err != nil {
		return core, nil, nil, err
	}
	r := protocol.NewReader(rest)
	message = r.Bytes(int(r.Uint(uint64(len(rest)))))
	text = r.Bytes(r.Left())
	return core, message, text, r.Close()
}

// appendCore writes a message of a core as the payload of a frame.
func appendCore(core driver.CoreID, message []byte) []byte {
	dst := protocol.AppendUint(nil, uint64(core.Kind))
	dst = protocol.AppendNodeID(dst, core.By)
	dst = protocol.AppendUint(dst, uint64(core.Epoch))
	return append(dst, message...)
}

// readCore is the inverse of appendCore.
func readCore(payload []byte) (core driver.CoreID, message []byte, err error) {
	r := protocol.NewReader(payload)
	core = driver.CoreID{Kind: uint8(r.Uint(255)), By: r.NodeID(), Epoch: uint32(r.Uint(1<<32 - 1))}
	message = r.Bytes(r.Left())
	return core, message, r.Close()
}

// coreKey is the key of what a core persists.
func coreKey(core driver.CoreID) []byte { return appendCore(core, nil) }

// attemptText is how people see an attempt: the owner that granted it, and its number there.
func attemptText(by protocol.NodeID, epoch uint32) string { return fmt.Sprintf("%v-%d", by, epoch) }
