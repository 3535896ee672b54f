package grid

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// table is text in columns; the first row is the head.
type table [][]string

func (t table) write(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range t {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(out, "\t")
			}
			fmt.Fprint(out, cell)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}
