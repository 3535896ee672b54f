//go:build linux

package shim

import (
	"os"
	"time"
)

// Clock is the number of the clock that deadlines count by.
const Clock = clock

// WaitUntil returns once a time has passed, as a shim waits for its deadline.
func WaitUntil(at time.Duration) error {
	d, err := NewDeadline()
	if err != nil {
		return err
	}
	defer d.Close()
	d.Extend(at)
	return d.wait()
}

// Output writes a stream in these pieces and returns the size of the gap. If the shim is lost, the
// runner completes the file.
func Output(path string, limit int64, pieces [][]byte, lost bool) (gap int64, err error) {
	o, err := openOutput(path, limit)
	if err != nil {
		return 0, err
	}
	for _, piece := range pieces {
		o.write(piece)
	}
	if !lost {
		return o.finish()
	}
	o.file.Close()
	if o.tail != nil {
		o.tail.Close()
	}
	return FinishOutput(path, limit, -1)
}

// Confine restricts the calling thread like the thread that starts a command.
var Confine = confine

// LookUp finds the file of a task's command.
var LookUp = lookUp

// GapOf returns how many bytes are missing, and the line that says so.
var GapOf = gapOf

// Errors returns the error that is kept of these.
func Errors(all ...error) error {
	o := &output{}
	for _, err := range all {
		o.note(err)
	}
	return o.failed
}

// OutputMeanwhile writes a stream in two pieces, and calls a function after each.
func OutputMeanwhile(path string, limit int64, first, second []byte, after ...func()) (gap int64, err error) {
	o, err := openOutput(path, limit)
	if err != nil {
		return 0, err
	}
	for i, piece := range [][]byte{first, second} {
		o.write(piece)
		after[i]()
	}
	return o.finish()
}

// Parts are the three files of a stream while its task runs.
func Parts(path string, limit int64, pieces [][]byte) (parts [3][]byte, err error) {
	o, err := openOutput(path, limit)
	if err != nil {
		return parts, err
	}
	for _, piece := range pieces {
		o.write(piece)
	}
	for i, suffix := range []string{"", ".0", ".1"} {
		if parts[i], err = os.ReadFile(path + suffix); err != nil && !os.IsNotExist(err) {
			return parts, err
		}
	}
	_, err = o.finish()
	return parts, err
}

// RecordLimit bounds the order and the answer.
const RecordLimit = recordLimit

// Seals keep the memory of a deadline as it is.
const Seals = seals

// SignalAfterItsEnd asks a command to end whose process was reaped: its number is another's now.
func SignalAfterItsEnd(pid int) {
	s := &shim{pid: pid, reaped: true}
	s.signalCommand()
}
