package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Build says how a model is made into a program.
type Build struct {
	File     string   // the Promela model
	Macros   []string // N=3
	Liveness bool     // for acceptance cycles; otherwise assertions and end states
}

// Program is a verifier.
type Program struct {
	path     string
	liveness bool
}

// Missing returns the commands that are not installed.
func Missing() []string {
	var missing []string
	for _, command := range []string{"spin", compiler()[0]} {
		if _, err := exec.LookPath(command); err != nil {
			missing = append(missing, command)
		}
	}
	return missing
}

func compiler() []string {
	if fields := strings.Fields(os.Getenv("CC")); len(fields) > 0 {
		return fields
	}
	return []string{"cc"}
}

// Compile makes the verifier of a model in a folder that is there and empty. Nothing is reduced,
// and states are stored whole, as they are by us.
func Compile(ctx context.Context, b Build, dir string) (*Program, error) {
	source, err := os.ReadFile(b.File)
	if err != nil {
		return nil, fmt.Errorf("spin: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "model.pml"), source, 0o600); err != nil {
		return nil, fmt.Errorf("spin: %w", err)
	}
	analyse := []string{"spin", "-a"}
	for _, m := range b.Macros {
		analyse = append(analyse, "-D"+m)
	}
	compile := append(compiler(), "-O2", "-w", "-DNOREDUCE")
	if !b.Liveness {
		compile = append(compile, "-DSAFETY", "-DNOFAIR")
	}
	for _, command := range [][]string{append(analyse, "model.pml"), append(compile, "-o", "pan", "pan.c")} {
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("spin: %s: %w: %s", b.File, err, out)
		}
	}
	return &Program{path: filepath.Join(dir, "pan"), liveness: b.Liveness}, nil
}

// Search says how a program is run.
type Search struct {
	AnyEnd   bool // states without successors are no errors
	HashBits int  // the table has 2^HashBits slots
}

// depthLimit bounds the length of a path.
const depthLimit = 100_000

// Run runs the program once.
func (p *Program) Run(ctx context.Context, s Search) (Result, error) {
	args := []string{fmt.Sprintf("-m%d", depthLimit), fmt.Sprintf("-w%d", s.HashBits)}
	if s.AnyEnd {
		args = append(args, "-E")
	}
	if p.liveness {
		args = append(args, "-a", "-f")
	}
	c := exec.CommandContext(ctx, p.path, args...)
	c.Dir = filepath.Dir(p.path)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	begin := time.Now()
	err := c.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Result{}, fmt.Errorf("spin: %w", err)
	}
	r, err := Parse(out.String())
	if err != nil {
		return r, fmt.Errorf("spin: %w: %s", err, out.String())
	}
	r.Wall, r.CPU, r.PeakBytes = wall, CPU(c.ProcessState), PeakBytes(c.ProcessState)
	return r, nil
}

// CPU is the processor time that a process took that has ended.
func CPU(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }

// PeakBytes is the largest resident size of a process that has ended.
func PeakBytes(p *os.ProcessState) uint64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return uint64(usage.Maxrss) << 10 // Linux counts in KiB
	}
	return 0
}
