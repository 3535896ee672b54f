package node

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/traces"
)

func (e Env) flightMergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge DIR... -o FILE",
		Short: "Join the records of several daemons into one run for canvass replay",
		Long: "Reads all flight records (*.cfr) in folders and joins those of the peer cores into one run:\n" +
			"each message is delivered after it was sent, and otherwise steps are in order of time. This\n" +
			"build repeats every step. Each must be enabled (it delivers a message in flight, fires a\n" +
			"pending timer, or takes an answer in range), and its output must equal the recorded one. In\n" +
			"each state no zones may overlap, and no job may run in two attempts; the run ends at the first\n" +
			"violation.\n\n" +
			"The run is a trace: canvass replay FILE. Musters and leases are not in it. If a daemon is\n" +
			"killed within 100 ms of sending a message, the send is in no record; such messages are counted\n" +
			"as unseen.\n\n" +
			"Exit codes: 0 a sound run, 1 a record is damaged or fits no run, 2 usage, 12 a property is violated.",
		Example: "  canvass node flight merge n1/flight n2/flight n3/flight -o run.itf.json\n" +
			"  canvass replay run.itf.json --html run.html",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || out == "" {
				return cli.Usagef("flight merge takes folders and -o FILE; see %q", cmd.CommandPath()+" --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, folders []string) error { return e.flightMerge(folders, out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the run to a `FILE`")
	e.Stdout.JSONFlag(cmd.Flags())
	return cmd
}

// mergeResult is the JSON output of merge.
type mergeResult struct {
	File     string   `json:"file"`
	Lives    int      `json:"incarnations"`
	Former   int      `json:"lives"` // former name of incarnations
	Steps    int      `json:"steps"`
	Unseen   int      `json:"unseen"` // messages whose sending is in no record
	Violated string   `json:"violated,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

func (e Env) flightMerge(folders []string, out string) error {
	guard := cli.NewGuard(e.Stdout, e.Stderr)
	if err := cli.ReadyFile(guard, "output", out); err != nil {
		return err
	}
	var files []string
	for _, folder := range folders {
		found, err := fileio.Match(folder, "*.cfr")
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("merge flight records: %s has no file *.cfr", folder)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		if err := guard.Reads("", file); err != nil {
			return err
		}
	}
	merged, err := flight.Merge(files, fmt.Sprintf("%d flight records of a grid", len(files)))
	if err != nil {
		return fmt.Errorf("merge flight records: %w", err)
	}
	if err := fileio.Write(out, func(w io.Writer) error { return traces.Write(w, merged.Trace) }); err != nil {
		return fmt.Errorf("write the run: %w", err)
	}
	return e.mergeReport(out, &merged)
}

func (e Env) mergeReport(out string, merged *flight.Merged) error {
	r := mergeResult{
		File: out, Lives: merged.Lives, Former: merged.Lives, Steps: merged.Steps, Unseen: merged.Unseen,
		Notes: merged.Notes,
	}
	if merged.Trace.Header.Verdict == traces.Violated {
		r.Violated = merged.Trace.Header.Property
	}
	err := e.Stdout.Print(r, func() error {
		e.notes(r.Notes)
		err := e.Stdout.Printf("%s: lives %d, steps %d, messages whose sending is in no record %d\n",
			out, r.Lives, r.Steps, r.Unseen)
		if r.Violated != "" && err == nil {
			err = e.Stdout.Printf("VIOLATED in the last state: %s\n", r.Violated)
		}
		return err
	})
	if err == nil && r.Violated != "" {
		return cli.Code(cli.CodeSafety)
	}
	return err
}
