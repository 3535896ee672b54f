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

// ErrFenced says that the life has ended since others may count it as dead: it could not renew its
// lease, or the map has given its zone away. Another life can begin at once.
var ErrFenced = errors.New("this life is over")

// ErrIdentity says that the identity of the node is unusable.
var ErrIdentity = errors.New("no life can begin")

// FencedNext is what to do when a life was fenced.
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

// fence is the end of a life, with a fixed word for its reason.
type fence struct {
	reason string
	error
}

// Unwrap returns the error, which is ErrFenced.
func (f fence) Unwrap() error { return f.error }

// Fenced is the error of a life that ends.
func (r *Runtime) Fenced(reason, text string) error {
	return fence{reason, fmt.Errorf("%w: node %v: %s", ErrFenced, r.Self, text)}
}

// Fences are the lives of a daemon that were fenced.
type Fences struct {
	file   string
	log    *slog.Logger
	Former map[string]uint64 // how many before this one, by reason
}

// ReadFences reads how many lives of a daemon were fenced: for each reason, though it be none. A
// count that is lost costs nothing else.
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

// Note counts the end of this life if it was fenced, for metrics of later ones.
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
		all.log.Warn("a life that was fenced is not counted", "error", err)
	}
}
