package swf

import (
	"fmt"
	"strings"
)

// Options say how a log is cleaned. The zero value is the usual way: "swf", "drop", "drop",
// "kill", "requested", "ran", "cpu".
type Options struct {
	// Format is that of the log: "swf", "gwf" or "sacct", as [Formats] lists them.
	Format string

	// ZeroRun is the treatment of jobs whose run time is zero or unknown: "drop", "one-second", or
	// "keep" with a run time of zero.
	ZeroRun string

	// NoProcessors is the treatment of jobs with neither requested nor allocated processors: "drop",
	// or "one" processor.
	NoProcessors string

	// Overrun is the treatment of run times above the requested time: "kill" ends them there, "keep"
	// keeps them, and "exchange" takes each time for the other, as pyss does.
	Overrun string

	// Size is where a job's size comes from: "requested" is field 8, else field 5; "allocated" is
	// field 5, else field 8.
	Size string

	// Status chooses jobs by field 11: "ran" drops only the parts of jobs that were swapped out
	// (status 2, 3 and 4); "completed" keeps only status 1; "any" keeps all lines.
	Status string

	// Unit is the unit of sizes: "cpu", or "node" for groups of ProcessorsPerNode processors. The
	// format "sacct" states nodes itself.
	Unit string

	// ProcessorsPerNode is for Unit "node". If it is 0, the header decides: MaxProcs over MaxNodes.
	ProcessorsPerNode int

	// Round rounds times of more than six decimals to whole microseconds.
	Round bool

	// SkipBad counts and skips lines that the format does not allow.
	SkipBad bool
}

// Verbatim returns options that keep each job as the log has it. Jobs without a submit time or
// without processors are still dropped, since no workload can hold them.
func Verbatim() Options {
	return Options{ZeroRun: "keep", Overrun: "keep", Status: "any"}
}

// resolved fills in the defaults, or says which option has a value that is not allowed.
func (o Options) resolved() (Options, error) {
	for _, c := range []struct {
		flag    string
		value   *string
		allowed []string // the first is the default
	}{
		{"format", &o.Format, []string{"swf", "gwf", "sacct"}},
		{"zero-run", &o.ZeroRun, []string{"drop", "one-second", "keep"}},
		{"no-processors", &o.NoProcessors, []string{"drop", "one"}},
		{"overrun", &o.Overrun, []string{"kill", "keep", "exchange"}},
		{"size", &o.Size, []string{"requested", "allocated"}},
		{"status", &o.Status, []string{"ran", "completed", "any"}},
		{"unit", &o.Unit, []string{"cpu", "node"}},
	} {
		if *c.value == "" {
			*c.value = c.allowed[0]
		}
		found := false
		for _, a := range c.allowed {
			found = found || *c.value == a
		}
		if !found {
			return o, fmt.Errorf("read a log with %s %q: there is no such choice; use one of %s",
				c.flag, *c.value, strings.Join(c.allowed, ", "))
		}
	}
	if o.ProcessorsPerNode < 0 || o.ProcessorsPerNode > maxSize {
		return o, fmt.Errorf("read a log with %d processors per node: use 1 to %d, or 0 for the value of the header",
			o.ProcessorsPerNode, maxSize)
	}
	return o, nil
}
