package shim

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clock is the clock of deadlines. It goes on while the machine is suspended, as the clocks of
// other nodes do; CLOCK_MONOTONIC does not.
const clock = unix.CLOCK_BOOTTIME

// deadlinePoll is how often a shim looks while there is no deadline.
const deadlinePoll = 250 * time.Millisecond

// Deadline is a time since boot in memory that the daemon and all its shims share. A daemon that is
// stopped has already written what its shims need to know.
type Deadline struct {
	File   *os.File // to be passed to shims
	Open   error    // why others than this daemon could write it; nil: none can
	memory []byte
}

// seals keep the size of the memory, and all but the mappings that are there from writing it.
const seals = unix.F_SEAL_FUTURE_WRITE | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// NewDeadline makes the shared memory, with no deadline in it. Only the mapping that is made here
// can ever write it. A process that gets hold of a descriptor cannot: a task must not move the
// deadline of others.
func NewDeadline() (*Deadline, error) {
	fd, err := unix.MemfdCreate("canvass-deadline", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("make memory for the deadline: %w", err)
	}
	file := os.NewFile(uintptr(fd), "deadline")
	if err := file.Truncate(8); err != nil {
		return nil, fmt.Errorf("make memory for the deadline: %w", err)
	}
	d, err := mapDeadline(file, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return nil, err
	}
	_, d.Open = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, seals)
	return d, nil
}

// mapDeadline maps the shared memory.
func mapDeadline(file *os.File, protection int) (*Deadline, error) {
	memory, err := unix.Mmap(int(file.Fd()), 0, 8, protection, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the deadline: %w", err)
	}
	return &Deadline{File: file, memory: memory}, nil
}

func (d *Deadline) word() *int64 { return (*int64)(unsafe.Pointer(&d.memory[0])) }

// get returns the deadline, or zero if there is none yet.
func (d *Deadline) get() time.Duration { return time.Duration(atomic.LoadInt64(d.word())) }

// Extend moves the deadline, but never back.
func (d *Deadline) Extend(to time.Duration) {
	for {
		now := atomic.LoadInt64(d.word())
		if int64(to) <= now || atomic.CompareAndSwapInt64(d.word(), now, int64(to)) {
			return
		}
	}
}

// Close frees the memory. Extend must not be called after it.
func (d *Deadline) Close() error {
	err := unix.Munmap(d.memory)
	if e := d.File.Close(); err == nil {
		err = e
	}
	return err
}

// wait returns once a deadline has passed. The timer is set for the deadline that is known when it
// is set; when it fires, the deadline may have moved.
func (d *Deadline) wait() error {
	fd, err := unix.TimerfdCreate(clock, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	if err != nil {
		return fmt.Errorf("make a timer for the deadline: %w", err)
	}
	timer := os.NewFile(uintptr(fd), "timer")
	defer timer.Close()
	for {
		until, now := d.get(), Boottime()
		if until == 0 {
			until = now + deadlinePoll
		} else if until <= now {
			return nil
		}
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(until))}
		if err := unix.TimerfdSettime(fd, unix.TFD_TIMER_ABSTIME, &spec, nil); err != nil {
			return fmt.Errorf("set the timer of the deadline: %w", err)
		}
		var expirations [8]byte
		if _, err := timer.Read(expirations[:]); err != nil {
			return fmt.Errorf("wait for the deadline: %w", err)
		}
	}
}

// Boottime is the time since the machine started, by the clock that goes on during suspend.
func Boottime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(clock, &now); err != nil {
		panic("shim: no CLOCK_BOOTTIME: " + err.Error())
	}
	return time.Duration(now.Nano())
}
