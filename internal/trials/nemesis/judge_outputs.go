package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/internal/trials"
)

// declaresWord is the last argument of a task that leaves outputs.
const declaresWord = "outputs"

const (
	declaringEvery = 3                // one in 3 jobs declares outputs
	declaringPlan  = 0x6f757470757473 // a separate source of randomness for them
	outputPattern  = "out/**"         // which they declare
	largeEvery     = 8                // one in 8 jobs that declare outputs has large ones
	smallOutput    = 20               // lines
	largeOutput    = 6000             // lines: more than daemons copy at once
	fetchTries     = 5                // of an output, before it counts as lost
)

// outputPaths are the outputs of each rank of a job that declares some.
func outputPaths() []string { return []string{"out/first", "out/deep/second"} }

// declares reports whether the job of a key declares outputs.
func declares(seed uint64, key string) bool {
	r := rand.New(rand.NewPCG(seed^declaringPlan, uint64(crc32.ChecksumIEEE([]byte(key)))))
	return r.IntN(declaringEvery) == 0
}

// declare makes a job declare outputs, and its tasks leave them.
func (h *handed) declare() {
	h.spec.Outputs = verbatim.List{outputPattern}
	h.spec.Command = append(h.spec.Command, declaresWord)
}

// contentOf is the text that a rank of an attempt leaves in a file.
func contentOf(job, attempt string, rank int, path string) string {
	var b strings.Builder
	lines := smallOutput
	if crc32.ChecksumIEEE([]byte(job))%largeEvery == 0 {
		lines = largeOutput
	}
	for i := range lines {
		fmt.Fprintf(&b, "job %s attempt %s rank %d file %s line %d\n", job, attempt, rank, path, i)
	}
	return b.String()
}

// leaveOutputs writes the outputs of a task into its working folder.
func leaveOutputs(job, attempt string, rank int) error {
	for _, path := range outputPaths() {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(contentOf(job, attempt, rank, path)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// outputFile names an output of a job.
type outputFile struct {
	job  string
	rank int
	path string
}

// content is the output that a user got.
type content struct {
	text string
	err  error
}

// files fetches the declared outputs of the jobs that have succeeded. A missing one is requested
// again: a daemon may just have started.
func (s *settling) files(ctx context.Context) map[outputFile]content {
	all := map[outputFile]content{}
	for id, h := range s.workload.jobs {
		record := s.final[id]
		if record == nil || record.State != jobs.Succeeded || len(h.spec.Outputs) == 0 {
			continue
		}
		tries := fetchTries
		if s.bereft(record) {
			tries = 1 // it may be gone for good
		}
		for try := 1; ; try++ {
			got, whole := s.filesOf(ctx, h)
			if whole || try >= tries || ctx.Err() != nil {
				maps.Copy(all, got)
				break
			}
			s.until(ctx, trials.BootTime()+lookEvery)
		}
	}
	return all
}

// filesOf fetches the outputs of a job, as canvass get does, and reports whether all came.
func (s *settling) filesOf(ctx context.Context, h *handed) (all map[outputFile]content, whole bool) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	all, whole = map[outputFile]content{}, true
	grid := api.NewClient(s.workload.sockets[h.entry])
	record, err := grid.Job(limited, h.id)
	for rank := range h.spec.Tasks {
		for _, path := range outputPaths() {
			got := content{err: err}
			if err == nil {
				got = fetch(limited, grid, record, rank, path)
			}
			all[outputFile{h.id, rank, path}], whole = got, whole && got.err == nil
		}
	}
	return all, whole
}

// fetch reads an output that the record of a job lists.
func fetch(ctx context.Context, grid *api.Client, record *jobs.Record, rank int, path string) content {
	last := record.Last()
	if last == nil || rank >= len(last.Ranks) {
		return content{err: fmt.Errorf("the record lacks rank %d", rank)}
	}
	for _, f := range last.Ranks[rank].Outputs {
		if string(f.Path) != path {
			continue
		}
		body, err := grid.Open(ctx, f.Digest)
		if err != nil {
			return content{err: err}
		}
		defer body.Close()
		text, err := io.ReadAll(body)
		return content{string(text), err}
	}
	return content{err: errors.New("the record does not list it")}
}

// outputsKept: each declared output of a job that succeeded is there, as its last attempt left it.
func (e *evidence) outputsKept() Judgement {
	var f finding
	files, large, bereft := 0, 0, 0
	for id, h := range e.workload.jobs {
		record := e.final[id]
		if record == nil || record.State != jobs.Succeeded || len(h.spec.Outputs) == 0 {
			continue
		}
		for rank := range h.spec.Tasks {
			for _, path := range outputPaths() {
				got, asked := e.files[outputFile{id, rank, path}]
				want := contentOf(id, nameOf(record.Last()), rank, path)
				switch {
				case !asked:
					f.add("job %s (%s): output %s of rank %d was not asked for", id, h.key, path, rank)
				case got.err != nil && e.bereft(record):
					bereft++
				case got.err != nil:
					f.add("job %s (%s): output %s of rank %d is lost: %s", id, h.key, path, rank,
						strings.ReplaceAll(got.err.Error(), "\n", " "))
				case got.text != want:
					f.add("job %s (%s): output %s of rank %d has %d bytes, not the %d that its task has written: %.200q",
						id, h.key, path, rank, len(got.text), len(want), got.text)
				default:
					files++
					if strings.Count(want, "\n") == largeOutput {
						large++
					}
				}
			}
		}
	}
	detail := fmt.Sprintf("%d outputs are as their tasks left them, %d of them large", files, large)
	if bereft > 0 {
		detail += fmt.Sprintf("; %d went with half of their custodians, or more", bereft)
	}
	return f.as("J8b OutputsKept", detail)
}
