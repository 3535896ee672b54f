package template

import (
	"embed"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed all:_module
var files embed.FS

const (
	root   = "_module"
	suffix = ".txt" // of a file that the go command would read as its own
)

// ErrModule is wrapped by the error about a module path from which no package name follows.
var ErrModule = errors.New("impossible module path")

// Write writes the module into a folder, which it makes. It refuses a folder that is not empty.
func Write(dir, module string) error {
	name, err := PackageName(module)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write module %s: %w", module, err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("write module %s: the folder %s is not empty; choose another one, or remove it", module, dir)
	}
	rename := strings.NewReplacer(
		"module example.com/payments", "module "+module,
		"ackage payments", "ackage "+name,
		"# payments", "# "+name,
		`Name: "payments"`, fmt.Sprintf("Name: %q", name),
	)
	// A disk that is full leaves no half of a module.
	if err = os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("write module %s: %w", module, err)
	}
	aside, err := os.MkdirTemp(filepath.Dir(dir), ".new-*")
	if err != nil {
		return fmt.Errorf("write module %s: %w", module, err)
	}
	if err = write(aside, rename); err == nil {
		err = os.Chmod(aside, 0o755)
	}
	if err == nil {
		_ = os.Remove(dir) // an empty one
		err = os.Rename(aside, dir)
	}
	if err != nil {
		return fmt.Errorf("write module %s: %w", module, errors.Join(err, os.RemoveAll(aside)))
	}
	return nil
}

// write writes the files of the module into a folder.
func write(dir string, rename *strings.Replacer) error {
	return fs.WalkDir(files, root, func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(p, root), suffix)))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := files.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(rename.Replace(string(text))), 0o644)
	})
}

var (
	modulePath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._~-]*(/[A-Za-z0-9_][A-Za-z0-9._~-]*)*$`)
	version    = regexp.MustCompile(`/v[0-9]+$`)
)

// PackageName returns the name of the package at the root of a module: the last element of the
// path that is not a version, without what no identifier may contain.
func PackageName(module string) (string, error) {
	name := strings.ToLower(path.Base(version.ReplaceAllString(module, "")))
	name = strings.NewReplacer("-", "", ".", "", "~", "").Replace(name)
	if !modulePath.MatchString(module) || !token.IsIdentifier(name) || name == "main" {
		return "", fmt.Errorf(
			"%w %q: use one such as example.com/mutex, whose last element can name a package",
			ErrModule,
			module,
		)
	}
	return name, nil
}
