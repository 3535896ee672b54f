package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	outputPatience = 5 * time.Second
	outputPiece    = 64 << 10
)

// Output returns a piece of the output of a rank, from the host that has it on its disk.
func (u users) Output(ctx context.Context, id string, q api.OutputQuery) (out api.Output, err error) {
	r, err := u.find(ctx, id)
	if err != nil {
		return out, err
	}
	a, err := attemptOf(r, q)
	if errors.Is(err, jobs.ErrUnknown) { // the custodian that decides may know of a later attempt
		if r, err = u.Job(ctx, r.ID); err == nil {
			a, err = attemptOf(r, q)
		}
	}
	if err != nil {
		return out, err
	}
	host := a.Hosts[q.Rank]
	raw, err := u.query(ctx, host, "output",
		outputRequest{attemptName{By: a.By, Epoch: a.Epoch}, q.Stream, q.Offset}, outputPatience)
	switch {
	case errors.Is(err, errOver):
		return out, api.Errorf(blobs.ErrLost,
			"the output of rank %d is on the disk of node %v, which the witnesses count as dead; "+
				"start its daemon again to read it", q.Rank, host)
	case errors.Is(err, errGivenUp):
		return out, fmt.Errorf("the output of rank %d is on the disk of node %v, which does not answer; "+
			"canvass nodes says when it does, or counts as dead", q.Rank, host)
	case err != nil:
		return out, fmt.Errorf("the output of rank %d is on the disk of node %v: %w", q.Rank, host, err)
	}
	return decode[api.Output](raw)
}

// attemptOf finds the attempt of a query, and checks the query.
func attemptOf(r *jobs.Record, q api.OutputQuery) (*jobs.Attempt, error) {
	at := q.Attempt
	if at < 0 {
		at = len(r.Attempts) - 1
	}
	switch {
	case q.Stream != "stdout" && q.Stream != "stderr":
		return nil, fmt.Errorf("%w: stream %q; want stdout or stderr", jobs.ErrSpec, q.Stream)
	case at < 0 || at >= len(r.Attempts):
		return nil, api.Errorf(jobs.ErrUnknown, "%s has no attempt %d; %d have run", r.ID, at+1, len(r.Attempts))
	case q.Rank < 0 || q.Rank >= len(r.Attempts[at].Hosts):
		return nil, api.Errorf(jobs.ErrUnknown, "%s has no rank %d; its ranks are 0 to %d",
			r.ID, q.Rank, len(r.Attempts[at].Hosts)-1)
	}
	return &r.Attempts[at], nil
}

// outputRequest asks a host for a piece of an output.
type outputRequest struct {
	attemptName
	Stream string `json:"stream"`
	Offset int64  `json:"offset"`
}

func (n *Node) answerOutput(_ protocol.NodeID, o outputRequest) (any, error) {
	if o.Stream != "stdout" && o.Stream != "stderr" {
		return nil, fmt.Errorf("no stream %q", o.Stream)
	}
	f, _, err := openOutput(n.outputFile(attemptText(o.By, o.Epoch), o.Stream))
	if errors.Is(err, os.ErrNotExist) {
		return api.Output{}, nil // nothing has started
	}
	if err != nil {
		return nil, err
	}
	return pieceFrom(f, o.Offset, outputPiece)
}

// openOutput opens the output of a task. The task can put something else in its place. That must
// not block the goroutine of the node, as a named pipe would, or lead to another file.
func openOutput(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("the task has put something that is no file in place of its output %s", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
