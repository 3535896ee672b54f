package central

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
)

// UnknownError says that an option has a value that does not exist.
type UnknownError struct {
	Option  string   // "policy", "choice", "passes" or "compress"
	Name    string   // the value
	Nearest []string // the names that were probably meant, the nearest first; may be empty
	Known   []string // all names
}

// Error names the value and suggests the likely one.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("run a central policy: %s %q is not known; %s",
		e.Option, e.Name, usage.Question(e.Nearest, e.Known))
}

// known returns an error unless the name is one of the known ones.
func known(option, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return &UnknownError{option, name, usage.Nearest(name, names), names}
}

// EstimateError says that a policy needs estimates and that the workload lacks some.
type EstimateError struct {
	Policy string
	Jobs   int   // number of jobs without one
	First  int   // index of the first of them
	Number int64 // its number in the log
}

// Error names the first job and the policies that need no estimates.
func (e *EstimateError) Error() string {
	var others []string
	for _, p := range policies() {
		if !p.Estimates {
			others = append(others, p.Name)
		}
	}
	return fmt.Sprintf("run policy %q: it needs an estimate of each run time, and %d jobs have none, first job %d "+
		"(number %d); set estimates, or choose one of %s", e.Policy, e.Jobs, e.First, e.Number, strings.Join(others,
		", "))
}

// PolicyError says that a policy from outside this package has failed: that it decided something
// impossible, or did not decide at all.
type PolicyError struct {
	Policy string
	Micros int64  // when, in the time of the run
	Job    int    // that it is about, or the oldest that waits; less than 0 if there is none
	What   string // its mistake, and the remedy
	Err    error  // of its [Decider], or nil
}

// Error names the policy, the time, the job and the remedy.
func (e *PolicyError) Error() string {
	return fmt.Sprintf("run policy %q: at %s %s", e.Policy, seconds(e.Micros), e.What)
}

// Unwrap returns the error of the decider.
func (e *PolicyError) Unwrap() error { return e.Err }

// seconds writes a time: "12.5 s".
func seconds(micros int64) string {
	whole, rest := micros/scheduler.Second, micros%scheduler.Second
	text := strconv.FormatInt(whole, 10)
	if rest < 0 {
		rest = -rest
		if whole == 0 {
			text = "-0"
		}
	}
	if rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%06d", rest), "0")
	}
	return text + " s"
}
