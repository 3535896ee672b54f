package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

const outputPatience = 5 * time.Second

// Output returns a part of the output of a rank, from the host that has it on its disk. The host
// says how large it is; its bytes come past the goroutines of both nodes.
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
	host, name := a.Hosts[q.Rank], rpc.OutputName{
		AttemptName: rpc.AttemptName{By: a.By, Epoch: a.Epoch}, Stream: q.Stream,
	}
	size, err := query(ctx, u, rpc.Output, host, name, outputPatience)
	switch {
	case errors.Is(err, rpc.ErrUnreadable):
		return out, err
	case errors.Is(err, rpc.ErrOver):
		text := "which the witnesses count as dead"
		has := func() (bool, error) { _, has := u.hasLeft(host); return has, nil }
		if left, err := on(ctx, u.Node, has); err == nil && left {
			text = "which has left the grid"
		}
		return out, api.Errorf(blobs.ErrLost, "the output of rank %d is on the disk of node %v, %s; "+
			"start its daemon again to read it", q.Rank, host, text)
	case errors.Is(err, rpc.ErrGivenUp):
		return out, fmt.Errorf("the output of rank %d is on the disk of node %v, which does not answer; "+
			"canvass node status says when it does, or counts as dead", q.Rank, host)
	case err != nil:
		return out, fmt.Errorf("the output of rank %d is on the disk of node %v: %w", q.Rank, host, err)
	}
	content, err := u.outputPart(ctx, host, name, q.Offset, q.Part(size))
	return api.Output{ReadCloser: content, Size: size}, err
}

// outputPart reads a part of an output.
func (n *Node) outputPart(
	ctx context.Context, host protocol.NodeID, name rpc.OutputName, offset, end int64,
) (io.ReadCloser, error) {
	if offset == end {
		return http.NoBody, nil
	}
	text, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	if host.Address != n.self.Address {
		return n.pieces.Open(ctx, protocol.NodeID{Address: host.Address}, text, offset, end), nil
	}
	f, err := n.openNamed(text)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, offset, end-offset), f}, nil
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

// answerOutput says how large an output is so far.
func (n *Node) answerOutput(_ protocol.NodeID, o rpc.OutputName) (int64, error) {
	f, info, err := n.openOutput(o)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil // nothing has started
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), f.Close()
}

// openNamed opens a file that is read piece by piece. It is not for the node's goroutine alone.
func (n *Node) openNamed(name []byte) (*os.File, error) {
	o, err := rpc.Decode[rpc.OutputName](name)
	if err != nil {
		return nil, err
	}
	f, _, err := n.openOutput(o)
	return f, err
}

func (n *Node) openOutput(o rpc.OutputName) (*os.File, fs.FileInfo, error) {
	if o.Stream != "stdout" && o.Stream != "stderr" {
		return nil, nil, fmt.Errorf("no stream %q", o.Stream)
	}
	return host.OpenOutput(host.OutputFile(n.options.Folder, attemptText(o.By, o.Epoch), o.Stream))
}
