package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/pieces"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// Outputs are the output streams of the tasks of this host, and access to those of other hosts.
type Outputs struct {
	*life.Runtime
	*config.Settings
	Pieces *pieces.Exchange // beside the node's goroutine
}

// NewOutputs returns the outputs of the tasks of a host.
func NewOutputs(r *life.Runtime, s *config.Settings) *Outputs {
	o := &Outputs{Runtime: r, Settings: s}
	o.Pieces = pieces.New(o.openNamed)
	return o
}

// Part reads a part of an output.
func (o *Outputs) Part(
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
		return o.Pieces.Open(ctx, protocol.NodeID{Address: host.Address}, text, offset, end), nil
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

// AnswerOutput says how large an output is so far.
func (o *Outputs) AnswerOutput(_ protocol.NodeID, name rpc.OutputName) (int64, error) {
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
func (o *Outputs) openNamed(name []byte) (*os.File, error) {
	decoded, err := rpc.Decode[rpc.OutputName](name)
	if err != nil {
		return nil, err
	}
	f, _, err := o.open(decoded)
	return f, err
}

func (o *Outputs) open(name rpc.OutputName) (*os.File, fs.FileInfo, error) {
	if name.Stream != "stdout" && name.Stream != "stderr" {
		return nil, nil, fmt.Errorf("no stream %q", name.Stream)
	}
	return host.OpenOutput(host.OutputFile(o.Options.Folder, life.AttemptText(name.By, name.Epoch), name.Stream))
}

// AnswerPrinted says how many bytes attempts have printed here, on each stream.
func (o *Outputs) AnswerPrinted(_ protocol.NodeID, names []rpc.AttemptName) ([][2]int64, error) {
	all := [][2]int64{}
	for _, name := range names[:min(len(names), rpc.ElementsLimit)] {
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

// AnswerForget removes the output of an attempt.
func (o *Outputs) AnswerForget(_ protocol.NodeID, a rpc.AttemptName) (rpc.None, error) {
	return rpc.None{}, o.Host.Forget(life.AttemptText(a.By, a.Epoch))
}
