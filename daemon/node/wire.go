package node

import (
	"fmt"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// The kinds of frames.
const (
	coreFrame uint8 = 1 // a message of a core
	callFrame uint8 = 2 // a call of another daemon, or its answer
)

// The kinds of cores. Their numbers are part of frames and of records.
const (
	peerCore   uint8 = 1
	musterCore uint8 = 2
	leaseCore  uint8 = 3
)

// peerID names the one peer core of a node.
var peerID = driver.CoreID{Kind: peerCore}

// leaseID names the one lease core of a node.
var leaseID = driver.CoreID{Kind: leaseCore}

// musterID names the muster core of an attempt.
func musterID(by protocol.NodeID, epoch uint32) driver.CoreID {
	return driver.CoreID{Kind: musterCore, By: by, Epoch: epoch}
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
