package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is the source of a repository.
type Tree struct {
	Root  string
	Files []TextFile
	Go    []*GoFile

	fset *token.FileSet
}

// TextFile is a file that is committed, or would be by "git add".
type TextFile struct {
	Path string // slash-separated, from the root
	Text string
}

// GoFile is a Go file that the go command sees: testdata and hidden folders are left out.
type GoFile struct {
	TextFile
	Folder string
	Test   bool
	Syntax *ast.File
}

// Load reads a repository. Files that are not text are left out.
func Load(root string) (*Tree, error) {
	paths, err := list(root)
	if err != nil {
		return nil, err
	}
	tree := &Tree{Root: root, fset: token.NewFileSet()}
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
		if os.IsNotExist(err) {
			continue // deleted, but git does not know yet
		}
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			continue
		}
		file := TextFile{Path: p, Text: string(text)}
		tree.Files = append(tree.Files, file)
		if !goSees(p) {
			continue
		}
		syntax, err := parser.ParseFile(tree.fset, p, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		tree.Go = append(tree.Go, &GoFile{
			TextFile: file,
			Folder:   path.Dir(p),
			Test:     strings.HasSuffix(p, "_test.go"),
			Syntax:   syntax,
		})
	}
	return tree, nil
}

func goSees(p string) bool {
	if !strings.HasSuffix(p, ".go") {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "testdata" || part == "vendor" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return false
		}
	}
	return true
}

// list names the regular files of a checkout that git has or would add. Without git it names all
// that are not in a hidden folder or in bin.
func list(root string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
		git.Dir = root
		if out, err := git.Output(); err == nil {
			return regular(root, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")), nil
		}
	}
	var paths []string
	err := filepath.WalkDir(root, func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "bin") {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		paths = append(paths, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", root, err)
	}
	return regular(root, paths), nil
}

// regular sorts the paths and leaves out repetitions, links and missing files.
func regular(root string, paths []string) []string {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(p string) bool {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p)))
		return err != nil || !info.Mode().IsRegular()
	})
}

func (t *Tree) position(pos token.Pos) token.Position { return t.fset.Position(pos) }

// folders lists the folders that hold Go files, sorted.
func (t *Tree) folders() []string {
	var names []string
	for _, f := range t.Go {
		names = append(names, f.Folder)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// in lists the Go files of one folder, those of tests or the others.
func (t *Tree) in(folder string, test bool) []*GoFile {
	var files []*GoFile
	for _, f := range t.Go {
		if f.Folder == folder && f.Test == test {
			files = append(files, f)
		}
	}
	return files
}

// file returns the text of a file.
func (t *Tree) file(p string) (string, bool) {
	i := slices.IndexFunc(t.Files, func(f TextFile) bool { return f.Path == p })
	if i < 0 {
		return "", false
	}
	return t.Files[i].Text, true
}

// within reports whether a folder is the other or below it.
func within(folder, other string) bool {
	return folder == other || strings.HasPrefix(folder, other+"/")
}
