package catalog

import (
	"slices"
	"strings"
)

// CurrentName returns the present name of a model that traces of earlier releases call by its
// former name. All other names are returned unchanged.
func CurrentName(name string) string {
	const former = "as" + "printed/" // where the published algorithms were
	for _, renamed := range [...]struct{ from, to string }{
		{former + "refine/", "published/refine/"},
		{former + "reptask/", "published/reptask/"},
	} {
		if rest, found := strings.CutPrefix(name, renamed.from); found {
			return renamed.to + rest
		}
	}
	if rest, found := strings.CutPrefix(name, former); found {
		return withoutFixed(rest, "current")
	}
	rest, found := strings.CutPrefix(name, "published/can/")
	if _, ending, _ := strings.Cut(name, "@"); !found || !slices.Contains(strings.Split(ending, "+"), fixed) {
		return name
	}
	return withoutFixed(rest, "")
}

// fixed is a reading that every published CAN has by now, except cores with the contrary.
const fixed = "fixed"

// withoutFixed returns the name of a published CAN without that reading, or with the contrary if it
// had not got it. A pattern of names keeps its ending.
func withoutFixed(scenario, contrary string) string {
	base, ending, _ := strings.Cut(scenario, "@")
	parts := strings.FieldsFunc(ending, func(r rune) bool { return r == '+' })
	switch i := slices.Index(parts, fixed); {
	case i >= 0:
		parts = slices.Delete(parts, i, i+1)
	case contrary != "" && !strings.ContainsAny(scenario, "*?"):
		parts = append([]string{contrary}, parts...)
	}
	if len(parts) == 0 {
		return "published/can/" + base
	}
	return "published/can/" + base + "@" + strings.Join(parts, "+")
}
