package check

import (
	"errors"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
)

// stops ranks the reasons why a search ended that leave something undone: the highest counts for
// the whole.
var stops = map[string]int{
	checker.StoppedByMemory.String(): 1, checker.StoppedByTimeout.String(): 2,
	checker.StoppedByInterrupt.String(): 3, (&result{}).stopped(): 4,
	(&result{err: errors.ErrUnsupported}).stopped(): 5,
}

// About names the model or the scenario.
func (o *ResultObject) About() string { return o.Model }

// Shard is the part of the whole that it has.
func (o *ResultObject) Shard() *verdict.Shards { return o.Shards }

// Add adds the result of another shard on the same model.
func (o *ResultObject) Add(of verdict.Report) {
	other, is := of.(*ResultObject)
	if !is {
		return // a scenario with the name of a model: the flags of the shards differ, which is refused
	}
	found := func(r *ResultObject) bool { return r.Verdict == checker.Violated.String() }
	o.States, o.Transitions = o.States+other.States, o.Transitions+other.Transitions
	o.Depth, o.Seconds = max(o.Depth, other.Depth), o.Seconds+other.Seconds
	o.Bytes = max(o.Bytes, other.Bytes)
	if o.Seconds > 0 {
		o.Rate = cli.Rounded(float64(o.States)/o.Seconds, 1)
	}
	if o.Coverage != nil && other.Coverage != nil {
		o.Coverage.add(other.Coverage)
	}
	for i := range o.Properties {
		for _, p := range other.Properties {
			if p.Name == o.Properties[i].Name {
				o.Properties[i].add(p)
			}
		}
	}
	if other.Error != "" {
		o.Error = strings.TrimPrefix(o.Error+"; "+other.Error, "; ")
	}
	if stops[other.Stopped] > stops[o.Stopped] {
		o.Stopped, o.Limit = other.Stopped, other.Limit
	}
	o.AsExpected = o.AsExpected && other.AsExpected
	if found(other) && (!found(o) || o.AsExpected) {
		o.Verdict, o.Property, o.Trace = other.Verdict, other.Property, other.Trace
	}
}

// add adds the verdict of another shard on the same property.
func (p *propertyObject) add(other propertyObject) {
	p.Cases += other.Cases
	if p.Verdict == checker.Inconclusive.String() {
		cases := p.Cases
		*p = other
		p.Cases = cases
	}
}

// add adds the coverage of another shard. An event that occurred in no shard never occurred.
func (c *coverageObject) add(other *coverageObject) {
	for kind, n := range other.Actions {
		c.Actions[kind] += n
	}
	for _, e := range other.Events {
		if i, ok := slices.BinarySearch(c.Events, e); !ok {
			c.Events = slices.Insert(c.Events, i, e)
		}
	}
	c.Never = slices.DeleteFunc(c.Never, func(n string) bool { return !slices.Contains(other.Never, n) })
}

// Code is the exit code that a merged result calls for.
func (o *ResultObject) Code() int {
	if o.Error != "" {
		return cli.CodeError
	}
	code := cli.CodeOK
	for _, p := range o.Properties {
		switch {
		case p.Verdict == checker.Inconclusive.String() && o.isSampled():
			code = cli.Worse(code, cli.CodeSampled)
		case p.Verdict == checker.Inconclusive.String():
			code = cli.Worse(code, cli.CodeInconclusive)
		case p.Verdict == checker.Violated.String() && p.Expected != p.Verdict:
			code = cli.Worse(code, verdict.ViolationCode(verdict.ShapeNamed(p.Shape)))
		}
	}
	return code
}

// isSampled reports whether the searches came to their ends, and could prove nothing.
func (o *ResultObject) isSampled() bool {
	return o.Stopped == checker.StoppedBySampling.String() || o.Stopped == checker.StoppedByOmission.String()
}
