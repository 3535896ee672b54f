package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// trial is one try of an item.
type trial struct {
	*trials.Trial
	settings
}

// dev is a grid of "canvass dev".
type dev struct {
	*trials.Trial
	cmd    *exec.Cmd
	folder string
	ended  chan struct{}
	ready  time.Duration
}

// dev starts the command, and waits until it is ready.
func (t *trial) dev(name string, nodes int) *dev {
	d := &dev{Trial: t.Trial, folder: filepath.Join(t.Folder, name), ended: make(chan struct{})}
	log := d.folder + ".log"
	f, err := os.Create(log)
	t.Demand(err == nil, "%v", err)
	defer f.Close()
	d.cmd = exec.CommandContext(t.Context, t.Canvass, "dev", "--nodes", strconv.Itoa(nodes), "--dir", d.folder)
	d.cmd.Cancel = func() error { return d.cmd.Process.Signal(syscall.SIGTERM) }
	d.cmd.Stderr, d.cmd.Env = f, t.Environment()
	err = d.cmd.Start()
	t.Demand(err == nil, "%v", err)
	go func() { _ = d.cmd.Wait(); close(d.ended) }()
	d.ready = t.Until(time.Minute, "ready", func() bool {
		text, _ := os.ReadFile(log)
		select {
		case <-d.ended:
			t.Demand(false, "dev has ended: %s", trials.LastLine(string(text)))
		default:
		}
		return strings.Contains(string(text), "are ready")
	})
	return d
}

// end ends the command.
func (d *dev) end() {
	_ = d.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-d.ended:
	case <-time.After(20 * time.Second):
		_ = d.cmd.Process.Kill()
	}
}
