package daemon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
)

// contents are the contents on the disk of a machine, by their digests.
type contents struct {
	m    *machine
	text map[string][]byte
}

var _ life.Contents = &contents{}

func newContents(m *machine) *contents { return &contents{m, map[string][]byte{}} }

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// isSound reports whether a content is there and undamaged. It changes nothing.
func (c *contents) isSound(digest string) bool {
	text, is := c.text[digest]
	return is && digestOf(text) == digest
}

// Has implements [life.Contents].
func (c *contents) Has(digest string) bool {
	_, is := c.text[digest]
	return is
}

// Put implements [life.Contents].
func (c *contents) Put(r io.Reader, want string, limit int64) (digest string, size int64, err error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch digest = digestOf(text); {
	case err != nil:
		return "", 0, err
	case c.m.isFull():
		c.m.world.oracle.seen["unwritten"]++
		return "", 0, fmt.Errorf("%w: %w", blobs.ErrUnwritten, syscall.ENOSPC)
	case int64(len(text)) > limit:
		return "", 0, blobs.ErrLarge
	case want != "" && digest != want:
		return "", 0, fmt.Errorf("%w: its digest is %s, and not %s", blobs.ErrCorrupt, digest, want)
	}
	c.text[digest] = text
	return digest, int64(len(text)), nil
}

// opened is a file or a content that is open.
type opened struct{ *bytes.Reader }

func (opened) Close() error { return nil }

// Open implements [life.Contents].
func (c *contents) Open(digest string) (io.ReadSeekCloser, error) {
	text, is := c.text[digest]
	if !is {
		return nil, fmt.Errorf("%w: %s", blobs.ErrLost, digest)
	}
	return opened{bytes.NewReader(text)}, nil
}

// Sound implements [life.Contents].
func (c *contents) Sound(digest string) (io.ReadSeekCloser, error) {
	f, err := c.Open(digest)
	if err == nil && !c.isSound(digest) {
		delete(c.text, digest)
		return nil, blobs.ErrCorrupt
	}
	return f, err
}

// IsSound implements [life.Contents].
func (c *contents) IsSound(digest string) bool {
	_, err := c.Sound(digest)
	return err == nil
}

// Sweep implements [life.Contents]. Runs are shorter than the time for which unwanted contents are
// kept, so it takes all of them to be old.
func (c *contents) Sweep(wanted func(string) bool, _ time.Time) (removed int, err error) {
	before := len(c.text)
	maps.DeleteFunc(c.text, func(digest string, _ []byte) bool { return !wanted(digest) })
	return before - len(c.text), nil
}

// Shrink implements [life.Contents].
func (c *contents) Shrink(most int64) error {
	if most == 0 {
		clear(c.text)
	}
	return nil
}

// rot removes or damages a content of which another machine has a sound copy.
func (m *machine) rot(arg uint64) {
	rots := slices.DeleteFunc(slices.Sorted(maps.Keys(m.kept.text)), func(digest string) bool {
		return !slices.ContainsFunc(m.world.machines, func(other *machine) bool {
			return other != m && other.kept.isSound(digest)
		})
	})
	if len(rots) == 0 {
		return
	}
	m.world.oracle.seen["rotten"]++
	digest := rots[arg/2%uint64(len(rots))]
	if arg%2 == 0 {
		delete(m.kept.text, digest)
		return
	}
	m.kept.text[digest] = append(bytes.Clone(m.kept.text[digest]), 'x')
}

// work is the working folder of an attempt.
type work map[string][]byte

// The files that a task leaves, and the file that it reads.
const (
	outputsPattern = "out-*"
	inputName      = "in"
	largeFile      = 200_000 // bytes: more than one answer has
)

// outputOf is the name and the text of a file that a task leaves. No other task leaves such a one.
func outputOf(job, attempt string, rank, number int) (name string, text []byte) {
	text = fmt.Appendf(nil, "file %d of rank %d of attempt %s of job %s\n", number, rank, attempt, job)
	if number == 2 {
		text = bytes.Repeat(text, largeFile/len(text))
	}
	return fmt.Sprintf("out-%d", number), text
}

// How the files of a task are spoiled.
const (
	notSpoiled = iota
	unreadable
	vanishes
	altered
	waysToSpoil
)

// leave writes the files of a task that ends.
func (p *process) leave() {
	folder := p.m.folder(p.attempt)
	for i := range p.files {
		name, text := outputOf(p.job, p.attempt, p.rank, i)
		folder[name] = text
	}
	if p.files > 0 {
		p.m.world.oracle.seen["files"] += p.files
	}
}

// folder is the working folder of an attempt.
func (m *machine) folder(attempt string) work {
	if m.work[attempt] == nil {
		m.work[attempt] = work{}
	}
	return m.work[attempt]
}

// Room implements [host.Host].
func (h *virtualHost) Room(int64) error {
	if h.m.isFull() {
		return disk.ErrLow
	}
	return nil
}

// Lay implements [host.Host].
func (h *virtualHost) Lay(attempt string, all []blobs.Entry, open func(string) (io.ReadCloser, error)) error {
	for _, e := range all {
		f, err := open(e.Digest)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		if digestOf(text) != e.Digest {
			return blobs.ErrCorrupt
		}
		h.m.folder(attempt)[e.Path] = text
	}
	return nil
}

// Collect implements [host.Host]. A folder that the plan spoils is spoiled before or after.
func (h *virtualHost) Collect(_ context.Context, attempt string, wanted blobs.Wanted) (found blobs.Found) {
	folder := h.m.work[attempt]
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(folder)), func(name string) bool { return !wanted.File(name) })
	spoil := notSpoiled
	if len(names) > 0 {
		spoil, h.m.spoil = h.m.spoil, notSpoiled
	}
	if spoil != notSpoiled {
		h.m.world.oracle.spoiled[attempt] = true
	}
	for i, name := range names {
		switch {
		case i > 0 || spoil == notSpoiled:
		case spoil == unreadable:
			found.Missed = append(found.Missed, blobs.Miss{Path: name, Err: fs.ErrPermission})
			continue
		case spoil == vanishes:
			defer delete(folder, name)
		case spoil == altered:
			defer func() { folder[name] = append(bytes.Clone(folder[name]), 'x') }()
		}
		text := folder[name]
		found.Files = append(found.Files, blobs.Entry{
			Path: name, Digest: digestOf(text), Size: int64(len(text)), Mode: 0o600,
		})
	}
	return found
}

// OpenFile implements [host.Host].
func (h *virtualHost) OpenFile(attempt, name string) (io.ReadSeekCloser, error) {
	text, is := h.m.work[attempt][name]
	if !is {
		return nil, fs.ErrNotExist
	}
	return opened{bytes.NewReader(text)}, nil
}

// attemptOf is the name of an attempt, as its host has it.
func attemptOf(a *jobs.Attempt) string { return fmt.Sprintf("%v-%d", a.By, a.Epoch) }

// kept compares the outputs of a job that has succeeded, as a daemon says, with the files that the
// tasks of its last attempt have left, and with the disks of its custodians.
func (o *oracle) kept(r *jobs.Record, files int) {
	last := r.Attempts[len(r.Attempts)-1]
	attempt := attemptOf(&last)
	for rank := range r.Spec.Tasks {
		for i := range files {
			name, text := outputOf(r.ID, attempt, rank, i)
			digest := digestOf(text)
			told := rank < len(last.Ranks) && slices.ContainsFunc(last.Ranks[rank].Outputs, func(f jobs.File) bool {
				return string(f.Path) == name && f.Digest == digest
			})
			if !told {
				o.Violate("OutputsKept", "job %s has succeeded, and its record does not have %s of rank %d of attempt %s",
					r.ID, name, rank, attempt)
			} else if !o.isOnDisk(r, digest) {
				o.Violate("OutputsKept", "job %s has succeeded, and no custodian has %s of rank %d of attempt %s",
					r.ID, name, rank, attempt)
			}
		}
	}
}

// isOnDisk reports whether the disk of a custodian has a content.
func (o *oracle) isOnDisk(r *jobs.Record, digest string) bool {
	for _, a := range r.Custodians {
		if m := o.world.machines[a]; m.kept.isSound(digest) {
			return true
		}
	}
	return false
}

// read compares the input of a task that starts with that of its job.
func (o *oracle) read(p *process, input string) {
	if text := p.m.folder(p.attempt)[inputName]; digestOf(text) != input {
		o.Violate("InputsLaid", "rank %d of attempt %s of job %s starts on %v without its input",
			p.rank, p.attempt, p.job, p.life)
	}
}
