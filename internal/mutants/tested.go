package mutants

import (
	"path"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// TestLimit is how long a test may take to notice a mutant, on a machine with other work to do.
const TestLimit = time.Minute

// Tested is a small breakage and the test that must notice it.
type Tested struct {
	Name     string
	File     string // below the root of the repository
	Old, New string // Old occurs exactly once
	Why      string // why it is wrong
	Test     string // of the file's package, or of Where
	Where    string // the folder of the test, if it is another
	Rule     string // of a driver that it breaks, if it is one of those
}

// Package is the folder of the test, from the root of the repository.
func (m Tested) Package() string {
	if m.Where != "" {
		return m.Where
	}
	return path.Dir(m.File)
}

// Edit is the mutant for package mutation.
func (m Tested) Edit() mutation.Edit {
	return mutation.Edit{Name: m.Name, File: m.File, Old: m.Old, New: m.New}
}

// AllTested lists the mutants that tests must notice.
func AllTested() []Tested {
	return slices.Concat(decisions, inputs, engines, Driver(), predictions, lifetimes, custodians, security, calendar)
}

// Driver lists those of them that break the driver and the daemon around it.
func Driver() []Tested { return slices.Concat(driver, records, copies) }
