package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/given"
	"github.com/canvass-grid/canvass/sim"
)

func (t *tool) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join the reports of the shards of a check or a simulation",
		Long: "Reads the output of \"canvass check --json --swarm N --shard I/N\" on several machines, and writes " +
			"one\n" +
			"object for each model. A violation that any shard found is a violation; a property without one stays\n" +
			"inconclusive. States and transitions are sums, in which a state that two shards found counts twice.\n" +
			"The output of \"canvass simulate --json --shard I/N\" is read as well: seeds, events and messages of a\n" +
			"scenario are sums, and of each violated property the shortest run is shown.\n\n" +
			"Each report says which shard it is. A shard that is given twice, or is of another swarm, is refused.\n" +
			"Missing shards are named on standard error, and the exit code is 20 at best.",
		Example: "  canvass check can/row4/join-leave --swarm 40 --shard 1/2 --json > 1.json\n" +
			"  canvass check can/row4/join-leave --swarm 40 --shard 2/2 --json > 2.json\n" +
			"  canvass merge 1.json 2.json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("merge takes files; see %q", cmd.CommandPath()+" --help")
			}
			for i, file := range args {
				if slices.Contains(args[:i], file) {
					return cli.Usagef("%s is named twice; give each shard once", file)
				}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return t.merge(files) },
	}
}

// report is the result of one shard for a model or a scenario.
type report interface {
	about() string
	shard() *shardsObject
	add(other report)
	code() int
}

func (t *tool) merge(files []string) error {
	merged, order := map[string]report{}, []string(nil)
	guard := cli.NewGuard(t.stdout, t.stderr)
	for _, file := range files {
		if err := guard.Reads("", file); err != nil {
			return err
		}
		all, err := readResults(file)
		if err != nil {
			return err
		}
		for _, o := range all {
			if sum, ok := merged[o.about()]; ok {
				if err := sum.shard().join(o.shard()); err != nil {
					return fmt.Errorf("%s: %s: %w", file, o.about(), err)
				}
				sum.add(o)
				continue
			}
			merged[o.about()] = o
			order = append(order, o.about())
		}
	}
	code := cli.CodeOK
	for _, name := range order {
		code = cli.Worse(code, merged[name].code())
		if err := t.stdout.JSON(merged[name]); err != nil {
			return err
		}
		if missing := merged[name].shard().Missing; len(missing) > 0 {
			t.stderr.Printf("canvass: %s: %s\n", name, merged[name].shard().lack())
			code = cli.Worse(code, cli.CodeInconclusive)
		}
	}
	if code != cli.CodeOK {
		return cli.Code(code)
	}
	return nil
}

func readResults(file string) ([]report, error) {
	f, err := given.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []report
	for d := json.NewDecoder(f); ; {
		var raw json.RawMessage
		err := d.Decode(&raw)
		switch {
		case errors.Is(err, io.EOF) && len(all) == 0:
			return nil, fmt.Errorf("%s: it has no results; check again, and redirect the output of canvass check "+
				"--json, "+
				"or of canvass simulate --json, to it", file)
		case errors.Is(err, io.EOF):
			return all, nil
		}
		var r report
		if err == nil {
			r, err = readResult(raw)
		} else {
			err = foreign(err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: object %d %w", file, len(all)+1, err)
		}
		all = append(all, r)
	}
}

// readResult reads the result of a model or of a scenario. Its errors continue a sentence.
func readResult(raw json.RawMessage) (report, error) {
	var kind struct {
		Schema   int    `json:"schema"`
		Model    string `json:"model"`
		Scenario string `json:"scenario"`
		Verdict  string `json:"verdict"`
	}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return nil, foreign(err)
	}
	var r report = &resultObject{}
	switch {
	case kind.Verdict == "" || (kind.Model == "") == (kind.Scenario == ""):
		return nil, foreign(errors.New("it has no model or scenario, or no verdict"))
	case kind.Scenario != "":
		r = &simObject{}
	}
	if kind.Schema != cli.Schema {
		return nil, fmt.Errorf("has schema %d, this version of canvass reads %d; check again", kind.Schema, cli.Schema)
	}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, foreign(err)
	}
	if !r.shard().isSound() {
		return nil, errors.New("does not say which shard it is; it is of an earlier version of canvass; check again")
	}
	return r, nil
}

func foreign(err error) error {
	return fmt.Errorf("is not what canvass check --json or simulate --json writes: %w", given.JSONError(nil, err))
}

// stops ranks the reasons why a search ended that leave something undone: the highest counts for
// the whole.
var stops = map[string]int{
	checker.StoppedByMemory.String(): 1, checker.StoppedByTimeout.String(): 2,
	checker.StoppedByInterrupt.String(): 3, (&result{}).stopped(): 4,
	(&result{err: errors.ErrUnsupported}).stopped(): 5,
}

func (o *resultObject) about() string        { return o.Model }
func (o *resultObject) shard() *shardsObject { return o.Shards }

// add adds the result of another shard on the same model.
func (o *resultObject) add(of report) {
	other, is := of.(*resultObject)
	if !is {
		return // a scenario with the name of a model: the flags of the shards differ, which is refused
	}
	found := func(r *resultObject) bool { return r.Verdict == checker.Violated.String() }
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

// add adds the coverage of another shard. What occurred in none of them never occurred.
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

// code is the exit code that a merged result calls for.
func (o *resultObject) code() int {
	if o.Error != "" {
		return cli.CodeError
	}
	code := cli.CodeOK
	for _, p := range o.Properties {
		switch {
		case p.Verdict == checker.Inconclusive.String() && o.sampled():
			code = cli.Worse(code, cli.CodeSampled)
		case p.Verdict == checker.Inconclusive.String():
			code = cli.Worse(code, cli.CodeInconclusive)
		case p.Verdict == checker.Violated.String() && p.Expected != p.Verdict:
			code = cli.Worse(code, violationCode(shapeNamed(p.Shape)))
		}
	}
	return code
}

// sampled reports whether the searches came to their ends, and could prove nothing.
func (o *resultObject) sampled() bool {
	return o.Stopped == checker.StoppedBySampling.String() || o.Stopped == checker.StoppedByOmission.String()
}

// shapeNamed is the inverse of the shapes' names; Always for one that it does not know.
func shapeNamed(name string) checker.Shape {
	for s := checker.Always; s <= checker.DeadlockFree; s++ {
		if s.String() == name {
			return s
		}
	}
	return checker.Always
}

func (o *simObject) about() string        { return "scenario " + o.Scenario }
func (o *simObject) shard() *shardsObject { return o.Shards }

// add adds the result of another shard on the same scenario.
func (o *simObject) add(of report) {
	other, is := of.(*simObject)
	if !is {
		return // their names differ
	}
	o.FirstSeed = min(o.FirstSeed, other.FirstSeed)
	if o.Asked, o.Seeds = o.Asked+other.Asked, o.Seeds+other.Seeds; other.Asked == 0 {
		o.Asked = 0 // without end
	}
	o.Reruns, o.Unrepeatable = o.Reruns+other.Reruns, o.Unrepeatable+other.Unrepeatable
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
	o.AsExpected = o.code() == cli.CodeOK
	switch {
	case o.code() == cli.CodeInconclusive:
		o.Verdict = checker.Inconclusive.String()
	case len(o.Violations) > 0:
		o.Verdict = checker.Violated.String()
	default:
		o.Verdict = checker.Holds.String()
	}
}

// violated adds a violated property. Of two runs the shorter one is shown.
func (o *simObject) violated(v violationObject) {
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

// code is the exit code that a merged result calls for.
func (o *simObject) code() int {
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
	open := o.Asked > o.Seeds || o.Seeds == 0
	if o.Expected != checker.Holds.String() && !seen && o.Seeds >= least && !open {
		code = cli.Worse(code, cli.CodeExpectation)
	}
	if open || o.Undecided > 0 {
		code = cli.Worse(code, cli.CodeInconclusive)
	}
	return code
}
