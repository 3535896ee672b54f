package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed driver.py
var driver []byte

// modules are the files of pyss that the driver needs.
var modules = []string{
	"base/__init__.py", "base/workload_parser.py", "base/prototype.py", "base/event_queue.py", "base/simple_heap.py",
	"base/lazy_heap.py", "schedulers/__init__.py", "schedulers/simulator.py", "schedulers/common.py",
	"schedulers/fcfs_scheduler.py", "schedulers/easy_scheduler.py", "schedulers/easy_sjbf_scheduler.py",
	"schedulers/conservative_scheduler.py",
}

// tab is the width of a tab in pyss's sources, which mix tabs with blanks.
const tab = "        "

// convert writes pyss's sources for Python 3 into a folder, and the driver beside them.
func convert(source, folder string) (peer, error) {
	args := []string{"-W", "ignore", "-m", "lib2to3", "-w", "-n"}
	for _, m := range modules {
		text, err := os.ReadFile(filepath.Join(source, "src", filepath.FromSlash(m)))
		if err != nil {
			return peer{}, fmt.Errorf("read pyss: %w", err)
		}
		path := filepath.Join(folder, filepath.FromSlash(m))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return peer{}, err
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte("\t"), []byte(tab)), 0o644); err != nil {
			return peer{}, err
		}
		args = append(args, path)
	}
	if out, err := exec.Command("python3", args...).CombinedOutput(); err != nil {
		return peer{}, fmt.Errorf("convert pyss with lib2to3: %w\n%s", err, out)
	}
	run := func(policy string, processors int, log string) (map[int64]int64, float64, error) {
		return runPyss(folder, policy, processors, log)
	}
	return peer{"pyss", run}, os.WriteFile(filepath.Join(folder, "driver.py"), driver, 0o644)
}

// asPyssReads writes a log with the times of jobs as pyss reads them. A job without a run time also
// requests a second only. A job without a requested time runs for a second, and is expected to run
// as long as it did.
func asPyssReads(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 18 || strings.HasPrefix(fields[0], ";") {
			out.WriteString(line)
			continue
		}
		const run, processors, request = 3, 4, 8
		ran, errRun := strconv.ParseFloat(fields[run], 64)
		requested, errRequest := strconv.ParseFloat(fields[request], 64)
		if err := errors.Join(errRun, errRequest); err != nil {
			return fmt.Errorf("read %s as pyss does: %w", from, err)
		}
		if n, err := strconv.Atoi(fields[processors]); err != nil || n <= 0 || ran <= 0 {
			fields[run], fields[request] = "1", "1"
		} else {
			fields[run] = strconv.FormatFloat(max(min(ran, requested), 1), 'f', -1, 64)
			fields[request] = strconv.FormatFloat(max(ran, requested, 1), 'f', -1, 64)
		}
		fmt.Fprintln(&out, strings.Join(fields, " "))
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}

// runPyss runs a policy and returns the starts by job number, in seconds, and the processor time.
func runPyss(folder, policy string, processors int, log string) (starts map[int64]int64, seconds float64, err error) {
	cmd := exec.Command("python3", filepath.Join(folder, "driver.py"), folder, policy, strconv.Itoa(processors), log)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("run pyss: %w\n%s", err, problems.Bytes())
	}
	head, rest, _ := strings.Cut(string(out), "\n")
	if seconds, err = strconv.ParseFloat(head, 64); err != nil {
		return nil, 0, fmt.Errorf("run pyss: %w", err)
	}
	starts = map[int64]int64{}
	for line := range strings.Lines(rest) {
		name, start, _ := strings.Cut(strings.TrimSpace(line), ",")
		n, errN := strconv.ParseInt(name, 10, 64)
		at, errAt := strconv.ParseInt(start, 10, 64)
		if err := errors.Join(errN, errAt); err != nil {
			return nil, 0, fmt.Errorf("run pyss: %w", err)
		}
		starts[n] = at
	}
	return starts, seconds, nil
}
