package lint

import (
	"fmt"
	"path"
	"slices"
)

// An Alias is how files name the packages of a folder of ours, if they do not use the package's own
// name: its core, model and simulation all have the name of their protocol.
type Alias struct {
	Folder string
	Suffix string // follows the last part of the path
	Whole  string // in place of both; the last part may follow where a file needs two of them
}

// checkAlias refuses a second name for a core, a model or a simulation: all files use the same one.
func checkAlias(t *Tree, h House) []Finding {
	r := &report{tree: t}
	for _, f := range t.Go {
		for _, spec := range f.Syntax.Imports {
			folder, ours := h.folderOf(spec.Path.Value)
			if !ours || spec.Name == nil || spec.Name.Name == "_" {
				continue
			}
			if may := h.aliases(folder); len(may) > 0 && !slices.Contains(may, spec.Name.Name) {
				r.addAt(spec.Pos(), "alias/name", fmt.Sprintf("%s is imported as %s; use its own name or %s",
					folder, spec.Name.Name, may[0]))
			}
		}
	}
	return r.done()
}

// aliases lists the names under which a folder may be imported beside its own; none: any.
func (h House) aliases(folder string) []string {
	var best Alias
	for _, a := range h.Aliases {
		if within(folder, a.Folder) && len(a.Folder) > len(best.Folder) {
			best = a
		}
	}
	last := path.Base(folder)
	switch {
	case best.Folder == "" || best.Folder == folder && best.Whole == "":
		return nil
	case best.Whole != "":
		return []string{best.Whole, best.Whole + last}
	default:
		return []string{last + best.Suffix}
	}
}
