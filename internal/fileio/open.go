package fileio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
)

// ErrKind says that a name stands for something that cannot be read as a file.
var ErrKind = errors.New("no regular file")

// Open opens a file, a pipe or a device for reading.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s is %w, but a socket", name, ErrKind)
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		_, err = MustBeRegular(f)
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Match returns the names below a folder that fit a pattern, as [fs.Glob] reads it, each with the
// folder before it. The folder's own name is no pattern: a user may have called it [1] or *.
func Match(folder, pattern string) ([]string, error) {
	found, err := fs.Glob(os.DirFS(folder), pattern)
	for i, name := range found {
		found[i] = filepath.Join(folder, filepath.FromSlash(name))
	}
	return found, err
}

// Sync makes the names in a folder durable.
func Sync(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Regular opens a regular file, through symbolic links too.
func Regular(name string) (*os.File, fs.FileInfo, error) {
	f, err := Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := MustBeRegular(f)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// Below opens a regular file that lies in a folder, where others put what they like: a pipe does
// not keep it, and no link is followed.
func Below(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	if info, err := root.Lstat(name); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is %w, but %s", name, ErrKind, KindOf(info.Mode()))
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have been replaced
	if err != nil {
		return nil, nil, err
	}
	info, err := MustBeRegular(f)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// MustBeRegular requires that a file that is open is a regular one.
func MustBeRegular(f *os.File) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %w, but %s", f.Name(), ErrKind, KindOf(info.Mode()))
	}
	return info, err
}

// Read reads a file, a pipe or a device to its end.
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > limit:
		return nil, fmt.Errorf("%s has more than %d bytes, the limit", name, limit)
	case len(text) == 0 && info.Mode()&fs.ModeNamedPipe != 0:
		return nil, fmt.Errorf("%s is %w, but a named pipe into which nothing was written", name, ErrKind)
	}
	return text, nil
}

// KindOf names the kind of a file with this mode.
func KindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "a device"
}

// JSON decodes a text. Its errors name the line and the field, and no types of this program.
func JSON(text []byte, value any) error { return JSONError(text, json.Unmarshal(text, value)) }

// JSONError words the error of decoding a text. Without the text it names no line.
func JSONError(text []byte, err error) error {
	kind, syntax := (*json.UnmarshalTypeError)(nil), (*json.SyntaxError)(nil)
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("%s%s is a JSON %s; want %s", lineAt(text, kind.Offset), cmp.Or(kind.Field, "it"), kind.Value,
			wanted(kind.Type))
	case errors.As(err, &syntax):
		return fmt.Errorf("%snot JSON: %w", lineAt(text, syntax.Offset), syntax)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is empty or was cut short")
	}
	return err
}

// lineAt names the line of an offset, if there is a text.
func lineAt(text []byte, offset int64) string {
	if text == nil {
		return ""
	}
	return fmt.Sprintf("line %d: ", 1+bytes.Count(text[:min(int(offset), len(text))], []byte("\n")))
}

// wanted is the kind of JSON that a type is read from.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
	default:
		return "a whole number, within its range"
	}
	return "a number, within its range"
}
