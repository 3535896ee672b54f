package simulate

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
)

// About names the model or the scenario.
func (o *ResultObject) About() string { return "scenario " + o.Scenario }

// Shard is the part of the whole that it has.
func (o *ResultObject) Shard() *verdict.Shards { return o.Shards }

// Add adds the result of another shard on the same scenario.
func (o *ResultObject) Add(of verdict.Report) {
	other, is := of.(*ResultObject)
	if !is {
		return // their names differ
	}
	o.FirstSeed = min(o.FirstSeed, other.FirstSeed)
	if o.Requested, o.Seeds = o.Requested+other.Requested, o.Seeds+other.Seeds; other.Requested == 0 {
		o.Requested = 0 // without end
	}
	o.Reruns, o.Unrepeatable = o.Reruns+other.Reruns, o.Unrepeatable+other.Unrepeatable
	o.Asked, o.Differed = o.Requested, o.Unrepeatable
	o.Undecided += other.Undecided
	o.Messages, o.Dropped = o.Messages+other.Messages, o.Dropped+other.Dropped
	o.Duplicated, o.Delayed, o.Cut = o.Duplicated+other.Duplicated, o.Delayed+other.Delayed, o.Cut+other.Cut
	o.Crashes, o.Restarts = o.Crashes+other.Crashes, o.Restarts+other.Restarts
	o.Simulated, o.Seconds = o.Simulated+other.Simulated, o.Seconds+other.Seconds
	if o.Seconds > 0 {
		o.Rate = cli.Rounded(float64(o.Messages)/o.Seconds, 1)
	}
	for name, n := range other.Counts {
		if o.Counts == nil {
			o.Counts = map[string]int{}
		}
		o.Counts[name] += n
	}
	for _, v := range other.Violations {
		o.violated(v)
	}
	o.AsExpected = o.Code() == cli.CodeOK
	switch {
	case o.Code() == cli.CodeInconclusive:
		o.Verdict = checker.Inconclusive.String()
	case len(o.Violations) > 0:
		o.Verdict = checker.Violated.String()
	default:
		o.Verdict = checker.Holds.String()
	}
}

// violated adds a violated property. The shorter of two runs is shown.
func (o *ResultObject) violated(v violationObject) {
	for i := range o.Violations {
		was := &o.Violations[i]
		if was.Property != v.Property {
			continue
		}
		seeds := was.Seeds + v.Seeds
		if was.Steps == 0 || v.Steps > 0 && v.Steps < was.Steps {
			*was = v
		}
		was.Seeds = seeds
		return
	}
	o.Violations = append(o.Violations, v)
}

// Code is the exit code that a merged result calls for.
func (o *ResultObject) Code() int {
	code, seen := cli.CodeOK, false
	if o.Unrepeatable > 0 {
		code = cli.CodeError
	}
	for i := range o.Violations {
		v := &o.Violations[i]
		seen = seen || v.Why != ""
		switch {
		case v.Error != "" || v.Property == sim.PanicProperty:
			code = cli.Worse(code, cli.CodeError)
		case v.Why == "":
			code = cli.Worse(code, cli.CodeSafety)
		}
	}
	open := o.Requested > o.Seeds || o.Seeds == 0
	if o.Expected != checker.Holds.String() && !seen && o.Seeds >= least && !open {
		code = cli.Worse(code, cli.CodeExpectation)
	}
	if open || o.Undecided > 0 {
		code = cli.Worse(code, cli.CodeInconclusive)
	}
	return code
}
