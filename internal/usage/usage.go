package usage

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
)

// Error is a mistake on the command line.
type Error struct{ text string }

// Error names the mistake and the remedy.
func (e *Error) Error() string { return e.text }

// Errorf makes an error. If one of the arguments is an error of this machine, such as a file that
// is missing, the result is no mistake on the command line but wraps that error.
func Errorf(format string, args ...any) error {
	e := &Error{fmt.Sprintf(format, args...)}
	for _, arg := range args {
		if err, is := arg.(error); is && isOfMachine(err) {
			return &failure{e.text, err}
		}
	}
	return e
}

// isOfMachine reports whether an error says something of this machine: the same command line could
// succeed on another one.
func isOfMachine(err error) bool {
	var path *fs.PathError
	var link *net.OpError
	var number syscall.Errno
	return errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &number) || errors.Is(err, fs.ErrNotExist)
}

// failure is an error of this machine.
type failure struct {
	text string
	of   error
}

// Error names the error and the remedy.
func (f *failure) Error() string { return f.text }

// Unwrap returns the error of the machine.
func (f *failure) Unwrap() error { return f.of }
