package jobs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/internal/cli"
)

// printer writes what ranks have printed: bytes as they come, or line by line.
type printer struct {
	to    map[string]*batch // by the name of the stream
	lines bool              // each begins with its rank
	json  *api.Line         // each is an object like this one; nil: it is text
}

func newPrinter(stdout, stderr io.Writer) printer {
	return printer{to: map[string]*batch{"stdout": {to: stdout}, "stderr": {to: stderr}}}
}

// batch collects what is written, since a system call costs more than many lines.
type batch struct {
	to   io.Writer
	data []byte
}

const batchSize = 256 << 10

// flush writes what was collected.
func (b *batch) flush() error {
	if len(b.data) == 0 {
		return nil
	}
	_, err := b.to.Write(b.data)
	b.data = b.data[:0]
	if err != nil && !errors.Is(err, cli.ErrOutput) {
		err = fmt.Errorf("%w: %w", cli.ErrOutput, err) // on the error stream
	}
	return err
}

// flush writes all that was collected.
func (p *printer) flush() error {
	if err := p.to["stdout"].flush(); err != nil {
		return err
	}
	return p.to["stderr"].flush()
}

// print takes what a rank has printed. A line without an end is kept until that comes.
func (p *printer) print(s *stream, data []byte) error {
	b := p.to[s.name]
	if p.json != nil {
		b = p.to["stdout"] // an object names its stream
	}
	if !p.lines && p.json == nil {
		b.data = append(b.data, data...)
		return b.flush()
	}
	if len(s.line) > 0 { // only data may have an end
		end := bytes.IndexByte(data, '\n') + 1
		if end == 0 {
			s.line = append(s.line, data...)
			return nil
		}
		whole := append(s.line, data[:end]...)
		if err := p.whole(b, s, whole); err != nil {
			return err
		}
		s.line, data = whole[:0], data[end:]
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	s.line = append(s.line, data[end:]...)
	return p.whole(b, s, data[:end])
}

// whole takes lines that have ends.
func (p *printer) whole(b *batch, s *stream, data []byte) (err error) {
	if p.json == nil {
		return b.prefixed(fmt.Appendf(nil, "[%d] ", s.rank), data)
	}
	for len(data) > 0 && err == nil {
		end := bytes.IndexByte(data, '\n')
		line := *p.json
		line.Rank, line.Stream, line.Text = s.rank, s.name, verbatim.Text(data[:end])
		text, failed := cli.JSON(line)
		if failed != nil {
			return failed
		}
		b.data, data = append(b.data, text...), data[end+1:]
		err = b.room()
	}
	return err
}

// prefixed takes lines, and puts something before each of them. The shortest lines take longest:
// 100 MB of empty ones are 100 million.
func (b *batch) prefixed(prefix, lines []byte) error {
	var word [8]byte // most prefixes are no longer, and one store then
	copy(word[:], prefix)
	first := binary.NativeEndian.Uint64(word[:])
	for len(lines) > 0 {
		out := slices.Grow(b.data, len(word))
		for len(lines) > 0 && len(out) < batchSize {
			end := 1
			if lines[0] != '\n' {
				end += bytes.IndexByte(lines, '\n')
			}
			if n := len(out); len(prefix) <= len(word) && cap(out)-n >= len(word) {
				binary.NativeEndian.PutUint64(out[n:n+len(word)], first)
				out = out[:n+len(prefix)]
			} else {
				out = append(out, prefix...)
			}
			if end == 1 {
				out = append(out, '\n')
			} else {
				out = append(out, lines[:end]...)
			}
			lines = lines[end:]
		}
		b.data = out
		if err := b.room(); err != nil {
			return err
		}
	}
	return nil
}

// room writes what was collected if that is much.
func (b *batch) room() error {
	if len(b.data) < batchSize {
		return nil
	}
	return b.flush()
}

// end takes the line that a stream has begun as if it had an end.
func (p *printer) end(s *stream) error {
	if len(s.line) == 0 {
		return nil
	}
	return p.print(s, []byte("\n"))
}
