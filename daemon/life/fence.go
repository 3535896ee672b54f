package life

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// ErrFenced says that the incarnation has ended since others may count it as dead: it could not
// renew its lease, or the map has given its zone away. The daemon can be started again at once.
var ErrFenced = errors.New("this incarnation is over")

// ErrIdentity says that the identity of the node is unusable.
var ErrIdentity = errors.New("the identity of the node is unusable")

// FencedNext tells users how to continue after a fence.
const FencedNext = "start the daemon again: it comes back as a new node, and jobs go on"

// The reasons for a fence that are not those of the lease core.
const (
	FenceExpired    = "expired" // as the lease core has it
	FenceMap        = "map"
	FenceWrite      = "write"
	FenceHung       = "hung"
	FenceUnkillable = "unkillable"
	FenceOther      = "other"
)

// FenceReasons are all reasons for a fence, those of the lease core among them.
var FenceReasons = []string{
	FenceExpired, FenceMap, FenceWrite, FenceHung, FenceUnkillable, FenceOther,
	lease.Condemned.String(), lease.OtherGeneration.String(), lease.Alone.String(),
}

// fence is the end of an incarnation, with a fixed word for its reason.
type fence struct {
	reason string
	error
}

// Unwrap returns the error, which is ErrFenced.
func (f fence) Unwrap() error { return f.error }

// Fenced is the error of an incarnation that is fenced.
func (r *Runtime) Fenced(reason, text string) error {
	return fence{reason, fmt.Errorf("%w: node %v: %s", ErrFenced, r.Self, text)}
}

// Fences are the incarnations of a daemon that were fenced.
type Fences struct {
	file   string
	log    *slog.Logger
	Former map[string]uint64 // how many before this one, by reason
}

// ReadFences reads how many incarnations of a daemon were fenced, for each reason, including zeros.
// A lost count has no other consequence.
func ReadFences(folder string, log *slog.Logger) *Fences {
	all := &Fences{filepath.Join(folder, disk.Fences), log, map[string]uint64{}}
	for _, reason := range FenceReasons {
		all.Former[reason] = 0
	}
	counted := map[string]uint64{}
	text, err := fileio.Read(all.file, 1<<20)
	if err == nil {
		err = json.Unmarshal(text, &counted)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("the number of lives that were fenced is lost", "error", err)
		return all
	}
	maps.Copy(all.Former, counted)
	return all
}

// Note counts the end of this incarnation if it was fenced, for the metrics of later ones.
func (all *Fences) Note(end error) {
	if !errors.Is(end, ErrFenced) {
		return
	}
	reason, f := FenceOther, fence{}
	if errors.As(end, &f) {
		reason = f.reason
	}
	counted := maps.Clone(all.Former)
	counted[reason]++
	text, err := json.Marshal(counted)
	if err == nil {
		err = fileio.WriteText(all.file, text)
	}
	if err != nil {
		all.log.Warn("a fenced incarnation is not counted", "error", err)
	}
}
