package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/library"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// layInputs puts the inputs of a job into the working folder of its attempt. The end comes on the
// node's goroutine.
func (t *Attempts) layInputs(a *Attempt, then func(error)) {
	spec, sources, attempt := a.spec, a.At.Custodians, a.String()
	if len(spec.Inputs) == 0 && spec.Stdin == "" {
		then(nil)
		return
	}
	a.laying = true
	a.inputs.Begin(spec)
	t.Machine.Go(func() {
		err := t.Library.Lay(spec, sources, attempt, &a.inputs)
		t.Post(func() {
			a.laying = false
			if a.ended {
				t.removeWork(a)
				return
			}
			if errors.Is(err, rpc.ErrGivenUp) {
				t.After(rpc.RepeatEvery, func() { t.layInputs(a, then) }) // all its custodians are down
				return
			}
			then(err)
		})
	})
}

// tellRank reports the end of a task without outputs to the custodians of its job. The end comes on
// the node's goroutine.
func (t *Attempts) tellRank(a *Attempt, told jobs.Rank, failed bool, then func()) {
	report := rpc.RankReport{JobAttempt: a.ofJob(), Rank: told}
	if failed {
		rpc.Rank.Ask(t.Calls, a.primary().Within(failedPatience), report, func(bool, error) { then() })
		return
	}
	rpc.Rank.Ask(t.Calls, rpc.Primary(a.At.Custodians).Within(failedPatience), report, nil)
	then()
}

// failedPatience is how long the end of a task waits until its last lines have arrived.
const failedPatience = 2 * time.Second

// keepOutputs has the custodians of a job keep the outputs of a task whose process has ended. They
// answer when the outputs are on their disks, or when that is not possible.
func (t *Attempts) keepOutputs(a *Attempt) {
	patterns, attempt, told := a.spec.Outputs, a.String(), a.Told
	ctx, stop := context.WithCancel(context.Background())
	a.laying, a.unwanted = true, stop
	t.Machine.Go(func() {
		defer stop()
		collect(ctx, t.Host, attempt, patterns, &told)
		t.Post(func() {
			a.laying, a.Told = false, told
			if a.ended {
				t.removeWork(a)
				return
			}
			report := rpc.RankReport{JobAttempt: a.ofJob(), Rank: told}
			rpc.Rank.Ask(t.Calls, a.primary(), report, func(kept bool, err error) {
				t.removeWork(a)
				t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandKept, Kept: kept && err == nil})
			})
		})
	})
}

// collect lists the outputs in a working folder, and the unreadable ones.
func collect(ctx context.Context, h host.Host, attempt string, patterns []string, told *jobs.Rank) {
	matched := make([]bool, len(patterns))
	found := h.Collect(ctx, attempt, blobs.Wanted{
		File: func(name string) (wanted bool) {
			for i, p := range patterns {
				if name != host.StdinFile && name != host.PeersFile && jobs.Matches(p, name) {
					matched[i], wanted = true, true
				}
			}
			return wanted
		},
		Below: func(folder string) bool {
			return slices.ContainsFunc(patterns, func(p string) bool { return jobs.MayHold(p, folder) })
		},
		Most: jobs.FilesLimit, Largest: jobs.FileLimit,
	})
	size := 0
	for _, e := range found.Files {
		f := jobs.File{
			Path: verbatim.Text(e.Path), Digest: e.Digest, Size: e.Size, Mode: e.Mode, Link: verbatim.Text(e.Link),
		}
		text, err := json.Marshal(f)
		if size += len(text); err != nil || size > jobs.SpecLimit {
			told.Miss(e.Path, "the list of outputs is too long; put them into an archive")
			continue
		}
		told.Outputs = append(told.Outputs, f)
	}
	for _, m := range found.Missed {
		told.Miss(m.Path, m.Err.Error())
	}
	for _, name := range found.Others {
		told.Remark(fmt.Sprintf("%q is neither a file nor a link: it has no content that could be kept", name))
	}
	for i, p := range patterns {
		if !matched[i] {
			told.Remark(fmt.Sprintf("no file matches the output %q", p))
		}
	}
}

// removeWork removes the working folder of an attempt of which no process runs.
func (t *Attempts) removeWork(a *Attempt) {
	if a.laying || a.isRunning() {
		return
	}
	t.Host.Clear(a.String())
}

// AnswerContent reads an output in the working folder of a task that has ended, if this host has
// reported that output.
func (t *Attempts) AnswerContent(_ protocol.NodeID, p rpc.PieceOf) (func() (rpc.Fragment, error), error) {
	a := t.All[life.MusterID(p.By, p.Epoch)]
	if a == nil || !slices.ContainsFunc(a.Told.Outputs, func(f jobs.File) bool { return f.Path == p.Path }) {
		return nil, fmt.Errorf("node %v has no output %q of attempt %s", t.Self, p.Path, life.AttemptText(p.By, p.Epoch))
	}
	attempt := a.String()
	return func() (rpc.Fragment, error) {
		f, err := t.Host.OpenFile(attempt, string(p.Path))
		if err != nil {
			return rpc.Fragment{}, err
		}
		return library.PieceFrom(f, p.Offset, rpc.PieceSize)
	}, nil
}
