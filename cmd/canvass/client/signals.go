package client

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// OneSignal is how long signals count as one: timeout(1) sends the same to a process and to its
// group.
const OneSignal = 300 * time.Millisecond

// Repeated waits for a second signal, apart from repetitions of the first.
func Repeated(signals <-chan os.Signal) {
	for same := time.After(OneSignal); ; {
		select {
		case <-signals:
		case <-same:
			<-signals
			return
		}
	}
}

// EndSignals are the signals that end a command. HUP stays ignored if it was ignored when the
// command began, as nohup(1) has it.
func EndSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// endPatience is how long a command that was ended may take to say so. It may wait for a reader of
// its output that does not read.
const endPatience = 2 * time.Second

// untilEnded runs a command that returns soon after its context has ended, and no longer than some
// time after that.
func untilEnded(ctx context.Context, command func() error) error {
	done := make(chan error, 1)
	go func() { done <- command() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(endPatience):
		return ctx.Err()
	}
}
