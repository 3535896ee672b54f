package main

import (
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/canvass-grid/canvass/internal/trials"
)

const (
	outputLines = 20     // that a task prints
	floodLines  = 20_000 // likewise, of a job that floods its log
	floodEvery  = 32     // one in 32 jobs floods its log
)

// Job is the program of the jobs of a run. A word makes it leave files.
func Job() trials.Task { return trials.Task{Print: outputOf, Leave: leave} }

// leave leaves the files that a word stands for.
func leave(word, job, attempt string, rank int) error {
	if word == declaresWord {
		return leaveOutputs(job, attempt, rank)
	}
	return leaveMess(word)
}

// outputOf is the text that the task of a rank prints.
func outputOf(job string, rank int) string {
	var b strings.Builder
	lines := outputLines
	if crc32.ChecksumIEEE([]byte(job))%floodEvery == 0 {
		lines = floodLines
	}
	for i := range lines {
		fmt.Fprintf(&b, "job %s rank %d line %d\n", job, rank, i)
	}
	return b.String()
}
