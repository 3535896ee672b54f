package traces

import (
	"fmt"
	"io"
	"strings"
)

// WriteDOT draws the happened-before relation of a run, as a graph for Graphviz: a column of events
// for each node, an arrow from the event that sent a message to its delivery or drop. Two events
// without a path between them could have happened in the other order. The arrow of an undelivered
// message ends nowhere.
func WriteDOT(w io.Writer, t *Trace) error {
	var b strings.Builder
	h := &t.Header
	fmt.Fprintf(&b, "digraph run {\n  label=%s;\n", quoted(h.Claim(len(t.Steps)-1)))
	b.WriteString("  rankdir=TB; node [shape=box, fontname=\"sans-serif\"];\n")
	columns, order := t.columns()
	for k, host := range order {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s;\n", k, quoted(host))
		for _, i := range columns[host] {
			if i == 0 {
				fmt.Fprintf(&b, "    h%d [label=%s, shape=plaintext];\n", k, quoted(Init))
				continue
			}
			fmt.Fprintf(
				&b,
				"    e%d [label=%s];\n",
				i,
				quoted(fmt.Sprintf("%d %s", i, clip(t.Steps[i].Action.String(), dotChars))),
			)
		}
		b.WriteString("  }\n")
	}
	name := map[string]string{}
	for k, host := range order {
		name[host] = fmt.Sprintf("h%d", k)
		at := columns[host]
		for j := 1; j < len(at); j++ {
			from := name[host]
			if at[j-1] > 0 {
				from = fmt.Sprintf("e%d", at[j-1])
			}
			fmt.Fprintf(&b, "  %s -> e%d [style=bold, arrowhead=none];\n", from, at[j])
		}
	}
	for k, f := range t.flights() {
		from, style := name[f.from], "solid"
		if f.sent > 0 {
			from = fmt.Sprintf("e%d", f.sent)
		}
		if f.got < 0 {
			fmt.Fprintf(
				&b,
				"  f%d [label=%s, shape=plaintext];\n  %s -> f%d [style=dotted];\n",
				k,
				quoted(clip(fmt.Sprintf("%s→%s %s, not delivered", f.from, f.to, f.text), dotChars)),
				from,
				k,
			)
			continue
		}
		if f.how != "deliver" {
			style = "dashed"
		}
		fmt.Fprintf(&b, "  %s -> e%d [style=%s];\n", from, f.got, style)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotChars is how many characters an event has at most. It includes the text of the message, so
// that arrows need none.
const dotChars = 40

// columns lists for each host the steps that happened there, the initial state first, and the hosts
// in order.
func (t *Trace) columns() (columns map[string][]int, order []string) {
	columns = map[string][]int{}
	for _, host := range t.hosts() {
		columns[host], order = []int{0}, append(order, host)
	}
	for i := 1; i < len(t.Steps); i++ {
		host := t.Steps[i].Action.host()
		if columns[host] == nil {
			columns[host], order = []int{0}, append(order, host)
		}
		columns[host] = append(columns[host], i)
	}
	return columns, order
}

// quoted writes a string of DOT, in which a backslash starts an escape.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
