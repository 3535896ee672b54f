package lint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// edgePattern is an arrow of a Mermaid flowchart between two plain names.
var edgePattern = regexp.MustCompile(`^\s*(\w+) --> (\w+)\s*$`)

// checkDiagram demands that the diagram in ARCHITECTURE.md shows the imports between the folders at
// the top, those of tests left out. An arrow that follows from two others is not drawn.
func checkDiagram(t *Tree, h House) []Finding {
	r := &report{tree: t}
	const file = "ARCHITECTURE.md"
	text, ok := t.file(file)
	if !ok {
		return nil
	}
	drawn, line := map[string]int{}, 0
	for s := range strings.SplitSeq(text, "\n") {
		line++
		if m := edgePattern.FindStringSubmatch(s); m != nil {
			drawn[m[1]+" --> "+m[2]] = line
		}
	}
	there := reduced(topImports(t, h))
	for _, edge := range slices.Sorted(maps.Keys(drawn)) {
		if !there[edge] {
			r.add(file, drawn[edge], "diagram/arrow", fmt.Sprintf("%s is drawn, but no import is like that, "+
				"or it follows from other arrows; remove it", edge))
		}
	}
	for _, edge := range slices.Sorted(maps.Keys(there)) {
		if drawn[edge] == 0 {
			r.add(file, 1, "diagram/arrow", fmt.Sprintf("%s is imported, but not drawn; add the arrow", edge))
		}
	}
	return r.done()
}

// topImports maps each top-level folder to the folders that it imports. Folders below internal
// serve the repository itself and are not drawn.
func topImports(t *Tree, h House) map[string]map[string]bool {
	imports := map[string]map[string]bool{}
	for _, f := range t.Go {
		from := top(f.Folder)
		if f.Test || from == "internal" {
			continue
		}
		for _, spec := range f.Syntax.Imports {
			folder, ours := h.folderOf(spec.Path.Value)
			to := top(folder)
			if !ours || to == from || to == "internal" {
				continue
			}
			if imports[from] == nil {
				imports[from] = map[string]bool{}
			}
			imports[from][to] = true
		}
	}
	return imports
}

// top is the folder at the top that holds another.
func top(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first
}

// reduced lists the imports that do not follow from others. Folders may import each other in a
// circle: another rule refuses that.
func reduced(imports map[string]map[string]bool) map[string]bool {
	reaches := func(from, to string) bool {
		seen := map[string]bool{from: true}
		for todo := []string{from}; len(todo) > 0; {
			next := todo[0]
			todo = todo[1:]
			for folder := range imports[next] {
				if folder == to {
					return true
				}
				if !seen[folder] {
					seen[folder] = true
					todo = append(todo, folder)
				}
			}
		}
		return false
	}
	edges := map[string]bool{}
	for from, targets := range imports {
		for to := range targets {
			follows := false
			for via := range targets {
				follows = follows || via != to && reaches(via, to)
			}
			if !follows {
				edges[from+" --> "+to] = true
			}
		}
	}
	return edges
}
