package node

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) flightCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "flight",
		Short: "Check and read the recorded inputs of a daemon",
		Long: "A daemon records every input of its cores, and a digest of every output, in files flight/*.cfr of its\n" +
			"folder. A record holds no commands, environment or data of jobs.",
	}
	return cli.Parent(cmd, e.flightVerifyCommand(), e.flightMergeCommand(), e.flightShowCommand())
}

func (e Env) flightVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Step the cores of this build through a record, and name the first step that differs",
		Long: "Reads segments of flight records (*.cfr), of one or more incarnations and in any order. It\n" +
			"steps the cores of this build with the recorded inputs, compares the digest of each output,\n" +
			"and compares the states at the beginning of each later segment. Notes list the parts that\n" +
			"could not be compared, such as missing records.\n\n" +
			"Exit codes: 0 all steps are as recorded, 1 a file cannot be read or is damaged, 2 usage, 12 a\n" +
			"step differs.\n\n" +
			"With --json the output is one object: lives, files, records, steps (compared), states\n" +
			"(compared), notes, and if there is one a difference with file, life, build, record, at_nanos,\n" +
			"core, input, what, recorded, now.",
		Example: "  canvass node flight verify /var/lib/canvass/flight/*.cfr\n" +
			"  canvass node flight verify --json run/*.cfr",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("flight verify takes files; see %q", cmd.CommandPath()+" --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return e.flightVerify(files) },
	}
	e.Stdout.JSONFlag(cmd.Flags())
	return cmd
}

// readable demands that no file that is read is where the command writes.
func (e Env) readable(files []string) error {
	guard := cli.NewGuard(e.Stdout, e.Stderr)
	for _, file := range files {
		if err := guard.Reads("", file); err != nil {
			return err
		}
	}
	return nil
}

func (e Env) flightVerify(files []string) error {
	if err := e.readable(files); err != nil {
		return err
	}
	report, err := flight.Verify(files, flight.Cores)
	if err != nil {
		return fmt.Errorf("verify the flight record: %w", err)
	}
	report.AddFormerNames()
	err = e.Stdout.Print(report, func() error { return e.flightReport(&report) })
	if err == nil && report.Difference != nil {
		err = cli.Code(cli.CodeSafety)
	}
	return err
}

// notes writes what could not be looked at.
func (e Env) notes(all []string) {
	for _, note := range all {
		fmt.Fprintln(e.Stderr, "note:", note)
	}
}

// flightReport writes a report for people.
func (e Env) flightReport(r *flight.Report) error {
	e.notes(r.Notes)
	if r.Difference != nil {
		_, err := fmt.Fprintf(e.Stdout, "%v\nsteps before it that are as recorded: %d\n", r.Difference, r.Steps)
		return err
	}
	states := ""
	if r.States > 0 { // files of records that go on from an earlier one begin with them
		states = fmt.Sprintf(", states compared %d", r.States)
	}
	_, err := fmt.Fprintf(e.Stdout, "all as recorded: incarnations %d, files %d, records %d, steps compared %d%s\n",
		r.Lives, r.Files, r.Records, r.Steps, states)
	return err
}
