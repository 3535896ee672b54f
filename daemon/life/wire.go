package life

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// The kinds of frames.
const (
	CoreFrame  uint8 = 1 // a message of a core
	CallFrame  uint8 = 2 // a call of another daemon, or its answer
	JobFrame   uint8 = 3 // a message of a custodian of a job, with its copy of the record
	PieceFrame uint8 = 4 // a question for a piece of a file, or its answer
)

// The kinds of cores. Their numbers are part of frames and of records.
const (
	PeerCore      uint8 = 1
	MusterCore    uint8 = 2
	LeaseCore     uint8 = 3
	CustodyCore   uint8 = 4
	PlacementCore uint8 = 5
)

// PeerID names the one peer core of a node.
var PeerID = driver.CoreID{Kind: PeerCore}

// PlacementID names the one placement core of a node.
var PlacementID = driver.CoreID{Kind: PlacementCore}

// LeaseID names the one lease core of a node.
var LeaseID = driver.CoreID{Kind: LeaseCore}

// MusterID names the muster core of an attempt.
func MusterID(by protocol.NodeID, epoch uint32) driver.CoreID {
	return driver.CoreID{Kind: MusterCore, By: by, Epoch: epoch}
}

// CustodyID names the custody core of a job.
func CustodyID(name jobs.Name) driver.CoreID {
	return driver.CoreID{Kind: CustodyCore, By: name.By, Epoch: name.Number}
}

// AppendJob writes a message of a custodian, and a copy of the record, as the payload of a frame.
func AppendJob(core driver.CoreID, message, text []byte) []byte {
	dst := protocol.AppendUint(AppendCore(core, nil), uint64(len(message)))
	return append(append(dst, message...), text...)
}

// ReadJob is the inverse of [AppendJob].
func ReadJob(payload []byte) (core driver.CoreID, message, text []byte, err error) {
	core, rest, err := ReadCore(payload)
	if err != nil {
		return core, nil, nil, err
	}
	r := protocol.NewReader(rest)
	message = r.Bytes(int(r.Uint(uint64(len(rest)))))
	text = r.Bytes(r.Left())
	return core, message, text, r.Close()
}

// AppendCore writes a message of a core as the payload of a frame.
func AppendCore(core driver.CoreID, message []byte) []byte {
	dst := protocol.AppendUint(nil, uint64(core.Kind))
	dst = protocol.AppendNodeID(dst, core.By)
	dst = protocol.AppendUint(dst, uint64(core.Epoch))
	return append(dst, message...)
}

// ReadCore is the inverse of [AppendCore].
func ReadCore(payload []byte) (core driver.CoreID, message []byte, err error) {
	r := protocol.NewReader(payload)
	core = driver.CoreID{Kind: uint8(r.Uint(255)), By: r.NodeID(), Epoch: uint32(r.Uint(1<<32 - 1))}
	message = r.Bytes(r.Left())
	return core, message, r.Close()
}

// CoreKey is the key in the store of the durable state of a core.
func CoreKey(core driver.CoreID) []byte { return AppendCore(core, nil) }

// AttemptText is how people see an attempt: the owner that granted it, and its number there.
func AttemptText(by protocol.NodeID, epoch uint32) string { return fmt.Sprintf("%v-%d", by, epoch) }

// MaxAge is the age at which a message is dropped.
const MaxAge = 3 * time.Second

// TaskEvent is the name of an event of the task layer.
func TaskEvent(name string) string { return peer.TaskLayer.String() + ":" + name }
