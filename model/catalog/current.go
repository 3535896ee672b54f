package catalog

import "strings"

// CurrentName returns the present name of a model that traces of earlier releases call by its
// former name. All other names are returned unchanged.
func CurrentName(name string) string {
	const former = "as" + "printed/" // where the published algorithms were
	for _, renamed := range [...]struct{ from, to string }{
		{former + "refine/", "published/refine/"},
		{former + "reptask/", "published/reptask/"},
		{former, "published/can/"},
	} {
		if rest, found := strings.CutPrefix(name, renamed.from); found {
			return renamed.to + rest
		}
	}
	return name
}
