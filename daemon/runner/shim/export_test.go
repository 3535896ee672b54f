//go:build linux

package shim

import "time"

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

// Confine restricts the calling thread as that which starts a command.
var Confine = confine

// SignalAfterItsEnd asks a command to end whose process was reaped: its number is another's now.
func SignalAfterItsEnd(pid int) {
	s := &shim{pid: pid, reaped: true}
	s.signalCommand()
}
