package platform

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/usage"
)

// UnknownError says that no platform has a name.
type UnknownError struct {
	Name    string   // as it was given, without settings
	Nearest []string // the names that were probably meant, the nearest first; may be empty
}

// Error names the platform and suggests the likely one.
func (e *UnknownError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("there is no platform %q; %s, or name a file that ends in .json",
			e.Name, usage.Question(nil, names()))
	}
	return fmt.Sprintf("there is no platform %q; %s", e.Name, usage.Question(e.Nearest, nil))
}

// InvalidError describes an error in a setting or in a field of a file.
type InvalidError struct {
	Where   string // "pool:0", or a file and the path in it: "p.json: clusters[2].nodes"
	Problem string // actual and wanted value: "0, want at least 1"
}

// Error is the place and the problem.
func (e *InvalidError) Error() string { return e.Where + ": " + e.Problem }
