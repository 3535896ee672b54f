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
)

func (t *tool) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join the reports of the shards of a swarm",
		Long: "Reads the output of \"canvass check --json --swarm N --shard I/N\" on several machines, and writes one\n" +
			"object for each model. A violation that any shard found is a violation; a property without one stays\n" +
			"inconclusive. States and transitions are sums, in which a state that two shards found counts twice.\n\n" +
			"Each report says which shard it is. A shard that is given twice, or is of another swarm, is refused.\n" +
			"Missing shards are named on standard error, and the exit code is 20 at best.",
		Example: "  canvass check can/row4/join-leave --swarm 40 --shard 1/2 --json > 1.json\n" +
			"  canvass check can/row4/join-leave --swarm 40 --shard 2/2 --json > 2.json\n" +
			"  canvass merge 1.json 2.json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("merge takes files; see %q", cmd.CommandPath()+" --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return t.merge(files) },
	}
}

func (t *tool) merge(files []string) error {
	merged, order := map[string]*resultObject{}, []string(nil)
	guard := t.guard()
	for _, file := range files {
		if err := guard.Reads("", file); err != nil {
			return err
		}
		all, err := readResults(file)
		if err != nil {
			return err
		}
		for _, o := range all {
			if sum, ok := merged[o.Model]; ok {
				if err := sum.Shards.join(o.Shards); err != nil {
					return usagef("%s: %s: %v", file, o.Model, err)
				}
				sum.add(o)
				continue
			}
			merged[o.Model] = o
			order = append(order, o.Model)
		}
	}
	code := cli.CodeOK
	for _, name := range order {
		code = worse(code, merged[name].code())
		if err := t.stdout.JSON(merged[name]); err != nil {
			return err
		}
		if missing := merged[name].Shards.Missing; len(missing) > 0 {
			t.stderr.Printf("canvass: %s: %s\n", name, merged[name].Shards.lack())
			code = worse(code, cli.CodeInconclusive)
		}
	}
	if code != cli.CodeOK {
		return cli.Code(code)
	}
	return nil
}

func readResults(file string) ([]*resultObject, error) {
	f, err := given.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []*resultObject
	for d := json.NewDecoder(f); ; {
		o := &resultObject{}
		switch err := d.Decode(o); {
		case errors.Is(err, io.EOF) && len(all) == 0:
			return nil, fmt.Errorf("%s: it has no results; check again, and redirect the output of canvass check --json to it",
				file)
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: not what canvass check --json writes: object %d: %w", file, len(all)+1,
				given.JSONError(nil, err))
		case o.Model == "" || o.Verdict == "":
			return nil, fmt.Errorf("%s: not what canvass check --json writes: object %d has no model or no verdict "+
				"(reports of \"canvass simulate\" need no merging: each line is about one scenario)", file, len(all)+1)
		case !o.Shards.isSound():
			return nil, fmt.Errorf("%s: object %d does not say which shard it is; it is of an earlier version of canvass; "+
				"check again", file, len(all)+1)
		case o.Schema != schema:
			return nil, fmt.Errorf("%s: object %d has schema %d, this version of canvass reads %d; check again",
				file, len(all)+1, o.Schema, schema)
		}
		all = append(all, o)
	}
}

// stops ranks the reasons why a search ended that leave something undone: the highest counts for
// the whole.
var stops = map[string]int{
	checker.StoppedByMemory.String(): 1, checker.StoppedByTimeout.String(): 2,
	checker.StoppedByInterrupt.String(): 3, (&result{}).stopped(): 4, (&result{err: errors.ErrUnsupported}).stopped(): 5,
}

// add adds the result of another shard on the same model.
func (o *resultObject) add(other *resultObject) {
	found := func(r *resultObject) bool { return r.Verdict == checker.Violated.String() }
	o.States, o.Transitions = o.States+other.States, o.Transitions+other.Transitions
	o.Depth, o.Seconds = max(o.Depth, other.Depth), o.Seconds+other.Seconds
	o.Bytes = max(o.Bytes, other.Bytes)
	if o.Seconds > 0 {
		o.Rate = rounded(float64(o.States)/o.Seconds, 1)
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
			code = worse(code, cli.CodeSampled)
		case p.Verdict == checker.Inconclusive.String():
			code = worse(code, cli.CodeInconclusive)
		case p.Verdict == checker.Violated.String() && p.Expected != p.Verdict:
			code = worse(code, violationCode(shapeNamed(p.Shape)))
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
