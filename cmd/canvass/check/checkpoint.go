package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/model"
)

// checkpointer saves searches in a folder, a checkpoint for each model, and resumes them. A file
// beside each checkpoint describes its origin, so that a refusal can name the differences.
type checkpointer struct {
	folder string // "" saves none
	resume bool
	flags  *pflag.FlagSet // of the run: a resumed run needs the same ones
	safety bool
	limits *limits
}

// origin identifies the check of a checkpoint, which can be resumed only if all of it is the same.
type origin struct {
	Model   string       `json:"model"`
	Nodes   int          `json:"nodes"`
	Faults  model.Budget `json:"faults"`
	Storage string       `json:"storage"`
	Seed    uint64       `json:"seed"`
	Reduce  bool         `json:"reduce"`
	Safety  bool         `json:"safety"`
}

func (c *checkpointer) file(info model.Info) string {
	return filepath.Join(c.folder, cli.FileName(info.Name)+checkpointEnding)
}

const checkpointEnding = ".checkpoint"

func originFile(checkpoint string) string { return checkpoint + ".json" }

func (c *checkpointer) origin(o checker.Options, info model.Info) origin {
	return origin{info.Name, info.Nodes, info.Budget, o.Storage.String(), o.HashSeed, o.Reduce, c.safety}
}

// check refuses, before the first model, to resume a checkpoint that is of another run.
func (c *checkpointer) check(o checker.Options, systems []chosen) error {
	if !c.resume {
		return nil
	}
	for _, s := range systems {
		info := s.Info()
		text, err := fileio.Read(originFile(c.file(info)), 1<<20)
		var was origin
		if err != nil || json.Unmarshal(text, &was) != nil {
			continue // an older one, or none: the checker decides
		}
		if _, err := os.Stat(c.file(info)); err != nil {
			continue
		}
		if with, without := was.differs(c.origin(o, info)); with != "" {
			return fmt.Errorf("resume %s: the checkpoint was made with %s, this run has %s; "+
				"run it with %s, or choose another folder", filepath.ToSlash(c.file(info)), with, without, with)
		}
	}
	return nil
}

// differs returns, as flags, the differing settings of a checkpoint and those of this run.
func (was origin) differs(is origin) (with, instead string) {
	var a, b []string
	add := func(differ bool, x, y string) {
		if differ {
			a, b = append(a, x), append(b, y)
		}
	}
	onOff := func(name string, on bool) string {
		if on {
			return "--" + name
		}
		return "no --" + name
	}
	theirs, ours := faultFlags(&was.Faults), faultFlags(&is.Faults)
	for i := range theirs {
		add(*theirs[i].count != *ours[i].count, fmt.Sprintf("--%s %d", theirs[i].name, *theirs[i].count),
			fmt.Sprintf("--%s %d", ours[i].name, *ours[i].count))
	}
	add(was.Faults.Repeat != is.Faults.Repeat, onOff("repeat", was.Faults.Repeat), onOff("repeat", is.Faults.Repeat))
	add(was.Faults.Adversarial != is.Faults.Adversarial, onOff("adversarial", was.Faults.Adversarial),
		onOff("adversarial", is.Faults.Adversarial))
	add(was.Nodes != is.Nodes, fmt.Sprintf("--nodes %d", was.Nodes), fmt.Sprintf("--nodes %d", is.Nodes))
	add(was.Storage != is.Storage, "--storage "+was.Storage, "--storage "+is.Storage)
	add(was.Seed != is.Seed, fmt.Sprintf("--seed %d", was.Seed), fmt.Sprintf("--seed %d", is.Seed))
	add(was.Reduce != is.Reduce, onOff("reduce", was.Reduce), onOff("reduce", is.Reduce))
	add(was.Safety != is.Safety, onOff("safety", was.Safety), onOff("safety", is.Safety))
	return strings.Join(a, " "), strings.Join(b, " ")
}

// prepare sets the options of a check: where its checkpoint is, and whether to resume from it.
func (c *checkpointer) prepare(o *checker.Options, info model.Info, m checker.Model) error {
	if c.folder == "" {
		return nil
	}
	s, ok := m.(checker.Snapshotter)
	if !ok {
		return errors.New("the model cannot be checkpointed; leave out --checkpoint")
	}
	if _, err := s.Snapshot(); err != nil {
		return fmt.Errorf("the model cannot be checkpointed: %w; leave out --checkpoint", err)
	}
	o.ModelName = fmt.Sprintf("%s, %d nodes, %s", info.Name, info.Nodes, info.Budget)
	o.Checkpoint = c.file(info)
	_, err := os.Stat(o.Checkpoint)
	o.Resume = c.resume && err == nil
	if err != nil {
		return c.note(*o, info)
	}
	return nil
}

// note writes what the checkpoint is of.
func (c *checkpointer) note(o checker.Options, info model.Info) error {
	text, err := json.Marshal(c.origin(o, info))
	if err != nil {
		return err
	}
	if err := fileio.WriteText(originFile(o.Checkpoint), append(text, '\n')); err != nil {
		return fmt.Errorf("--checkpoint: %w", err)
	}
	return nil
}

// finish removes the checkpoint of a search that came to its end. Otherwise it returns the command
// that resumes the search.
func (c *checkpointer) finish(o checker.Options, info model.Info, r *checker.Report) (resume string, err error) {
	switch {
	case o.Checkpoint == "":
		return "", nil
	case r.CheckpointError != nil:
		return "", fmt.Errorf("--checkpoint: %w", r.CheckpointError)
	case r.Stopped == checker.NotStopped || r.Stopped == checker.StoppedByViolation:
		for _, file := range []string{o.Checkpoint, originFile(o.Checkpoint)} {
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("--checkpoint: %w", err)
			}
		}
		return "", nil
	}
	return c.command(info.Name, c.limits.flag(r.Stopped)), c.note(o, info)
}

// command is the command that resumes the search of a model: with all flags of this run but for the
// limit that was reached.
func (c *checkpointer) command(name, without string) string {
	words := []string{"canvass", "check", name}
	c.flags.Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "resume" || f.Name == without:
		case f.Value.Type() == "bool" && f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"=false")
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	return cli.Shell(append(words, "--resume")...)
}
