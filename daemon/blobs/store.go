package blobs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	// ErrLost says that a content is not there.
	ErrLost = errors.New("the content is lost")

	// ErrCorrupt says that a content does not match its digest.
	ErrCorrupt = errors.New("the content is damaged")

	// ErrUnwritten says that the disk does not take a content.
	ErrUnwritten = errors.New("the disk does not take the content")

	// ErrLarge says that a content has more bytes than are taken.
	ErrLarge = errors.New("the content is too large")
)

// Store is a folder of contents.
type Store struct {
	folder string
}

// Open opens a folder, which is created if missing.
func Open(folder string) (*Store, error) {
	half := filepath.Join(folder, "half")
	if err := os.RemoveAll(half); err != nil {
		return nil, fmt.Errorf("opening the contents in %s: %w", folder, err)
	}
	if err := os.MkdirAll(half, 0o700); err != nil {
		return nil, fmt.Errorf("opening the contents in %s: %w", folder, err)
	}
	return &Store{folder}, nil
}

// IsDigest reports that a text is a digest as it is written here: 64 hexadecimal digits.
func IsDigest(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && text == strings.ToLower(text)
}

// name returns the file of a content. A malformed digest gets a file that never exists: names come
// from other nodes, and must lead nowhere else.
func (s *Store) name(digest string) string {
	if !IsDigest(digest) {
		return filepath.Join(s.folder, nowhere)
	}
	return filepath.Join(s.folder, digest[:2], digest[2:])
}

// nowhere is the name of no file: a folder is not made with it.
const nowhere = "none/none"

// Put stores the contents of a reader, at most limit bytes. If want is given, the digest must be
// that.
func (s *Store) Put(r io.Reader, want string, limit int64) (digest string, size int64, err error) {
	f, err := os.CreateTemp(filepath.Join(s.folder, "half"), "")
	if err != nil {
		return "", 0, unwritten(err)
	}
	defer os.Remove(f.Name()) // it has another name by then, if all went well
	sum := sha256.New()
	size, err = io.Copy(io.MultiWriter(writer{f}, sum), io.LimitReader(r, limit+1))
	if err == nil && size > limit {
		err = fmt.Errorf("%w: more than %d bytes", ErrLarge, limit)
	}
	if err == nil {
		err = unwritten(f.Sync())
	}
	if err = errors.Join(err, unwritten(f.Close())); err != nil {
		return "", 0, fmt.Errorf("keeping a content: %w", err)
	}
	digest = hex.EncodeToString(sum.Sum(nil))
	if want != "" && digest != want {
		return "", 0, fmt.Errorf("%w: its digest is %s, and not %s", ErrCorrupt, digest, want)
	}
	return digest, size, unwritten(s.rename(f.Name(), digest))
}

// writer marks errors of writing, so that they are not taken for those of the source.
type writer struct{ *os.File }

// Write writes to the file.
func (w writer) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	return n, unwritten(err)
}

func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnwritten, err)
}

// rename gives a written file its name, durably.
func (s *Store) rename(from, digest string) error {
	name := s.name(digest)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if err := os.Rename(from, name); err != nil {
		return err
	}
	for _, folder := range []string{filepath.Dir(name), s.folder} {
		d, err := os.Open(folder)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Has reports whether a content is there.
func (s *Store) Has(digest string) bool {
	_, err := os.Stat(s.name(digest))
	return err == nil
}

// Open opens a content for reading.
func (s *Store) Open(digest string) (io.ReadSeekCloser, error) {
	f, err := os.Open(s.name(digest))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrLost, digest)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Sound opens a content for reading whose digest it has compared. A damaged content is removed: the
// error is ErrCorrupt then, and ErrLost the next time.
func (s *Store) Sound(digest string) (io.ReadSeekCloser, error) {
	f, err := s.Open(digest)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	if got := hex.EncodeToString(sum.Sum(nil)); err == nil && got != digest {
		err = errors.Join(fmt.Errorf("%w: its digest is %s, and not %s", ErrCorrupt, got, digest), os.Remove(s.name(digest)))
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// IsSound reports whether a content is there and undamaged. A damaged content is removed.
func (s *Store) IsSound(digest string) bool {
	f, err := s.Sound(digest)
	return err == nil && f.Close() == nil
}

// Sweep removes contents that are not wanted and older than some time. Young ones may belong to a
// job that is being submitted.
func (s *Store) Sweep(wanted func(digest string) bool, before time.Time) (removed int, err error) {
	err = s.each(func(digest string, info fs.FileInfo) error {
		if wanted(digest) || info.ModTime().After(before) {
			return nil
		}
		removed++
		return os.Remove(s.name(digest))
	})
	return removed, err
}

// Shrink removes contents, the oldest first, until the rest has at most the given number of bytes.
func (s *Store) Shrink(most int64) error {
	type content struct {
		digest string
		info   fs.FileInfo
	}
	var all []content
	total := int64(0)
	err := s.each(func(digest string, info fs.FileInfo) error {
		all = append(all, content{digest, info})
		total += info.Size()
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b content) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	for _, c := range all {
		if total <= most {
			break
		}
		if err := os.Remove(s.name(c.digest)); err != nil {
			return err
		}
		total -= c.info.Size()
	}
	return nil
}

// each calls a function with each content.
func (s *Store) each(f func(digest string, info fs.FileInfo) error) error {
	folders, err := os.ReadDir(s.folder)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if len(folder.Name()) != 2 {
			continue
		}
		files, err := os.ReadDir(filepath.Join(s.folder, folder.Name()))
		if err != nil {
			return err
		}
		for _, file := range files {
			if !IsDigest(folder.Name() + file.Name()) {
				continue // nothing of the store's
			}
			info, err := file.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if err := f(folder.Name()+file.Name(), info); err != nil {
				return err
			}
		}
	}
	return nil
}
