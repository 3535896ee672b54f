package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io"

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
func (p *printer) whole(b *batch, s *stream, data []byte) error {
	prefix := fmt.Appendf(nil, "[%d] ", s.rank)
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		if p.json != nil {
			line := *p.json
			line.Rank, line.Stream, line.Text = s.rank, s.name, verbatim.Text(data[:end])
			text, err := cli.JSON(line)
			if err != nil {
				return err
			}
			b.data = append(b.data, text...)
		} else {
			b.data = append(b.data, prefix...)
			b.data = append(b.data, data[:end+1]...)
		}
		data = data[end+1:]
		if len(b.data) >= batchSize {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// end takes the line that a stream has begun as if it had an end.
func (p *printer) end(s *stream) error {
	if len(s.line) == 0 {
		return nil
	}
	return p.print(s, []byte("\n"))
}
