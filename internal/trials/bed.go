package trials

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Bed is the folder of a trial. Both programs are copied into it, so that the processes of the
// trial are known by their program.
type Bed struct {
	Folder  string
	Canvass string // the program under test
	Ledger  string // the file in which tasks record when they ran
	task    string // the program of tasks
}

// NewBed fills a folder, which is new or empty, with the program under test and this program, which
// calls [Task.Run] when it is started as a task.
func NewBed(folder, canvass string) (*Bed, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(folder, "bin")
	b := &Bed{
		Folder: folder, Canvass: filepath.Join(bin, "canvass"), Ledger: filepath.Join(folder, "ledger"),
		task: filepath.Join(bin, taskWord),
	}
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(b.Ledger, nil, 0o600); err != nil {
		return nil, err
	}
	for name, from := range map[string]string{b.Canvass: canvass, b.task: self} {
		program, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, program, 0o700); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Job begins the command of a job whose tasks record in the ledger: a duration, an exit code and
// perhaps a word follow.
func (b *Bed) Job() []string { return []string{b.task, taskWord, b.Ledger} }

// Beats is the command of a job whose tasks run for a time and succeed.
func (b *Bed) Beats(duration time.Duration) string {
	return strings.Join(append(b.Job(), duration.String(), "0"), " ")
}

// Command runs canvass and returns its output. Its diagnostics are part of an error.
func (b *Bed) Command(ctx context.Context, in string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, b.Canvass, args...)
	var out, diagnostics bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &diagnostics
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("canvass %s: %w: %s", args[0], err, bytes.TrimSpace(diagnostics.Bytes()))
	}
	return out.String(), err
}

// LetterOf is the name of a node, given that of one of its incarnations.
func LetterOf(incarnation string) string {
	letter, _, _ := strings.Cut(incarnation, ".")
	return letter
}

// Pause waits for a time, or until the context ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
