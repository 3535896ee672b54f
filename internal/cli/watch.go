package cli

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how often a watch looks whether it is to end.
const watchEvery = 500 * time.Millisecond

// Watch notices before a write that the output has lost its reader: the other end of its pipe or
// socket is closed, or its terminal is gone. Later writes then fail with that error. The function
// that it returns ends the watch.
func (o *Output) Watch() (end func()) {
	ended := make(chan struct{})
	if file, is := o.to.(*os.File); is {
		go o.watch(int32(file.Fd()), ended)
	}
	return func() { close(ended) }
}

func (o *Output) watch(fd int32, ended <-chan struct{}) {
	for {
		ends := []unix.PollFd{{Fd: fd}} // it is always reported that a file has no other end
		some, err := unix.Poll(ends, int(watchEvery.Milliseconds()))
		select {
		case <-ended:
			return
		default:
		}
		switch {
		case err == unix.EINTR:
		case err != nil || ends[0].Revents&unix.POLLNVAL != 0:
			return // it cannot be polled
		case some > 0:
			o.fail(ErrClosed)
			return
		}
	}
}
