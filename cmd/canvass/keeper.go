package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// keeper keeps searches in a folder, a checkpoint for each model.
type keeper struct {
	folder string // "" keeps none
	resume bool
}

// prepare tells a check where its checkpoint is, and whether to go on from there.
func (k *keeper) prepare(o *checker.Options, info model.Info) {
	if k.folder == "" {
		return
	}
	o.ModelName = fmt.Sprintf("%s, %d nodes, %s", info.Name, info.Nodes, info.Budget)
	o.Checkpoint = filepath.Join(k.folder, fileName(info.Name)+".checkpoint")
	_, err := os.Stat(o.Checkpoint)
	o.Resume = k.resume && err == nil
}

// tidy removes the checkpoint of a search that has come to its end, and otherwise says where it is.
func (k *keeper) tidy(o checker.Options, r *checker.Report) (string, error) {
	switch {
	case o.Checkpoint == "":
		return "", nil
	case r.CheckpointError != nil:
		return "", fmt.Errorf("--checkpoint: %w", r.CheckpointError)
	case r.Stopped == checker.NotStopped || r.Stopped == checker.StoppedByViolation:
		if err := os.Remove(o.Checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("--checkpoint: %w", err)
		}
		return "", nil
	}
	return o.Checkpoint, nil
}
