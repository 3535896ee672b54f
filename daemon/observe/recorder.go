package observe

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
)

// Recorder records what the loop does.
type Recorder struct{ *flight.Recorder } // nil: a simulator runs the node

// Begin records the state that a core begins with.
func (r Recorder) Begin(core driver.CoreID, at time.Duration, state []byte) {
	r.Recorder.Begin(flight.CoreID(core), at, state)
}

// Input records an input.
func (r Recorder) Input(core driver.CoreID, at time.Duration, input []byte) {
	r.Recorder.Input(flight.CoreID(core), at, 0, input)
}

// Output records the digest of an output.
func (r Recorder) Output(core driver.CoreID, output []byte) {
	r.Recorder.Output(flight.CoreID(core), protocol.Hash(output))
}

// End records that a core is dropped.
func (r Recorder) End(core driver.CoreID) { r.Recorder.End(flight.CoreID(core)) }

// OfLoop is the recorder for the loop; nil if nothing is recorded.
func (r Recorder) OfLoop() driver.Recorder {
	if r.Recorder == nil {
		return nil
	}
	return r
}

// OpenRecord begins the record of an incarnation.
func OpenRecord(s *config.Settings, cores []flight.CoreKind, now time.Time) (Recorder, error) {
	folder := filepath.Join(s.Options.Folder, disk.Flight)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return Recorder{}, err
	}
	address := protocol.NodeID{Address: s.ID.Address, Incarnation: 1}
	began := strings.ReplaceAll(now.UTC().Format("20060102T150405.000"), ".", "-")
	r, err := flight.New(folder, flight.Header{
		Grid: string(s.ID.Grid), Life: fmt.Sprintf("%v-%s", address, began),
		Build: s.Options.Build, Wire: config.Wire,
		Cores: cores,
	})
	return Recorder{r}, err
}

// Finish ends the record. If the incarnation has failed, its error is returned: a full disk fails
// both.
func (r Recorder) Finish(failed error, log *slog.Logger) error {
	err := r.Close()
	switch {
	case failed == nil:
		return err
	case err == nil:
		return failed
	}
	log.Warn("the flight record is not complete", "error", err)
	return failed
}

// Segment begins a segment of the record when one is due.
func (r Recorder) Segment(loop *driver.Loop, now time.Duration) {
	if r.Recorder == nil || !r.Due() {
		return
	}
	var states []flight.State
	for _, s := range loop.States() {
		states = append(states, flight.State{Core: flight.CoreID(s.Core), Bytes: s.Bytes})
	}
	r.Snapshot(now, states)
}
