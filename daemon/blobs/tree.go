package blobs

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Entry is a file of a folder.
type Entry struct {
	Path   string // with slashes
	Digest string
	Size   int64
	Mode   fs.FileMode // permissions
	Link   string      // of a symbolic link
}

// Collect lists the regular files and symbolic links of a folder that are wanted, with their
// digests, at most so many. Links are not followed, and no name leaves the folder. Other files, as
// sockets, are left out.
func Collect(folder string, wanted func(path string) bool, most int, largest int64) (all []Entry, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !wanted(name) {
			return err
		}
		if len(all) >= most {
			return fmt.Errorf("%w: more than %d files", ErrLarge, most)
		}
		e := Entry{Path: name}
		switch d.Type() {
		case fs.ModeSymlink:
			if e.Link, err = root.Readlink(name); err != nil {
				return err
			}
			e.Mode = fs.ModePerm
		case 0:
			if err := e.measure(root, largest); err != nil {
				return err
			}
		default:
			return nil
		}
		all = append(all, e)
		return nil
	})
	return all, err
}

// measure reads a file.
func (e *Entry) measure(root *os.Root, largest int64) error {
	f, err := root.Open(e.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > largest {
		return fmt.Errorf("%w: %s has more than %d bytes", ErrLarge, e.Path, largest)
	}
	sum := sha256.New()
	if e.Size, err = io.Copy(sum, f); err != nil {
		return err
	}
	e.Digest, e.Mode = hex.EncodeToString(sum.Sum(nil)), info.Mode().Perm()
	return nil
}

// Lay writes files into a folder: regular files first, with what open returns for them, then links.
// No name leaves the folder, and no link is followed out of it. It compares digests.
func Lay(folder string, all []Entry, open func(digest string) (io.ReadCloser, error)) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	sorted := slices.SortedStableFunc(slices.Values(all), func(a, b Entry) int {
		return cmp.Compare(min(1, len(a.Link)), min(1, len(b.Link)))
	})
	for _, e := range sorted {
		if dir := path.Dir(e.Path); dir != "." {
			if err := root.MkdirAll(dir, 0o700); err != nil {
				return err
			}
		}
		if e.Link != "" {
			if err := lay(root, e); err != nil {
				return err
			}
			continue
		}
		if err := e.write(root, open); err != nil {
			return fmt.Errorf("%s: %w", e.Path, err)
		}
	}
	return nil
}

// lay makes a link. One that is there and says the same stays.
func lay(root *os.Root, e Entry) error {
	err := root.Symlink(e.Link, e.Path)
	if errors.Is(err, fs.ErrExist) {
		if have, failed := root.Readlink(e.Path); failed == nil && have == e.Link {
			return nil
		}
	}
	return err
}

func (e *Entry) write(root *os.Root, open func(digest string) (io.ReadCloser, error)) error {
	from, err := open(e.Digest)
	if err != nil {
		return err
	}
	defer from.Close()
	if there, err := root.Lstat(e.Path); err == nil && !there.Mode().IsRegular() {
		return fmt.Errorf("%w, and is no file", fs.ErrExist)
	}
	// A full disk leaves no part of it under its name.
	aside := path.Join(path.Dir(e.Path), ".canvass-"+rand.Text()+".partial")
	to, err := root.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, e.Mode|0o200)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(to, sum), from)
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != e.Digest {
		err = fmt.Errorf("%w: it does not have the digest %s", ErrCorrupt, e.Digest)
	}
	if err = errors.Join(err, to.Chmod(e.Mode), to.Close()); err == nil {
		err = root.Rename(aside, e.Path)
	}
	if err != nil {
		return errors.Join(err, root.Remove(aside))
	}
	return nil
}

// ErrIrregular says that a file that is wanted has no content that could be handed in.
var ErrIrregular = errors.New("no regular file")

// Sources lists the files that a pattern of a user names below a folder, as paths with slashes. A
// link to a regular file counts as that file. Any other link that is wanted, or a socket, is an
// error: nothing that was named is left out.
func Sources(folder string, wanted func(path string) bool, most int) (names []string, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !wanted(name) {
			return err
		}
		if !d.Type().IsRegular() {
			if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() {
				return fmt.Errorf("%w: %q, nor a link to one in this folder; choose others with a pattern", ErrIrregular, name)
			}
		}
		if names = append(names, strings.TrimPrefix(name, "./")); len(names) > most {
			return fmt.Errorf("%w: more than %d files", ErrLarge, most)
		}
		return nil
	})
	return names, err
}
