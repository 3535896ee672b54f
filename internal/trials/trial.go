package trials

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Trial is a series of demands on grids in one folder. It ends with the first that is not met.
type Trial struct {
	*Bed
	Context context.Context
	grids   []*Grid
}

// Try carries out a trial in a new folder, which it removes, and ends its grids.
func Try(ctx context.Context, canvass string, steps func(*Trial)) error {
	folder, err := os.MkdirTemp("", "ca") // short, since the names of sockets are
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	bed, err := NewBed(folder, canvass)
	if err != nil {
		return err
	}
	t := &Trial{Bed: bed, Context: ctx}
	defer func() {
		for _, g := range t.grids {
			g.End()
		}
	}()
	return t.Attempt(func() { steps(t) })
}

// failure ends a trial.
type failure string

func (f failure) Error() string { return string(f) }

// Demand ends the trial unless something holds. The text describes the observation.
func (t *Trial) Demand(holds bool, text string, args ...any) {
	if !holds {
		panic(failure(fmt.Sprintf(text, args...)))
	}
}

// Attempt returns the demand that was not met within it, if there is one.
func (t *Trial) Attempt(steps func()) (err error) {
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case failure:
			err = failed
		default:
			panic(failed)
		}
	}()
	steps()
	return nil
}

// Output is the result of a line of the shell.
type Output struct {
	Code           int
	Stdout, Stderr string
}

func (o Output) String() string {
	return fmt.Sprintf("exit %d, %q, %q", o.Code, Short(o.Stdout), Short(o.Stderr))
}

// Short is the beginning of a long text.
func Short(text string) string {
	if len(text) > 300 {
		return text[:300] + "…"
	}
	return text
}

// Sh runs a line of the shell in the folder of the trial. In it canvass is the program under test,
// which finds no grid by itself.
func (t *Trial) Sh(line string, args ...any) Output { return t.shell(nil, line, args...) }

// Must is Sh for a line that has to succeed. It returns the trimmed output.
func (t *Trial) Must(line string, args ...any) string { return t.succeed(nil, line, args...) }

func (t *Trial) succeed(variables []string, line string, args ...any) string {
	o := t.shell(variables, line, args...)
	t.Demand(o.Code == 0, "%s: %v", fmt.Sprintf(line, args...), o)
	return strings.TrimSpace(o.Stdout)
}

func (t *Trial) shell(variables []string, line string, args ...any) Output {
	cmd := exec.CommandContext(t.Context, "sh", "-c", fmt.Sprintf(line, args...))
	cmd.Env = append(t.Environment(), variables...)
	cmd.Dir, cmd.WaitDelay = t.Folder, time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := Output{0, stdout.String(), stderr.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		o.Code = exit.ExitCode()
	} else if err != nil {
		t.Demand(false, "%s: %v", fmt.Sprintf(line, args...), err)
	}
	return o
}

// Environment is that of the commands of a trial.
func (t *Trial) Environment() []string {
	return append(os.Environ(), "PATH="+filepath.Dir(t.Canvass)+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR="+t.Folder)
}

const look = 20 * time.Millisecond // between two looks at something that is awaited

// Within waits until something holds, and reports whether it did so in time.
func (t *Trial) Within(limit time.Duration, holds func() bool) bool {
	for begin := time.Now(); !holds(); time.Sleep(look) {
		if time.Since(begin) >= limit || t.Context.Err() != nil {
			return false
		}
	}
	return true
}

// Until demands that something holds within a time, and returns how long that took.
func (t *Trial) Until(limit time.Duration, what string, holds func() bool) time.Duration {
	begin := time.Now()
	t.Demand(t.Within(limit, holds), "after %v: not %s", limit, what)
	return time.Since(begin)
}

// Recorded reads the ledger.
func (t *Trial) Recorded() Ledger {
	l, err := ReadLedger(t.Ledger)
	t.Demand(err == nil, "the ledger: %v", err)
	return l
}

// OnceAtATime demands that no two attempts of a job overlapped. It returns how many ranks and
// processes there were.
func (t *Trial) OnceAtATime() (ranks, runs int) {
	l := t.Recorded()
	for _, job := range l.Jobs() {
		found := l.Overlaps(job, nil)
		t.Demand(len(found) == 0, "%s", strings.Join(found, "; "))
	}
	return l.Ranks(), len(l.Runs)
}

// IsBeating reports whether a task has recorded a beat just now.
func (t *Trial) IsBeating() bool { return t.Recorded().LastBeat() < 100*time.Millisecond }
