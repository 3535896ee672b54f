package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/check"
	"github.com/canvass-grid/canvass/cmd/canvass/simulate"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
)

func (t *tool) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join the reports of the shards of a check or a simulation",
		Long: "Reads the output of \"canvass check --json --swarm N --shard I/N\" on several machines, and\n" +
			"writes one object for each model. A violation that any shard found is a violation; a property\n" +
			"without one stays inconclusive. States and transitions are sums, in which a state that two\n" +
			"shards found counts twice. The output of \"canvass simulate --json --shard I/N\" is read as\n" +
			"well: seeds, events and messages of a scenario are sums, and of each violated property the\n" +
			"shortest run is shown.\n\n" +
			"Each report says which shard it is. A shard that is given twice, or belongs to another swarm,\n" +
			"is refused. Missing shards are named on standard error, and the exit code is 20 at best.",
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

func (t *tool) merge(files []string) error {
	merged, order := map[string]verdict.Report{}, []string(nil)
	guard := cli.NewGuard(t.Stdout, t.Stderr)
	for _, file := range files {
		if err := guard.Reads("", file); err != nil {
			return err
		}
		all, err := readResults(file)
		if err != nil {
			return err
		}
		for _, o := range all {
			if sum, ok := merged[o.About()]; ok {
				if err := sum.Shard().Join(o.Shard()); err != nil {
					return fmt.Errorf("%s: %s: %w", file, o.About(), err)
				}
				sum.Add(o)
				continue
			}
			merged[o.About()] = o
			order = append(order, o.About())
		}
	}
	code := cli.CodeOK
	for _, name := range order {
		code = cli.Worse(code, merged[name].Code())
		if err := t.Stdout.JSON(merged[name]); err != nil {
			return err
		}
		if missing := merged[name].Shard().Missing; len(missing) > 0 {
			t.Stderr.Printf("canvass: %s: %s\n", name, merged[name].Shard().Lack())
			code = cli.Worse(code, cli.CodeInconclusive)
		}
	}
	if code != cli.CodeOK {
		return cli.Code(code)
	}
	return nil
}

func readResults(file string) ([]verdict.Report, error) {
	f, err := fileio.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []verdict.Report
	for d := json.NewDecoder(f); ; {
		var raw json.RawMessage
		err := d.Decode(&raw)
		switch {
		case errors.Is(err, io.EOF) && len(all) == 0:
			return nil, fmt.Errorf("%s: it has no results; check again, and redirect the output of canvass check "+
				"--json, or of canvass simulate --json, to it", file)
		case errors.Is(err, io.EOF):
			return all, nil
		}
		var r verdict.Report
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
func readResult(raw json.RawMessage) (verdict.Report, error) {
	var kind struct {
		Schema   int    `json:"schema"`
		Model    string `json:"model"`
		Scenario string `json:"scenario"`
		Verdict  string `json:"verdict"`
	}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return nil, foreign(err)
	}
	var r verdict.Report = &check.ResultObject{}
	switch {
	case kind.Verdict == "" || (kind.Model == "") == (kind.Scenario == ""):
		return nil, foreign(errors.New("it has no model or scenario, or no verdict"))
	case kind.Scenario != "":
		r = &simulate.ResultObject{}
	}
	if kind.Schema != cli.Schema {
		return nil, fmt.Errorf("has schema %d, this version of canvass reads %d; check again", kind.Schema, cli.Schema)
	}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, foreign(err)
	}
	if !r.Shard().IsSound() {
		return nil, errors.New("does not say which shard it is; it is of an earlier version of canvass; check again")
	}
	return r, nil
}

func foreign(err error) error {
	return fmt.Errorf("is not the output of canvass check --json or simulate --json: %w", fileio.JSONError(nil, err))
}
