package jobs

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// submission is the flags of a job.
type submission struct {
	client.Daemon
	spec     jobs.Spec
	key      string
	restarts int
	array    string
	limit    string
	backoff  []time.Duration
	inputs   []string
	stdin    string
	failed   string
	detach   bool       // the job goes on when the command ends
	file     string     // the job file
	read     *cli.Guard // inputs of the command must not be its outputs
	given    func(flag string) bool
	argument func(args []string) (file string, command []string)
}

func (s *submission) flags(e Env, cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&s.spec.Tasks, "tasks", "k", 1, "number of tasks, which start together on as many nodes")
	f.StringVar(&s.spec.Name, "name", "", "name of the job: a-z, 0-9 and -")
	f.StringArrayVar((*[]string)(&s.spec.Env), "env", nil, "set a variable of the job's environment, NAME=VALUE")
	f.StringVar(&s.key, "key", "", "submitting again with the same key returns the existing job")
	f.DurationVar(&s.spec.Timeout, "timeout", 0,
		"end the job when its tasks have run for this time; waiting does not count")
	f.DurationVar(&s.spec.Deadline, "deadline", 0, "end the job this long after it was accepted")
	f.IntVar(&s.spec.Retries.OnExit, "retries", 0, "number of retries if a task fails")
	f.IntSliceVar(&s.spec.Retries.Codes, "retry-codes", nil, "retry only on these exit codes (default: all but 0)")
	f.DurationSliceVar(
		&s.backoff, "backoff", []time.Duration{time.Second, time.Minute}, "shortest and longest time between tries",
	)
	f.IntVar(&s.restarts, "restart-limit", jobs.RestartLimit, "give up after nodes have lost more attempts than this")
	f.StringVar(&s.spec.Kill.Signal, "kill-signal", "", "signal that ends a task (default TERM)")
	f.DurationVar(&s.spec.Kill.Grace, "grace", 0, "time between --kill-signal and SIGKILL (default 2s)")
	f.StringVar(&s.limit, "stdout-limit", "", "keep this much of each output stream (default 64MiB)")
	f.StringArrayVar(
		&s.inputs, "input", nil, "copy this file or pattern into the working folder; FROM:TO renames, \\ escapes",
	)
	f.StringArrayVar((*[]string)(&s.spec.Outputs), "output", nil,
		"keep the files in the working folders that match this pattern")
	f.StringVar(&s.stdin, "stdin", "", "file to use as standard input of the task; - means that of this command")
	f.StringVar(&s.array, "array", "", "run the job for each of these indexes, as 0-99%10: at most 10 at once")
	f.BoolVar(&s.spec.Hold, "hold", false, "hold the job until canvass release")
	e.Common(&s.Daemon, cmd)
	s.given = f.Changed
	s.argument = func(args []string) (string, []string) {
		if cmd.ArgsLenAtDash() < 0 && len(args) == 1 {
			return args[0], nil
		}
		return "", args
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		switch dash := cmd.ArgsLenAtDash(); {
		case s.failed != "":
			return nil
		case len(args) == 0:
			return cli.Usagef("no command; give one after --, as in: canvass run -- uname -a")
		case dash > 0, dash < 0 && len(args) > 1:
			return cli.Usagef("%q: write a command after --, or name one job file without --", args[0])
		}
		return nil
	}
}

// prepare passes the contents that a job needs to the daemon, before it is submitted.
func (s *submission) prepare(ctx context.Context, g *api.Client, job jobs.FileJob) (_ jobs.FileJob, err error) {
	if s.failed != "" {
		job, err = s.again(ctx, g)
	}
	if err == nil {
		err = s.upload(ctx, g, &job)
	}
	if err == nil {
		err = senseless(job.Spec.Validate())
	}
	return job, err
}

// handIn hands a job in, with a key, so that the client may ask again.
func (s *submission) handIn(ctx context.Context, e Env, g *api.Client, job jobs.FileJob) (*jobs.Record, error) {
	s.key = cmp.Or(s.key, rand.Text())
	defer e.Notice(ctx, g, client.Waits, client.Keyed(g, s.key))()
	return g.Submit(ctx, api.Submission{Key: s.key, Spec: job.Spec})
}

// job is the job of the command line: that of a file, changed by the flags that were given. Its
// mistakes are found without a daemon.
func (s *submission) job(args []string) (job jobs.FileJob, err error) {
	file, command := s.argument(args)
	s.file = file
	if s.spec.Tasks < 1 {
		return job, cli.Usagef("-k %d: a job has at least one task", s.spec.Tasks)
	}
	if s.given("key") && s.key == "" {
		return job, cli.Usagef("--key is empty: want a word of your own that names the job, or no --key")
	}
	if err := jobs.CheckKey(s.key); err != nil {
		return job, err
	}
	base := "."
	if file != "" {
		if err := s.read.Reads("", file); err != nil {
			return job, err
		}
		text, err := fileio.Read(file, api.BodyLimit)
		if err != nil {
			return job, fmt.Errorf("the job file: %w; a command comes after --", err)
		}
		if job, err = jobs.ParseFile(string(text)); err != nil {
			return job, senseless(fmt.Errorf("%s: %w", file, err))
		}
		base = filepath.Dir(file)
		for i := range job.Files {
			job.Files[i].From = within(jobs.Escape(base), job.Files[i].From)
		}
		if job.Stdin != "" {
			job.Stdin = within(base, job.Stdin)
		}
	} else {
		job.Spec.Command, job.Spec.Tasks = command, s.spec.Tasks
	}
	s.override(&job.Spec)
	if s.given("stdin") {
		job.Stdin = s.stdin
	}
	for _, in := range s.inputs {
		from, to, err := jobs.CutInput(in)
		if err != nil {
			return job, senseless(err)
		}
		job.Files = append(job.Files, jobs.Source{From: from, To: to})
	}
	if s.given("retry-codes") && job.Spec.Retries.OnExit == 0 {
		return job, cli.Usagef("--retry-codes lists the exit codes that are retried; set the number of retries with " +
			"--retries")
	}
	if err := s.parsed(&job.Spec); err != nil || s.failed != "" {
		return job, err // --failed takes the job of another one
	}
	return job, senseless(job.Spec.Validate())
}

// senseless makes of the error about a job that cannot be taken a mistake on the command line.
func senseless(err error) error {
	if errors.Is(err, jobs.ErrSpec) {
		return cli.WithCode(cli.CodeUsage, err)
	}
	return err
}

// within is a name below a folder, unless it is absolute.
func within(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// override takes the flags that were given.
func (s *submission) override(to *jobs.Spec) {
	for flag, set := range map[string]func(){
		"tasks":         func() { to.Tasks = s.spec.Tasks },
		"name":          func() { to.Name = s.spec.Name },
		"env":           func() { to.Env = append(slices.Clone(to.Env), s.spec.Env...) },
		"timeout":       func() { to.Timeout = s.spec.Timeout },
		"deadline":      func() { to.Deadline = s.spec.Deadline },
		"retries":       func() { to.Retries.OnExit = s.spec.Retries.OnExit },
		"retry-codes":   func() { to.Retries.Codes = s.spec.Retries.Codes },
		"restart-limit": func() { to.RestartLimit = &s.restarts },
		"kill-signal":   func() { to.Kill.Signal = strings.TrimPrefix(s.spec.Kill.Signal, "SIG") },
		"grace":         func() { to.Kill.Grace = s.spec.Kill.Grace },
		"output":        func() { to.Outputs = append(to.Outputs, s.spec.Outputs...) },
		"hold":          func() { to.Hold = s.spec.Hold },
	} {
		if s.given(flag) {
			set()
		}
	}
}

// parsed takes the flags that are texts.
func (s *submission) parsed(to *jobs.Spec) (err error) {
	if s.given("stdout-limit") {
		if to.OutputLimit, err = jobs.ParseSize(s.limit); err != nil {
			return cli.Usagef("--stdout-limit: %v", err)
		}
	}
	if s.given("array") {
		if to.Array, err = jobs.ParseArray(s.array); err != nil {
			return cli.Usagef("--array: %v", err)
		}
	}
	if s.given("backoff") {
		if len(s.backoff) != 2 {
			return cli.Usagef("--backoff takes two times, as in --backoff 1s,1m")
		}
		to.Retries.BackoffMin, to.Retries.BackoffMax = s.backoff[0], s.backoff[1]
	}
	return nil
}

// again is an array of the elements of another array that have not succeeded.
func (s *submission) again(ctx context.Context, g *api.Client) (job jobs.FileJob, err error) {
	r, err := g.Job(ctx, s.failed)
	if err != nil {
		return job, err
	}
	if r.Spec.Array == nil {
		return job, cli.Usagef("--failed %s: that job is not an array; submit it again", s.failed)
	}
	if !r.State.Final() {
		return job, fmt.Errorf("%w: %s is %s; canvass wait %s waits for it", jobs.ErrRuns, r.ID, r.State, r.ID)
	}
	all, err := g.Elements(ctx, r.ID, false)
	if err != nil {
		return job, err
	}
	done := map[int]bool{}
	for _, e := range all {
		done[e.Index] = e.State == jobs.Succeeded
	}
	var failed []int
	for index := range r.Spec.Array.All {
		if !done[index] {
			failed = append(failed, index)
		}
	}
	if len(failed) == 0 {
		return job, cli.WithCode(cli.CodeRefused, fmt.Errorf("no element of %s has failed", r.ID))
	}
	job.Spec = r.Spec
	job.Spec.Array = jobs.Indexes(failed, r.Spec.Array.AtOnce)
	return job, nil
}

// upload hands the files of a job to the daemon.
func (s *submission) upload(ctx context.Context, g *api.Client, job *jobs.FileJob) error {
	for _, source := range job.Files {
		found, err := expand(source)
		if err != nil {
			return s.inFile(source, err)
		}
		for name, to := range found {
			c, mode, err := s.put(ctx, g, "input", name)
			if err != nil {
				return s.inFile(source, err)
			}
			if source.Mode != 0 {
				mode = source.Mode
			}
			job.Spec.Inputs = append(job.Spec.Inputs, jobs.File{
				Path: verbatim.Text(to), Digest: c.Digest, Size: c.Size, Mode: mode,
			})
		}
	}
	slices.SortFunc(job.Spec.Inputs, func(a, b jobs.File) int { return cmp.Compare(a.Path, b.Path) })
	switch job.Stdin {
	case "":
		return nil
	case "-":
		if err := s.read.Stdin(os.Stdin); err != nil {
			return err
		}
		c, err := g.Put(ctx, os.Stdin)
		job.Spec.Stdin = c.Digest
		return err
	}
	c, _, err := s.put(ctx, g, "standard input", job.Stdin)
	job.Spec.Stdin = c.Digest
	return err
}

// inFile names the line of the job file that an error is about.
func (s *submission) inFile(source jobs.Source, err error) error {
	if source.Line == 0 {
		return err
	}
	return fmt.Errorf("%s: line %d: %w", s.file, source.Line, err)
}

// put hands a file to the daemon.
func (s *submission) put(
	ctx context.Context, g *api.Client, what, name string,
) (c api.Content, mode fs.FileMode, err error) {
	if err := s.read.Reads(what, name); err != nil {
		return c, 0, err
	}
	f, info, err := fileio.Regular(name)
	if errors.Is(err, fileio.ErrKind) {
		return c, 0, fmt.Errorf("%s %s: %w; --stdin - reads standard input", what, name, err)
	}
	if err != nil {
		return c, 0, fmt.Errorf("%s: %w", what, err)
	}
	defer f.Close()
	if c, err = g.Put(ctx, f); err != nil {
		err = fmt.Errorf("%s %s: %w", what, name, err)
	}
	return c, info.Mode().Perm(), err
}

// expand finds the files of a source, and the name of each in the working folder.
func expand(s jobs.Source) (map[string]string, error) {
	base, pattern := path.Clean(s.From), ""
	for jobs.IsPattern(base) {
		base, pattern = path.Dir(base), path.Join(path.Base(base), pattern)
	}
	base = jobs.Unescape(base)
	if info, err := os.Stat(base); err == nil && info.IsDir() && pattern == "" {
		pattern = "**"
	}
	if pattern == "" {
		to := s.To
		if to == "" || strings.HasSuffix(to, "/") {
			to = path.Join(to, path.Base(base))
		}
		return map[string]string{base: path.Clean(to)}, nil
	}
	names, err := blobs.Sources(base, func(name string) bool { return jobs.Matches(pattern, name) }, jobs.FilesLimit)
	if errors.Is(err, blobs.ErrIrregular) {
		return nil, fmt.Errorf("inputs %s: %w", s.From, err)
	}
	if err != nil {
		return nil, fmt.Errorf("inputs %s: %w", s.From, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no file matches input %q; in a name, each of * ? [ \\ : has a \\ before it", s.From)
	}
	found := map[string]string{}
	for _, name := range names {
		found[path.Join(base, name)] = path.Join(s.To, name)
	}
	return found, nil
}

// reader is a content that is closed after it was read.
func reader(ctx context.Context, g *api.Client) func(digest string) (io.ReadCloser, error) {
	return func(digest string) (io.ReadCloser, error) { return g.Open(ctx, digest) }
}
