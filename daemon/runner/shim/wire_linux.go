package shim

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// The descriptors of a shim, beyond the standard three.
const (
	controlDescriptor  = 3 // a socket to the daemon; its end means that the daemon has ended
	deadlineDescriptor = 4 // eight bytes, see Deadline
)

// The bytes that the daemon writes to a shim after its order: the signal of the task now and
// SIGKILL after its Grace, or SIGKILL at once.
const (
	KillGently = 'g'
	KillNow    = 'k'
)

// recordLimit bounds the order and the answer.
const recordLimit = 8 << 20

// Order has the task of a shim. A shim decodes nothing else. The answer is an Exit.
type Order struct {
	Task      Task
	Isolation string
	Cgroup    string // folder, if it is that isolation
	Mark      string // a variable that marks the tree for the daemon, if it is Subreaper
	Probe     bool   // do all but the command

	Veil      string        // how folders are hidden from the task: see package veil
	Hide      verbatim.List // which ones, but for the working directory, if that is in one of them
	Processes uint64        // how many the user of the task may have at most; 0: no number of the daemon's
}

// Send writes one record with its length before it.
func Send(w io.Writer, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(body) > recordLimit {
		return fmt.Errorf("a record of %d bytes, more than %d: shorten the command or its variables", len(body), recordLimit)
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}

// Receive reads one record.
func Receive(r io.Reader, v any) error {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n > recordLimit {
		return fmt.Errorf("a record of %d bytes, more than %d", n, recordLimit)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}
