package lint

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// limits is the table of the sizes above the limits of the house today. Each line has a name, a
// size, and after "#" the reason why it is not cured:
//
//	checker/long.go 612  # the reason
//	checker/long.go engine.run 81  # the reason
//	methods daemon/node Node 348  # the reason
//	fields daemon/node Node 73  # the reason
//	files model 45  # the reason
//
//go:embed limits.txt
var limits string

type exception struct {
	name   string
	size   int
	reason string
}

func (e exception) String() string {
	if e.reason == "" {
		return fmt.Sprintf("%s %d\n", e.name, e.size)
	}
	return fmt.Sprintf("%s %d  # %s\n", e.name, e.size, e.reason)
}

type exceptionList []exception

// exceptions reads a table. It panics at a line that it cannot read, since the table is part of the
// program.
func exceptions(text string) exceptionList {
	var list exceptionList
	for line := range strings.Lines(text) {
		entry, reason, _ := strings.Cut(line, "#")
		entry = strings.TrimSpace(entry)
		i := strings.LastIndexByte(entry, ' ')
		size, err := strconv.Atoi(entry[i+1:])
		if err != nil || i < 0 {
			panic(fmt.Sprintf("%s: %q is no name and size", limitsPath, line))
		}
		list = append(list, exception{entry[:i], size, strings.TrimSpace(reason)})
	}
	return list
}

// sizes returns the size of each name. If a name stands twice, as after a merge of two
// changes that lowered it, the smaller size counts.
func (list exceptionList) sizes() map[string]int {
	known := map[string]int{}
	for _, e := range list {
		if size, twice := known[e.name]; !twice || e.size < size {
			known[e.name] = e.size
		}
	}
	return known
}

// unexplained returns the exceptions without a reason.
func (list exceptionList) unexplained() (rest exceptionList) {
	for _, e := range list {
		if e.reason == "" {
			rest = append(rest, e)
		}
	}
	return rest
}

// shrunk returns the table with the sizes of today: no size grows, and sizes within the limits are
// left out.
func (list exceptionList) shrunk(r *ratchet) exceptionList {
	var rest exceptionList
	for _, e := range list {
		size, there := r.sizes[e.name]
		twice := slices.ContainsFunc(rest, func(f exception) bool { return f.name == e.name })
		if there && !twice && !r.small[e.name] {
			e.size = min(size, r.known[e.name])
			rest = append(rest, e)
		}
	}
	slices.SortFunc(rest, func(a, b exception) int { return strings.Compare(a.name, b.name) })
	return rest
}

func (list exceptionList) String() string {
	var text strings.Builder
	for _, e := range list {
		text.WriteString(e.String())
	}
	return text.String()
}
