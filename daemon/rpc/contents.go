package rpc

import (
	"fmt"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

// PieceOf names a piece of a content: by its digest, or by the path of an output of an attempt.
type PieceOf struct {
	AttemptName
	Digest string        `json:"digest,omitempty"`
	Path   verbatim.Text `json:"path,omitempty"`
	Offset int64         `json:"offset"`
}

func (p *PieceOf) check() error {
	switch {
	case p.Offset < 0:
		return fmt.Errorf("a piece at %d", p.Offset)
	case (p.Digest == "") == (p.Path == ""), p.Digest != "" && !blobs.IsDigest(p.Digest):
		return fmt.Errorf("%q is no digest, and %q no path", p.Digest, p.Path)
	}
	return nil
}

// PieceSize is the largest number of bytes in a piece: as text it fits a frame.
const PieceSize = 128 << 10

// Fragment is a piece of a content.
type Fragment struct {
	Data []byte `json:"data"`
	Size int64  `json:"size"` // of the content
}

func (f *Fragment) check() error {
	if f.Size < 0 || len(f.Data) > PieceSize {
		return fmt.Errorf("%d bytes of a content of %d", len(f.Data), f.Size)
	}
	return nil
}

// DepositRequest asks a custodian to copy the outputs of a rank.
type DepositRequest struct {
	JobAttempt
	Rank  int             `json:"rank"`
	Host  protocol.NodeID `json:"host"`
	Files []jobs.File     `json:"files"`
}

func (d *DepositRequest) check() error {
	told := jobs.Rank{Outputs: d.Files}
	if d.Rank < 0 || d.Rank >= jobs.TasksLimit || len(d.Files) == 0 {
		return fmt.Errorf("%d outputs of rank %d", len(d.Files), d.Rank)
	}
	return told.Check()
}

// Absence is an output that a custodian could not copy.
type Absence struct {
	File  int    `json:"file"` // its index
	Why   string `json:"why"`
	Again bool   `json:"again,omitempty"` // another try may come to more
}

// OutputName names an output on the disk of its host.
type OutputName struct {
	AttemptName
	Stream string `json:"stream"`
}
