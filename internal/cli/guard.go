package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Guard records the inputs and outputs of a command. It may be used by several goroutines at once.
// A nil one allows everything.
type Guard struct {
	lock  sync.Mutex
	files []file
}

// file is a file, or all files of a folder whose names match a pattern.
type file struct {
	name     string // for errors: "--out c.svg"
	path     string // resolved; "" for a stream
	pattern  string // "" for one file
	about    fs.FileInfo
	written  bool
	streamed bool
}

// Reads names an input. The name is for errors, which add the path.
func (g *Guard) Reads(name, path string) error { return g.path(name, path, "", false) }

// Writes names an output. An empty path means that there is no output.
func (g *Guard) Writes(name, path string) error { return g.path(name, path, "", true) }

// Fills names a folder in which files are written. Their names match the pattern of
// [filepath.Match].
func (g *Guard) Fills(name, folder, pattern string) error { return g.path(name, folder, pattern, true) }

// NewGuard returns a guard that knows standard output and standard error. They may be one file, but
// nothing else may be written there.
func NewGuard(stdout, stderr io.Writer) *Guard {
	g := &Guard{}
	_ = g.stream("standard output", stdout, true) // the first two meet nothing
	_ = g.stream("standard error", stderr, true)
	return g
}

// Stdin names standard input, for a command that reads it.
func (g *Guard) Stdin(in io.Reader) error { return g.stream("standard input", in, false) }

func (g *Guard) stream(name string, s any, written bool) error {
	open, ok := s.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil
	}
	about, err := open.Stat()
	if err != nil || !about.Mode().IsRegular() {
		return nil // nothing there can be lost
	}
	return g.add(file{name: name, about: about, written: written, streamed: true})
}

func (g *Guard) path(name, path, pattern string, written bool) error {
	if g == nil || path == "" {
		return nil
	}
	f := file{name: join(name, path), path: resolved(path), pattern: pattern, written: written}
	f.about, _ = os.Stat(path) // nil if nothing is there
	if f.about != nil && !f.about.Mode().IsRegular() && !f.about.IsDir() {
		return nil
	}
	return g.add(f)
}

func join(name, path string) string {
	if name == "" {
		return path
	}
	return name + " " + path
}

func (g *Guard) add(f file) error {
	if g == nil {
		return nil
	}
	g.lock.Lock()
	defer g.lock.Unlock()
	for _, other := range g.files {
		if !f.written && !other.written || f.streamed && other.streamed && f.written == other.written {
			continue
		}
		if meet(&f, &other) || meet(&other, &f) {
			return clash(&f, &other)
		}
	}
	g.files = append(g.files, f)
	return nil
}

// clash puts the output first, which is what to change.
func clash(f, other *file) error {
	if !f.written {
		f, other = other, f
	}
	text := fmt.Sprintf("%s is the same file as %s", f.name, other.name)
	switch {
	case f.pattern != "":
		text = fmt.Sprintf("%s is a folder where a file would take the place of %s", f.name, other.name)
	case other.pattern != "":
		text = fmt.Sprintf("%s is among the files of %s", f.name, other.name)
	}
	if other.written {
		return usage.Errorf("%s, which is written too; choose another one", text)
	}
	return usage.Errorf("%s, which is read; choose another output", text)
}

// meet reports whether writing the first may touch the second.
func meet(f, other *file) bool {
	if f.pattern == "" {
		return other.pattern == "" && same(f, other)
	}
	if other.pattern != "" {
		return false // two folders of one command have files of different endings
	}
	if matches(f.pattern, filepath.Base(other.path)) && filepath.Dir(other.path) == f.path {
		return true
	}
	return f.about != nil && other.about != nil && f.has(other.about)
}

// has reports whether a file of the folder is this one, under any link.
func (f *file) has(about fs.FileInfo) bool {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if !matches(f.pattern, e.Name()) {
			continue
		}
		if here, err := os.Stat(filepath.Join(f.path, e.Name())); err == nil && os.SameFile(here, about) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	ok, err := filepath.Match(pattern, name)
	return ok && err == nil
}

func same(f, other *file) bool {
	if f.about != nil && other.about != nil {
		return os.SameFile(f.about, other.about)
	}
	return f.path != "" && f.path == other.path
}

// mostLinks bounds how many symbolic links lead from one to the next.
const mostLinks = 40

// resolved is the absolute path without symbolic links, also of a file that is not there yet.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	for range mostLinks {
		if whole, err := filepath.EvalSymlinks(path); err == nil {
			return whole
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	if above := filepath.Dir(path); above != path {
		return filepath.Join(resolved(above), filepath.Base(path))
	}
	return path
}
