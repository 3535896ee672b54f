package swf

import (
	"cmp"
	"fmt"
	"slices"
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

// choices are the values of the options that are texts, by the names that users know. The first is
// the default.
var choices = map[string][]string{
	"format":        {"swf", "gwf", "sacct"},
	"zero-run":      {"drop", "one-second", "keep"},
	"no-processors": {"drop", "one"},
	"overrun":       {"kill", "keep", "exchange"},
	"processors":    {"requested", "allocated"},
	"status":        {"ran", "completed", "any"},
	"unit":          {"cpu", "node"},
}

// Choices lists the values of an option, the default first: of "format", "zero-run",
// "no-processors", "overrun", "processors" (the option Size), "status" and "unit".
func Choices(option string) []string { return slices.Clone(choices[option]) }

// resolved fills in the defaults, or says which option has a value that is not allowed.
func (o Options) resolved() (Options, error) {
	for _, c := range []struct {
		name  string
		value *string
	}{
		{"format", &o.Format}, {"zero-run", &o.ZeroRun}, {"no-processors", &o.NoProcessors}, {"overrun", &o.Overrun},
		{"processors", &o.Size}, {"status", &o.Status}, {"unit", &o.Unit},
	} {
		allowed := choices[c.name]
		*c.value = cmp.Or(*c.value, allowed[0])
		if !slices.Contains(allowed, *c.value) {
			return o, fmt.Errorf("read a log with %s %q: there is no such choice; use one of %s",
				c.name, *c.value, strings.Join(allowed, ", "))
		}
	}
	if o.ProcessorsPerNode < 0 || o.ProcessorsPerNode > maxSize {
		return o, fmt.Errorf("read a log with %d processors per node: use 1 to %d, or 0 for the value of the header",
			o.ProcessorsPerNode, maxSize)
	}
	return o, nil
}
