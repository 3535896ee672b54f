package life

import (
	crand "crypto/rand"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// Machine is a node's view of the machine that it runs on. Open of package node takes the real one.
// A simulator makes a machine, and passes it to Step of that package.
type Machine struct {
	Clock   func() time.Duration                 // CLOCK_BOOTTIME
	Wall    func() time.Time                     // the time of day, which can jump: see Since and Oldest
	After   func(d time.Duration, f func())      // calls f after a time, on the goroutine of the node
	Between func(low, high uint32) uint32        // draws a number, each with the same probability
	JobID   func() string                        // draws the id of a job
	Connect func(protocol.NodeID) (Links, error) // makes the links of an incarnation
	Store   Store
	Host    host.Host

	// Kept has the inputs and outputs of the jobs that this node is a custodian of, and Cache the
	// inputs of others.
	Kept, Cache Contents

	// Go calls a function beside the goroutine of the node. Such a function waits for that goroutine
	// with Await alone, which returns false if the incarnation has ended first.
	Go    func(f func())
	Await func(done <-chan struct{}) bool
}

// Contents keep contents by their SHA-256. Package blobs has the real ones. All methods but Has are
// called beside the goroutine of the node, and some of them at once.
type Contents interface {
	Has(digest string) bool
	Put(r io.Reader, want string, limit int64) (digest string, size int64, err error)
	Open(digest string) (io.ReadSeekCloser, error)
	// Sound opens a content after comparing its digest, and removes a damaged one.
	Sound(digest string) (io.ReadSeekCloser, error)
	IsSound(digest string) bool
	Sweep(wanted func(digest string) bool, before time.Time) (removed int, err error)
	Shrink(most int64) error
}

// Store keeps the durable state of a node. Package disk has the real one.
type Store interface {
	// Commit makes puts durable, all or none, and returns when they are.
	Commit(puts ...disk.Put) error
	// Get returns a copy of a value, or nil.
	Get(bucket string, key []byte) ([]byte, error)
	// Each calls a function with each value of a bucket whose key begins so, in the order of the
	// keys.
	Each(bucket string, prefix []byte, f func(key, value []byte) error) error
	Close() error
}

// Links connect an incarnation of a node to other nodes. Package transport has the real ones.
type Links interface {
	Send(to protocol.NodeID, channel transport.Channel, kind uint8, payload []byte)
	Learn(card transport.Card)
	Cards() []transport.Card // by address, the own one among them
	Endpoint() string
	// Reject ends the connections to an incarnation that has sent invalid data.
	Reject(from protocol.NodeID)
	Close() error
}

// Chance draws from the kernel: no other process can foresee a nonce or a choice. It has no state.
type Chance struct{}

// Uint64 draws a number.
func (Chance) Uint64() uint64 {
	var b [8]byte
	crand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// Between draws a number from low to high, each with the same probability.
func Between(low, high uint32) uint32 {
	return low + uint32(rand.New(Chance{}).Uint64N(uint64(high-low)+1))
}
