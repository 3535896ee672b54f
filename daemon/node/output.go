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
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/pieces"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

const outputPatience = 5 * time.Second

// Output returns a part of the output of a rank, from the host that has it on its disk. The host
// reports the size; the bytes bypass the goroutines of both nodes.
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
	size, err := life.Query(ctx, u, rpc.Output, host, name, outputPatience)
	switch {
	case errors.Is(err, rpc.ErrUnreadable):
		return out, err
	case errors.Is(err, rpc.ErrOver):
		text := "which the witnesses count as dead"
		has := func() (bool, error) { _, has := u.hasLeft(host); return has, nil }
		if left, err := life.On(ctx, u, has); err == nil && left {
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
	content, err := u.outputs.part(ctx, host, name, q.Offset, q.Part(size))
	return api.Output{ReadCloser: content, Size: size}, err
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

// outputs are the output streams of the tasks of this host, and access to those of other hosts.
type outputs struct {
	*life.Runtime
	*config.Settings
	pieces *pieces.Exchange // beside the node's goroutine
}

func newOutputs(r *life.Runtime, s *config.Settings) *outputs {
	o := &outputs{Runtime: r, Settings: s}
	o.pieces = pieces.New(o.openNamed)
	return o
}

// part reads a part of an output.
func (o *outputs) part(
	ctx context.Context, host protocol.NodeID, name rpc.OutputName, offset, end int64,
) (io.ReadCloser, error) {
	if offset == end {
		return http.NoBody, nil
	}
	text, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	if host.Address != o.Self.Address {
		return o.pieces.Open(ctx, protocol.NodeID{Address: host.Address}, text, offset, end), nil
	}
	f, err := o.openNamed(text)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, offset, end-offset), f}, nil
}

// answerOutput says how large an output is so far.
func (o *outputs) answerOutput(_ protocol.NodeID, name rpc.OutputName) (int64, error) {
	f, info, err := o.open(name)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil // nothing has started
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), f.Close()
}

// openNamed opens a file that is read piece by piece. It is not for the node's goroutine alone.
func (o *outputs) openNamed(name []byte) (*os.File, error) {
	decoded, err := rpc.Decode[rpc.OutputName](name)
	if err != nil {
		return nil, err
	}
	f, _, err := o.open(decoded)
	return f, err
}

func (o *outputs) open(name rpc.OutputName) (*os.File, fs.FileInfo, error) {
	if name.Stream != "stdout" && name.Stream != "stderr" {
		return nil, nil, fmt.Errorf("no stream %q", name.Stream)
	}
	return host.OpenOutput(host.OutputFile(o.Options.Folder, life.AttemptText(name.By, name.Epoch), name.Stream))
}

// answerPrinted says how many bytes attempts have printed here, on each stream.
func (o *outputs) answerPrinted(_ protocol.NodeID, names []rpc.AttemptName) ([][2]int64, error) {
	all := [][2]int64{}
	for _, name := range names[:min(len(names), elementsSize)] {
		var sizes [2]int64
		for i, stream := range []string{"stdout", "stderr"} {
			f, info, err := o.open(rpc.OutputName{AttemptName: name, Stream: stream})
			if err == nil {
				sizes[i] = info.Size()
				_ = f.Close()
			}
		}
		all = append(all, sizes)
	}
	return all, nil
}

// answerForget removes the output of an attempt.
func (o *outputs) answerForget(_ protocol.NodeID, a rpc.AttemptName) (rpc.None, error) {
	return rpc.None{}, o.Host.Forget(life.AttemptText(a.By, a.Epoch))
}
