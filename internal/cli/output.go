package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// ErrOutput says that something could not be written to the standard output. ErrClosed is one of
// its kind: the output is a pipe, and its reader has gone.
var (
	ErrOutput = errors.New("cannot write to standard output")
	ErrClosed = fmt.Errorf("%w: its reader has gone", ErrOutput)
)

// Output is the standard output of the program. After the first error nothing more is written, and
// every later write returns that error.
type Output struct {
	screen
	to      io.Writer
	json    bool // the user has asked for JSON
	writing sync.Mutex

	mu     sync.Mutex // never held while something is written, which may take forever
	err    error
	failed chan struct{} // closed with the first error
}

// NewOutput makes an output of a writer, which may be a terminal.
func NewOutput(to io.Writer) *Output {
	return &Output{screen: screenOf(to), to: to, failed: make(chan struct{})}
}

// Err is the first error in writing, which is an [ErrOutput]; nil if there was none.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Failed returns a channel that is closed when a write has failed.
func (o *Output) Failed() <-chan struct{} { return o.failed }

// Context returns a context that ends when a write has failed; its cause is the error.
func (o *Output) Context(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		select {
		case <-o.failed:
			cancel(o.Err())
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Write writes a text of our own. Control characters in it are escaped, but for the ends of lines
// and tabs.
func (o *Output) Write(text []byte) (int, error) {
	if err := o.write(harmlessLines(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Raw writes bytes unchanged: the output of a job, or a file in another format.
func (o *Output) Raw() io.Writer { return raw{o} }

type raw struct{ *Output }

func (r raw) Write(data []byte) (int, error) {
	if err := r.write(data); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (o *Output) write(data []byte) error {
	o.writing.Lock()
	defer o.writing.Unlock()
	if err := o.Err(); err != nil {
		return err
	}
	if _, err := o.to.Write(data); err != nil {
		o.fail(outputError(err))
	}
	return o.Err()
}

// fail notes the first error.
func (o *Output) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
		close(o.failed)
	}
}

// outputError turns the error of a write into one of this package.
func outputError(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return ErrClosed
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err // without "write /dev/stdout"
	}
	return fmt.Errorf("%w: %w", ErrOutput, err)
}

// Printf writes a text. Control characters in the arguments are escaped.
func (o *Output) Printf(format string, args ...any) error {
	_, err := io.WriteString(o.Raw(), harmlessly(format, args))
	return err
}

// Messages is the standard error: messages of a command, and no results.
type Messages struct {
	screen
	to io.Writer
}

// NewMessages makes messages of a writer, which may be a terminal.
func NewMessages(to io.Writer) *Messages { return &Messages{screenOf(to), to} }

// Write writes a text of our own. Control characters in it are escaped, but for the ends of lines
// and tabs.
func (m *Messages) Write(text []byte) (int, error) {
	if _, err := m.to.Write(harmlessLines(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Printf writes a text. Control characters in the arguments are escaped. Messages that cannot be
// written are lost.
func (m *Messages) Printf(format string, args ...any) {
	_, _ = io.WriteString(m.to, harmlessly(format, args))
}

// Raw writes bytes as they are: the error stream of a job, a line of progress.
func (m *Messages) Raw() io.Writer { return m.to }

// screen describes the terminal behind a writer.
type screen struct {
	columns  int // of a terminal; 0 anywhere else
	terminal bool
}

const (
	fewestColumns = 40 // no text of ours fits in less
	usualColumns  = 80 // of a terminal that does not say
)

func screenOf(w any) screen {
	file, is := w.(*os.File)
	if !is || !term.IsTerminal(int(file.Fd())) {
		return screen{}
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil || columns <= 0 {
		columns = usualColumns
	}
	return screen{max(columns, fewestColumns), true}
}

// Stat describes the file that the output goes to; an error if it goes to none.
func (o *Output) Stat() (fs.FileInfo, error) { return statOf(o.to) }

// Stat describes the file that the messages go to; an error if they go to none.
func (m *Messages) Stat() (fs.FileInfo, error) { return statOf(m.to) }

func statOf(w io.Writer) (fs.FileInfo, error) {
	file, is := w.(*os.File)
	if !is {
		return nil, errors.ErrUnsupported
	}
	return file.Stat()
}

// Columns is the width of the terminal; 0 if it is none, and texts are as wide as they are.
func (s screen) Columns() int { return s.columns }

// Terminal reports whether this is a terminal.
func (s screen) Terminal() bool { return s.terminal }

// Resize makes the output as narrow as a terminal, for tests.
func (s *screen) Resize(columns int) { s.columns = columns }
