package lint

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// checkArrows holds the imports among our own packages to the table.
func checkArrows(t *Tree, h House) []Finding {
	r := &report{tree: t}
	for _, folder := range t.folders() {
		files := append(t.in(folder, false), t.in(folder, true)...)
		arrow, ok := h.arrow(folder)
		if !ok {
			r.add(files[0].Path, 1, "arrows/folder", fmt.Sprintf("folder %s has no import arrows; "+
				"add a row to Arrows in internal/lint/house.go with its permitted imports", folder))
			continue
		}
		for _, f := range files {
			for _, spec := range f.Syntax.Imports {
				target, ours := h.folderOf(spec.Path.Value)
				if ours && h.supports(target) && !f.Test && !h.supports(folder) {
					r.addAt(spec.Pos(), "arrows/support", fmt.Sprintf("%s imports %s, which is for tests; "+
						"move the import to a test, or the code to a package for both", folder, target))
				}
				if ours && !arrow.allows(target) {
					r.addAt(spec.Pos(), "arrows/import", fmt.Sprintf("%s imports %s, but %s may import %s; "+
						"move the code down, or let the upper package pass it in",
						folder, target, arrow.Folder, arrow.list()))
				}
			}
		}
	}
	return r.done()
}

// supports reports whether a package is there for tests only.
func (h House) supports(folder string) bool { return slices.Contains(h.Support, folder) }

// arrow finds the row of a folder: the longest that holds it.
func (h House) arrow(folder string) (Arrow, bool) {
	var best Arrow
	for _, a := range h.Arrows {
		if within(folder, a.Folder) && len(a.Folder) > len(best.Folder) {
			best = a
		}
	}
	return best, best.Folder != ""
}

// folderOf turns a quoted import path into a folder of the repository.
func (h House) folderOf(quoted string) (string, bool) {
	p, err := strconv.Unquote(quoted)
	if err != nil || !within(p, h.Module) {
		return "", false
	}
	return path.Clean("." + strings.TrimPrefix(p, h.Module)), true
}

// allows reports whether a folder may be imported. A row that ends in "/." allows that folder, but
// not those below it.
func (a Arrow) allows(target string) bool {
	return within(target, a.Folder) ||
		slices.ContainsFunc(a.May, func(m string) bool { return within(target, m) || m == target+"/." })
}

func (a Arrow) list() string {
	if len(a.May) == 0 {
		return "nothing of ours but itself"
	}
	return "only " + strings.Join(a.May, ", ") + " and itself"
}
