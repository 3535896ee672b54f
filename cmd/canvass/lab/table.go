package lab

import "github.com/canvass-grid/canvass/internal/cli"

// table is text in columns; the first row is the head.
type table [][]string

func (t table) write(out *cli.Output) error { return out.Table(&cli.Table{Rows: t}) }
