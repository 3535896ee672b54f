package library

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

const piecePatience = 10 * time.Second

// Library is the contents of a daemon, and its access to those of others.
type Library struct {
	*life.Runtime
	Kept  life.Contents // inputs and outputs of the jobs that this node is a custodian of
	Cache life.Contents // inputs of other jobs

	OnDamage func(digest string) // copies a content again whose damaged copy was removed
	examines bool                // a content is being examined at the request of another daemon
}

// Open opens the folders of contents.
func (l *Library) Open(folder string) (err error) {
	kept, err := blobs.Open(filepath.Join(folder, disk.Kept))
	if err != nil {
		return err
	}
	cache, err := blobs.Open(filepath.Join(folder, disk.Cache))
	if err != nil {
		return err
	}
	l.Kept, l.Cache = kept, cache
	return nil
}

// openContent opens a content that is here.
func (l *Library) openContent(digest string) (io.ReadSeekCloser, error) {
	f, err := l.Kept.Open(digest)
	if errors.Is(err, blobs.ErrLost) {
		return l.Cache.Open(digest)
	}
	return f, err
}

// AnswerBlob reads a piece of a content for another daemon.
func (l *Library) AnswerBlob(_ protocol.NodeID, p rpc.PieceOf) (func() (rpc.Fragment, error), error) {
	return func() (rpc.Fragment, error) {
		f, err := l.openContent(p.Digest)
		if err != nil {
			return rpc.Fragment{}, err
		}
		return PieceFrom(f, p.Offset, rpc.PieceSize)
	}, nil
}

// NoRoom refuses more work if the disk is nearly full: a full disk ends the daemon.
func NoRoom(folder string) error {
	if err := disk.Low(folder); err != nil {
		return fmt.Errorf("%w: %w", jobs.ErrBusy, err)
	}
	return nil
}

// Missing reports an input of a job that is not here.
func (l *Library) Missing(s *jobs.Spec) error {
	if s.Stdin != "" && blobs.IsDigest(s.Stdin) && !l.Kept.Has(s.Stdin) {
		return fmt.Errorf("%w: its standard input %s was not submitted with it", jobs.ErrSpec, s.Stdin)
	}
	for _, f := range s.Inputs {
		if blobs.IsDigest(f.Digest) && !l.Kept.Has(f.Digest) {
			return fmt.Errorf("%w: the content %s of input %q was not submitted with it", jobs.ErrSpec, f.Digest, f.Path)
		}
	}
	return nil
}

// KeepContent keeps a content of a known size, if there is room.
func (l *Library) KeepContent(content io.Reader, digest string, size int64) error {
	if err := l.Host.Room(size); err != nil {
		return fmt.Errorf("%w: %w", blobs.ErrUnwritten, err)
	}
	_, _, err := l.Kept.Put(content, digest, jobs.FileLimit)
	return err
}

// Lay puts the inputs of a job into the working folder of an attempt. It is not for the node's
// goroutine.
func (l *Library) Lay(spec *jobs.Spec, sources []protocol.Address, attempt string, p *Progress) error {
	var all []blobs.Entry
	for _, f := range spec.Inputs {
		all = append(all, blobs.Entry{Path: string(f.Path), Digest: f.Digest, Size: f.Size, Mode: f.Mode})
	}
	if spec.Stdin != "" {
		all = append(all, blobs.Entry{Path: host.StdinFile, Digest: spec.Stdin, Mode: 0o600})
	}
	for range sources {
		if err := l.layAll(all, sources, attempt, p); !errors.Is(err, blobs.ErrCorrupt) {
			return err
		}
		for _, e := range all { // a copy here is damaged, and goes
			if f, err := l.Sound(e.Digest); err == nil {
				f.Close()
			}
		}
	}
	return l.layAll(all, sources, attempt, p)
}

// layAll puts files into a folder. Missing contents are copied from custodians first.
func (l *Library) layAll(all []blobs.Entry, sources []protocol.Address, attempt string, p *Progress) error {
	p.Copied.Store(0)
	p.Laid.Store(0)
	for _, e := range all {
		before := p.Copied.Load()
		if l.Kept.Has(e.Digest) || l.Cache.Has(e.Digest) {
			p.Copied.Add(e.Size)
			continue
		}
		err := l.Fetch(e.Digest, sources, func(content io.Reader) error {
			p.Copied.Store(before)
			_, _, err := l.Cache.Put(counted{content, &p.Copied}, e.Digest, jobs.FileLimit)
			return err
		})
		if err != nil {
			return fmt.Errorf("input %s: %w", e.Path, err)
		}
	}
	open := func(digest string) (io.ReadCloser, error) {
		f, err := l.openContent(digest)
		return countedFile{counted{f, &p.Laid}, f}, err
	}
	if err := l.Host.Lay(attempt, all, open); err != nil {
		return fmt.Errorf("inputs: %w", err)
	}
	return nil
}

// PieceFrom reads a piece of a file, and closes it.
func PieceFrom(f io.ReadSeekCloser, offset int64, most int) (rpc.Fragment, error) {
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return rpc.Fragment{}, err
	}
	if _, err = f.Seek(offset, io.SeekStart); err != nil {
		return rpc.Fragment{}, err
	}
	data := make([]byte, most)
	got, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return rpc.Fragment{}, err
	}
	return rpc.Fragment{Data: data[:got], Size: size}, nil
}

// distant reads a content from other daemons, piece by piece: from the next one when one has
// failed. It is not for the node's goroutine.
type distant struct {
	*Library
	sources []protocol.Address
	at      int
	method  rpc.Method[rpc.PieceOf, rpc.Fragment]
	what    rpc.PieceOf
	data    []byte
	failed  error // the errors of the sources so far
	ended   bool
}

// Read asks for the next piece when the last one is used up.
func (d *distant) Read(p []byte) (int, error) {
	for len(d.data) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		out, err := d.next()
		if err != nil {
			d.failed = errors.Join(d.failed, err)
			if d.at++; d.at >= len(d.sources) {
				return 0, d.failed
			}
			continue
		}
		d.data = out.Data
		d.what.Offset += int64(len(out.Data))
		d.ended = len(out.Data) == 0 || d.what.Offset >= out.Size
	}
	got := copy(p, d.data)
	d.data = d.data[got:]
	return got, nil
}

func (d *distant) next() (out rpc.Fragment, err error) {
	answered := make(chan struct{})
	d.Post(func() {
		from := protocol.NodeID{Address: d.sources[d.at]}
		d.method.Ask(d.Calls, rpc.Daemon(from).Within(piecePatience), d.what, func(f rpc.Fragment, failed error) {
			out, err = f, failed
			close(answered)
		})
	})
	if !d.Machine.Await(answered) {
		return out, d.Ending()
	}
	return out, err
}

// Content reads a content from some daemons.
func (l *Library) Content(digest string, sources ...protocol.Address) io.Reader {
	return &distant{Library: l, sources: sources, method: rpc.Blob, what: rpc.PieceOf{Digest: digest}}
}

// Output reads an output of an attempt from its host.
func (l *Library) Output(from protocol.Address, of rpc.AttemptName, path verbatim.Text) io.Reader {
	return &distant{
		Library: l, sources: []protocol.Address{from}, method: rpc.Content, what: rpc.PieceOf{AttemptName: of, Path: path},
	}
}

// Fetch copies a content from some daemons. If the result is damaged, each of them is asked alone,
// and a daemon whose copy is damaged is asked to examine it. It is not for the node's goroutine.
func (l *Library) Fetch(digest string, sources []protocol.Address, put func(io.Reader) error) error {
	err := put(l.Content(digest, sources...))
	if !errors.Is(err, blobs.ErrCorrupt) {
		return err
	}
	err = nil
	for _, a := range sources {
		failed := put(l.Content(digest, a))
		if failed == nil {
			return nil
		}
		if errors.Is(failed, blobs.ErrCorrupt) {
			l.Post(func() {
				rpc.Examine.Ask(l.Calls, rpc.Daemon(protocol.NodeID{Address: a}).Within(piecePatience), digest, nil)
			})
		}
		err = errors.Join(err, fmt.Errorf("node %v: %w", protocol.NodeID{Address: a, Incarnation: 1}, failed))
	}
	return err
}

// AnswerExamine compares the digest of a content that arrived damaged at another daemon. One such
// question is answered at a time.
func (l *Library) AnswerExamine(_ protocol.NodeID, digest string) (rpc.None, error) {
	switch {
	case !blobs.IsDigest(digest):
		return rpc.None{}, fmt.Errorf("%q is no digest", digest)
	case l.examines:
		return rpc.None{}, rpc.ErrLater
	}
	l.examines = true
	l.Machine.Go(func() {
		if f, err := l.Sound(digest); err == nil {
			f.Close()
		}
		l.Post(func() { l.examines = false })
	})
	return rpc.None{}, nil
}

// Sound opens a content that is here and undamaged. A damaged copy is removed, and a custodian
// copies it again. It is not for the node's goroutine.
func (l *Library) Sound(digest string) (io.ReadSeekCloser, error) {
	for _, store := range []life.Contents{l.Kept, l.Cache} {
		f, err := store.Sound(digest)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, blobs.ErrCorrupt):
			l.Log.Warn("a copy is damaged, and is removed", "error", err)
			l.Post(func() { l.OnDamage(digest) })
		case !errors.Is(err, blobs.ErrLost):
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: %s", blobs.ErrLost, digest)
}

// Progress is how much of the inputs of a task has arrived, and is in its working folder. The
// goroutine that copies counts, and that of the node reads.
type Progress struct {
	Size         int64
	Copied, Laid atomic.Int64
}

// Begin starts the count for the inputs of a job.
func (p *Progress) Begin(spec *jobs.Spec) {
	p.Size = 0
	for _, f := range spec.Inputs {
		p.Size += f.Size
	}
	p.Copied.Store(0)
	p.Laid.Store(0)
}

// counted adds what is read to a count.
type counted struct {
	io.Reader
	to *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.to.Add(int64(n))
	return n, err
}

// countedFile is a counted file, which can be closed.
type countedFile struct {
	counted
	io.Closer
}
