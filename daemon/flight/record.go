package flight

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// CoreID names a core of a node: its kind, and which one of that kind.
type CoreID struct {
	Kind  uint8
	By    protocol.NodeID // with Epoch: the attempt that the core is for; zero if there is one of the kind
	Epoch uint32
}

// Text names a core of a kind, as in "custody A/14", or by the kind alone if there is only one.
func (id CoreID) Text(kind string) string {
	if id.By.IsNobody() && id.Epoch == 0 {
		return kind
	}
	return fmt.Sprintf("%s %v/%d", kind, id.By, id.Epoch)
}

// CoreKind has the functions that a reader needs for the cores of one kind.
type CoreKind struct {
	Kind   uint8
	Name   string // "peer": decides which core of a build steps again
	Config []byte // the configuration, as the name's [Stepper] reads it
}

// Header describes a record. It begins each segment.
type Header struct {
	Grid    string
	Life    string // names the files: 1 to 64 of a-z, A-Z, 0-9, ".", "_" and "-"
	Build   string // of the binary that wrote the record
	Wire    uint32 // version of the messages
	Cores   []CoreKind
	Segment uint32        // from 0; set by the recorder
	At      time.Duration // CLOCK_BOOTTIME when the segment began; set by the recorder
	Wall    time.Time     // the wall clock then, for people; set by the recorder
}

// State is the canonical encoding of a core's state.
type State struct {
	Core  CoreID
	Bytes []byte
}

// RecordKind is the closed set of records.
type RecordKind uint8

// The kinds of records. Exactly the fields of Record that a kind names are set, and Sequence.
const (
	SnapshotRecord RecordKind = iota + 1 // Core, At, Bytes: the state of a core that runs or begins
	InputRecord                          // Core, At, Frame, Bytes: an input, before its step
	OutputRecord                         // Core, Digest: the output of the core's last input
	SentRecord                           // Step, Envelope, Frame: an envelope of an output left in this frame
	EndRecord                            // Core: there are no more inputs for this core
	GapRecord                            // Lost: the number of missing records; the segment ends here
)

// Record is one record of a segment.
type Record struct {
	Kind     RecordKind
	Sequence uint64 // from 1 in an incarnation, without holes but for gaps
	Core     CoreID
	At       time.Duration // CLOCK_BOOTTIME
	Frame    uint64        // of the connection; 0: none
	Digest   uint64        // protocol.Hash of the output's canonical encoding
	Step     uint64        // the sequence of the input whose output is meant
	Envelope uint32        // index into Output.Send
	Lost     uint64
	Bytes    []byte
}
