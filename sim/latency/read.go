package latency

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrFormat is wrapped by every error about a file that does not have the format.
var ErrFormat = errors.New("not latencies")

const (
	// MaxSites bounds the sites of a file.
	MaxSites = 4096
	// maxMicros is the longest time in a file: a thousand seconds.
	maxMicros = 1_000_000_000
	maxLine   = 1 << 20
)

// lines reads a file line by line.
type lines struct {
	scanner *bufio.Scanner
	number  int
}

func newLines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return &lines{scanner: s}
}

// next returns the next line, or false at the end.
func (l *lines) next() (string, bool) {
	if !l.scanner.Scan() {
		return "", false
	}
	l.number++
	return strings.TrimSuffix(l.scanner.Text(), "\r"), true
}

// end returns the error that stopped reading, if any.
func (l *lines) end() error {
	err := l.scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		l.number++
		return l.wrong("is longer than %d bytes", maxLine)
	}
	return err
}

func (l *lines) wrong(format string, args ...any) error {
	return fmt.Errorf("%w: line %d: %s", ErrFormat, l.number, fmt.Sprintf(format, args...))
}

// millis reads milliseconds as microseconds, rounded. Only coordinates have a sign.
func millis(text string) (micros int64, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, part, dot := strings.Cut(digits, ".")
	if whole == "" || dot && part == "" || len(digits) > 40 {
		return 0, false
	}
	for _, c := range whole {
		if c < '0' || c > '9' {
			return 0, false
		}
		if micros = 10*micros + int64(c-'0'); micros > maxMicros/1000 {
			return 0, false
		}
	}
	for i := range 3 {
		micros *= 10
		if i < len(part) {
			micros += int64(part[i] - '0')
		}
	}
	for _, c := range part {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	if len(part) > 3 && part[3] >= '5' {
		micros++
	}
	if micros > maxMicros {
		return 0, false
	}
	if negative {
		micros = -micros
	}
	return micros, true
}
