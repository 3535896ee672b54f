package lab

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// read is a setting in JSON.
type read struct {
	Name      string `json:"setting"`
	Default   string `json:"default"`
	Meaning   string `json:"meaning"`
	Published string `json:"as_published,omitempty"` // of settings that the dissertation is about
	Section   string `json:"section,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// listReadings lists the settings of a cell: those that the dissertation is about, and the others.
func listReadings(out *cli.Output) error {
	var all []read
	of := [][]string{{"setting", "default", "as published", "section", "reason for the default"}}
	others := [][]string{{"setting", "default", "meaning"}}
	for _, s := range lab.Settings() {
		r := read{Name: s.Name, Default: s.Default, Meaning: s.Doc}
		if s.Reading == nil {
			others = append(others, []string{s.Name, s.Default, s.Doc})
		} else {
			r.Published, r.Section, r.Reason = s.Reading.Published, s.Reading.Section, s.Reading.Reason
			of = append(of, []string{r.Name, r.Default, r.Published, r.Section, r.Reason})
		}
		all = append(all, r)
	}
	return cli.PrintAll(out, all, func() error {
		fmt.Fprintln(out, "Settings that Jackson (2015) states, or leaves open; --help has their values.")
		if err := out.Table(&cli.Table{Rows: of}); err != nil {
			return err
		}
		fmt.Fprintln(out, "\nOther settings:")
		return out.Table(&cli.Table{Rows: others})
	})
}
