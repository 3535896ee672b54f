package blobs

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// Entry is a file of a folder.
type Entry struct {
	Path   string // with slashes
	Digest string
	Size   int64
	Mode   fs.FileMode // permissions
	Link   string      // of a symbolic link
}

// Found lists the wanted files that are in a folder.
type Found struct {
	Files  []Entry
	Missed []Miss   // that cannot be read, or are too many or too large
	Others []string // that are neither regular files nor links, as sockets: they have no content
}

// Miss is a wanted file that was not found, with the reason. The path of a folder ends with a
// slash.
type Miss struct {
	Path string
	Err  error
}

// Wanted chooses files of a folder.
type Wanted struct {
	File    func(path string) bool
	Below   func(path string) bool // whether a file below this folder may be wanted
	Most    int                    // files
	Largest int64                  // bytes of one
}

// The bounds of a walk. Deeper files are missed, and so is everything after this number of files
// and folders.
const (
	depthLimit = 100
	walkLimit  = 2_000_000
)

// errWalk says that there is more than a walk looks at.
var errWalk = fmt.Errorf("%w: more than %d files and folders", ErrLarge, walkLimit)

// OpenFolder opens a folder that a program of other people could have replaced by a link: it is not
// followed out of the folder above, which they cannot replace.
func OpenFolder(name string) (*os.Root, error) {
	above, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	root, err := above.OpenRoot(filepath.Base(name))
	return root, errors.Join(err, above.Close())
}

// Collect lists the regular files and symbolic links of a folder that are wanted, with their
// digests. Links are not followed, and no name leaves the folder. A file that cannot be taken keeps
// no other one from being taken. A folder that is not there has no files.
// The end of the context ends the walk.
func Collect(ctx context.Context, folder string, wanted Wanted) (found Found) {
	root, err := OpenFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return found
	}
	if err != nil {
		return Found{Missed: []Miss{{"./", bare(err)}}}
	}
	defer root.Close()
	miss := func(name string, err error) { found.Missed = append(found.Missed, Miss{name, bare(err)}) }
	seen := 0
	_ = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case ctx.Err() != nil:
			miss("./", ctx.Err())
			return fs.SkipAll
		case seen > walkLimit:
			miss("./", errWalk)
			return fs.SkipAll
		case err == nil && d.IsDir() && name != "." && !wanted.Below(name):
			return fs.SkipDir
		case err == nil && d.IsDir() && strings.Count(name, "/") >= depthLimit:
			miss(name+"/", fmt.Errorf("%w: deeper than %d folders", ErrLarge, depthLimit))
			return fs.SkipDir
		case err != nil && (wanted.File(name) || wanted.Below(name)):
			miss(name+"/", err)
		case err != nil || d.IsDir() || !wanted.File(name):
		case len(found.Files) >= wanted.Most:
			miss(name, fmt.Errorf("%w: more than %d files", ErrLarge, wanted.Most))
		case !d.Type().IsRegular() && d.Type() != fs.ModeSymlink:
			found.Others = append(found.Others, name)
		default:
			e := Entry{Path: name}
			if err := e.read(ctx, root, d.Type(), wanted.Largest); err != nil {
				miss(name, err)
				return nil
			}
			found.Files = append(found.Files, e)
		}
		return nil // the walk goes on beside it
	})
	return found
}

// bare is an error without the name of the file, which is said elsewhere.
func bare(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// read reads a link or a file.
func (e *Entry) read(ctx context.Context, root *os.Root, kind fs.FileMode, largest int64) (err error) {
	if kind == fs.ModeSymlink {
		e.Mode = fs.ModePerm
		e.Link, err = root.Readlink(e.Path)
		return err
	}
	return e.measure(ctx, root, largest)
}

// measure reads a file.
func (e *Entry) measure(ctx context.Context, root *os.Root, largest int64) error {
	f, info, err := fileio.Below(root, e.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if info.Size() > largest {
		return fmt.Errorf("%w: more than %d bytes", ErrLarge, largest)
	}
	sum := sha256.New()
	if e.Size, err = io.Copy(sum, io.LimitReader(whileWanted{ctx, f}, largest)); err != nil {
		return err
	}
	e.Digest, e.Mode = hex.EncodeToString(sum.Sum(nil)), info.Mode().Perm()
	return nil
}

// whileWanted reads until the context ends.
type whileWanted struct {
	context.Context
	from io.Reader
}

// Read reads.
func (r whileWanted) Read(p []byte) (int, error) {
	if err := r.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// Lay writes files into a folder: regular files first, with the contents that open returns, then
// links. No name leaves the folder, and no link is followed out of it. It compares digests. A file
// that cannot be written keeps no other one from being written. Laid, which may be nil, is called
// for each written file; its error ends Lay.
func Lay(
	folder string, all []Entry, open func(digest string) (io.ReadCloser, error), laid func(Entry) error,
) error {
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
	failures := 0
	for _, e := range sorted {
		if failed := e.lay(root, open); failed != nil {
			if failures++; failures <= failuresShown {
				err = errors.Join(err, fmt.Errorf("%q: %w", e.Path, failed))
			}
		} else if laid != nil {
			if failed := laid(e); failed != nil {
				return errors.Join(failed, err)
			}
		}
	}
	if more := failures - failuresShown; more > 0 {
		err = errors.Join(err, fmt.Errorf("and %d more files", more))
	}
	return err
}

// failuresShown is how many files an error names.
const failuresShown = 3

// lay writes a file or a link.
func (e *Entry) lay(root *os.Root, open func(digest string) (io.ReadCloser, error)) error {
	if dir := path.Dir(e.Path); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if e.Link != "" {
		return link(root, *e)
	}
	return e.write(root, open)
}

// link makes a link. An equal existing link stays.
func link(root *os.Root, e Entry) error {
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

// ErrIrregular says that a wanted file has no content that could be submitted.
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
