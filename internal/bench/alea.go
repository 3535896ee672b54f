package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// aleaPolicies are the numbers that Alea has for policies.
var aleaPolicies = map[string]string{"easy": "2"}

// aleaLimit bounds a run: Alea waits forever for a job that it could not read.
const aleaLimit = 20 * time.Minute

// compileAlea compiles Alea, whose folder has src and lib, into a folder.
func compileAlea(source, folder string) (peer, error) {
	var files []string
	err := filepath.WalkDir(filepath.Join(source, "src"), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".java") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return peer{}, fmt.Errorf("read Alea: %w", err)
	}
	classes := filepath.Join(folder, "alea")
	libraries := filepath.Join(source, "lib", "simjava.jar") + ":" + filepath.Join(source, "lib", "gridsim.jar")
	args := append([]string{"-nowarn", "-encoding", "UTF-8", "-cp", libraries, "-d", classes}, files...)
	if out, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		return peer{}, fmt.Errorf("compile Alea: %w\n%s", err, out)
	}
	settings, err := os.ReadFile(filepath.Join(source, "configuration.properties"))
	if err != nil {
		return peer{}, fmt.Errorf("read Alea: %w", err)
	}
	run := func(policy string, processors int, log string) (map[int64]int64, float64, error) {
		there, err := os.MkdirTemp(folder, "run")
		if err != nil {
			return nil, 0, err
		}
		first, err := aleaInput(there, settings, aleaPolicies[policy], processors, log)
		if err != nil {
			return nil, 0, err
		}
		return runAlea(there, libraries+":"+classes, first)
	}
	return peer{"Alea", run}, nil
}

// aleaInput writes what Alea reads, and returns when the first job is submitted.
func aleaInput(folder string, settings []byte, policy string, processors int, log string) (first int64, err error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	var jobs []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != ';' {
			jobs = append(jobs, line)
		}
	}
	if len(jobs) == 0 {
		return 0, fmt.Errorf("%s has no jobs", log)
	}
	if first, err = strconv.ParseInt(strings.Fields(jobs[0])[1], 10, 64); err != nil {
		return 0, err
	}
	ours := map[string]string{
		"data_sets": "log.swf", "data_set_dir": ".", "total_gridlet": strconv.Itoa(len(jobs)), "first_arrival": "0",
		"algorithms": policy, "use_RAM": "false", "estimate": "true", "skip": "1",
	}
	var all strings.Builder
	for line := range strings.Lines(string(settings)) {
		name, _, _ := strings.Cut(line, "=")
		if value, set := ours[strings.TrimSpace(name)]; set {
			line = name + "=" + value + "\n"
		}
		all.WriteString(line)
	}
	for name, text := range map[string]string{
		"configuration.properties": all.String(), "log.swf": strings.Join(jobs, "\n") + "\n",
		"log.swf.machines": fmt.Sprintf("0\tlog\t%d\t1\t1\t1048576\n", processors),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	return first, nil
}

// runAlea runs it and reads the starts that it has written. Its clock begins a while before the
// first submission.
func runAlea(folder, classes string, first int64) (starts map[int64]int64, seconds float64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), aleaLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-Djava.awt.headless=true", "-cp", classes,
		"xklusac.environment.ExperimentSetup")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("run Alea: %w\n%s", err, out[max(0, len(out)-1000):])
	}
	files, err := filepath.Glob(filepath.Join(folder, "results", "*", "*", "*", "jobs_*.csv"))
	if err != nil {
		return nil, 0, err
	}
	if len(files) != 1 {
		return nil, 0, fmt.Errorf("run Alea: it has written %d files of jobs, want 1", len(files))
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, 0, err
	}
	starts = map[int64]int64{}
	begin := int64(math.MaxInt64)
	for line := range bytes.Lines(text) {
		fields := strings.Split(string(line), "\t")
		number, err := strconv.ParseInt(strings.TrimSpace(fields[0]), 10, 64)
		if err != nil || len(fields) < 5 {
			continue // the names of the columns
		}
		arrival, errArrival := aleaSeconds(fields[2])
		at, errAt := aleaSeconds(fields[4])
		if err := errors.Join(errArrival, errAt); err != nil {
			return nil, 0, fmt.Errorf("read the jobs of Alea: %w", err)
		}
		starts[number], begin = at, min(begin, arrival)
	}
	for number := range starts {
		starts[number] += first - begin
	}
	return starts, cmd.ProcessState.UserTime().Seconds() + cmd.ProcessState.SystemTime().Seconds(), nil
}

// aleaSeconds reads the whole seconds of a time, which has a comma for a decimal point and may have
// an exponent: "1,2345678E7".
func aleaSeconds(text string) (int64, error) {
	seconds, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	return int64(seconds), err
}
