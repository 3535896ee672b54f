package fileio

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ending is how the names of temporary files end: .NAME.RANDOM.partial.
const ending = ".partial"

// randomBytes is the length of the random part in the name of a temporary file.
const randomBytes = 8

// Write replaces the contents of a file by the output of fill. It keeps the permissions of an
// existing file and follows symbolic links. A pipe, a device and the like are written to directly,
// since they must not be replaced.
func Write(path string, fill func(io.Writer) error) error { return write(path, 0o666, fill) }

// write does that. The mode is that of a new file, before the mask of the process.
func write(path string, mode fs.FileMode, fill func(io.Writer) error) error {
	about, err := os.Stat(path)
	switch {
	case err == nil && !about.Mode().IsRegular():
		return named(path, direct(path, fill))
	case err == nil:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	Sweep(path)
	file, err := create(path, mode)
	if err != nil {
		return named(path, err)
	}
	err = fill(file)
	if err == nil && about != nil {
		err = file.Chmod(about.Mode().Perm())
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil { // still locked, lest another process removes it as stale
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return named(path, errors.Join(err, file.Close()))
}

// WriteText replaces the contents of a file by a text.
func WriteText(path string, text []byte) error { return Write(path, filling(text)) }

// WritePrivate is like [Text]. Others than the user cannot read a new file.
func WritePrivate(path string, text []byte) error { return write(path, 0o600, filling(text)) }

func filling(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// WriteIn replaces the contents of a file by the output of fill. It creates the folder of the file
// if that is missing.
func WriteIn(path string, fill func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return Write(path, fill)
}

// Probe finds out whether the file can be written, without changing it.
func Probe(path string) error {
	if about, err := os.Stat(path); err == nil && !about.Mode().IsRegular() {
		return named(path, direct(path, func(io.Writer) error { return nil }))
	}
	file, err := create(path, 0o666)
	if err != nil {
		return named(path, err)
	}
	_, err = file.WriteString("probe\n") // a full disk makes files, and takes no bytes
	return named(path, errors.Join(err, os.Remove(file.Name()), file.Close()))
}

// Sweep removes the temporary files that dead processes left when they wrote the file. It removes
// nothing on systems without locks.
func Sweep(path string) {
	folder := filepath.Dir(path)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type().IsRegular() && isTemporary(e.Name(), filepath.Base(path)) {
			removeStale(filepath.Join(folder, e.Name()))
		}
	}
}

// isTemporary reports whether a name is that of a temporary file of the file base.
func isTemporary(name, base string) bool {
	random, ok := strings.CutPrefix(name, "."+base+".")
	if !ok {
		return false
	}
	random, ok = strings.CutSuffix(random, ending)
	b, err := hex.DecodeString(random)
	return ok && err == nil && len(b) == randomBytes && hex.EncodeToString(b) == random
}

// removeStale removes a temporary file unless a process holds its lock.
func removeStale(name string) {
	file, err := os.Open(name)
	if err != nil {
		return
	}
	defer file.Close()
	if lock(file) == nil && is(file, name) {
		_ = os.Remove(name)
	}
}

// create makes a temporary file and locks it. Another process may remove the file before it is
// locked; then there is another try.
func create(path string, mode fs.FileMode) (*os.File, error) {
	for {
		random := make([]byte, randomBytes)
		_, _ = rand.Read(random) // never fails
		name := "." + filepath.Base(path) + "." + hex.EncodeToString(random) + ending
		file, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return nil, err
		}
		if err := lock(file); !errors.Is(err, errLocked) && is(file, file.Name()) {
			return file, nil
		}
		_ = file.Close()
	}
}

// is reports whether a name is still that of an open file.
func is(file *os.File, name string) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(name)
	return err == nil && os.SameFile(open, now)
}

// direct writes to a pipe, a device or the like, which cannot be replaced.
func direct(path string, fill func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(fill(file), file.Close())
}

// named makes an error name the file instead of the temporary one.
func named(path string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		return &fs.PathError{Op: "write", Path: path, Err: file.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: path, Err: link.Err}
	}
	return err
}
