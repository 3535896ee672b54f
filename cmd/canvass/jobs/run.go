package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) runCommand() *cobra.Command {
	var s submission
	cmd := &cobra.Command{
		Use:   "run [flags] FILE | -- COMMAND [ARGUMENT]...",
		Short: "Run a job, print its output, and exit with its code",
		Long: "Submits a job, prints its output, and exits with its code. With several tasks each line begins\n" +
			"with the rank. For an array it prints only the result; canvass logs 'ID[7]' prints the output\n" +
			"of one element. While the job waits, it prints each new reason on standard error.\n\n" +
			"A signal or a failing output also ends the job:\n\n" +
			"  INT (Ctrl-C), TERM, HUP  cancels the job and waits for its end (130). A second\n" +
			"                           signal leaves it running. If the job has ended, the\n" +
			"                           first one ends the printing\n" +
			"  QUIT (Ctrl-\\)            leaves the job running (130)\n" +
			"  reader of stdout gone    cancels the job, even before it prints anything (141)\n" +
			"  output cannot be written cancels the job (1), as on a full disk\n" +
			"  KILL                     leaves the job running: canvass cancel ID\n\n" +
			"With --detach all of these leave the job running, and canvass wait ID waits for it.\n\n" +
			"A task's environment has CANVASS_RANK, _SIZE, _HOST, _PEERS_FILE, _PORTS, _JOB, _ATTEMPT,\n" +
			"_WORKDIR and _GRID. Variables of your own environment are passed only with --env.\n\n" +
			"Exit codes: the job's own; 128+n ended by signal n; 124 timed out; 127 no such command; 130\n" +
			"cancelled; 252 outputs are lost; 253 the grid gave up; 254 no node can run it; 6 refused.",
		Example: "  canvass run -- uname -a\n" +
			"  canvass run --input data.csv --stdin data.csv -- wc -l\n" +
			"  canvass run -k 3 -- sh -c 'echo $CANVASS_RANK of $CANVASS_SIZE on $CANVASS_HOST'",
		RunE: func(_ *cobra.Command, args []string) error { return e.run(&s, args) },
	}
	s.flags(e, cmd)
	cmd.Flags().BoolVar(&s.detach, "detach", false, "leave the job running when this command ends")
	return cmd
}

// goesOn adds to the error of a daemon that has gone what has become of the job.
func goesOn(id string, err error) error {
	code := cli.Code(0)
	if err == nil || errors.As(err, &code) || errors.Is(err, jobs.ErrUnknown) || errors.Is(err, cli.ErrOutput) {
		return err
	}
	return fmt.Errorf("%w. Job %s is stored and may continue: run canvass wait %s at any daemon of the grid", err, id,
		id)
}

// ended says how a job has ended, and ends with its code.
func (e Env) ended(ctx context.Context, g *api.Client, id string) error {
	r, err := g.Wait(ctx, id)
	if err != nil {
		return err
	}
	e.withFailed(ctx, g, r)
	if err := e.Stdout.Print(r, func() error {
		if r.State != jobs.Succeeded || r.Spec.Array != nil {
			e.Stderr.Printf("canvass: %s %s\n", r.ID, ending(r))
		}
		e.remark(r)
		return nil
	}); err != nil {
		return err
	}
	if code := r.ExitCode(); code != 0 {
		return cli.Code(code)
	}
	return nil
}

// ending is how a job has ended, in words.
func ending(r *jobs.Record) string {
	text := string(r.State)
	if last := r.Changes[len(r.Changes)-1]; last.Reason != "" {
		text += ": " + last.Reason
	}
	if rank, s, failed := r.Failing(); r.State == jobs.Failed && failed && !s.Unfit {
		text += fmt.Sprintf(" (on host %v)", r.Last().Hosts[rank])
	}
	if len(r.Failed) > 0 {
		text += ": " + failedText(r)
	}
	if r.Spec.Array != nil {
		text += " (" + countsOf(r.Counts) + ")"
	}
	return text
}
