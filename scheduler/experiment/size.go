package experiment

import "github.com/canvass-grid/canvass/scheduler/lab"

// SizeOf returns the size with the most cells of those whose cells all have rows; of equal ones the
// smallest. If there is none, it is the smallest size, and whole is false.
func (e *Experiment) SizeOf(rows []*lab.Row) (size string, whole bool) {
	there := map[string]bool{}
	for _, r := range rows {
		if r.Experiment == e.Name {
			there[r.Settings.String()] = true
		}
	}
	size, most := Sizes[0], 0
	for _, s := range Sizes {
		cells := e.cells(s)
		all := true
		for _, c := range cells {
			all = all && there[c.String()]
		}
		if all && len(cells) > most {
			size, most = s, len(cells)
		}
	}
	return size, most > 0
}
