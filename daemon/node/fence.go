package node

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

// FencedNext is what to do when a life was fenced.
const FencedNext = "start the daemon again: it comes back as a new node, and jobs go on"

// The reasons for a fence that are not those of the lease core.
const (
	fenceExpired    = "expired" // as the lease core has it
	fenceMap        = "map"
	fenceWrite      = "write"
	fenceHung       = "hung"
	fenceUnkillable = "unkillable"
	fenceOther      = "other"
)

// fenceReasons are all reasons for a fence, those of the lease core among them.
var fenceReasons = []string{
	fenceExpired, fenceMap, fenceWrite, fenceHung, fenceUnkillable, fenceOther,
	lease.Condemned.String(), lease.OtherGeneration.String(), lease.Alone.String(),
}

// fence is the end of a life, with a fixed word for its reason.
type fence struct {
	reason string
	error
}

// Unwrap returns the error, which is ErrFenced.
func (f fence) Unwrap() error { return f.error }

// fenced is the error of a life that ends.
func (r *runtime) fenced(reason, text string) error {
	return fence{reason, fmt.Errorf("%w: node %v: %s", ErrFenced, r.self, text)}
}

// fences are the lives of a daemon that were fenced.
type fences struct {
	file   string
	log    *slog.Logger
	former map[string]uint64 // how many before this one, by reason
}

// readFences reads how many lives of a daemon were fenced: for each reason, though it be none. A
// count that is lost costs nothing else.
func readFences(folder string, log *slog.Logger) *fences {
	all := &fences{filepath.Join(folder, disk.Fences), log, map[string]uint64{}}
	for _, reason := range fenceReasons {
		all.former[reason] = 0
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
	maps.Copy(all.former, counted)
	return all
}

// note counts the end of this life if it was fenced, for metrics of later ones.
func (all *fences) note(end error) {
	if !errors.Is(end, ErrFenced) {
		return
	}
	reason, f := fenceOther, fence{}
	if errors.As(end, &f) {
		reason = f.reason
	}
	counted := maps.Clone(all.former)
	counted[reason]++
	text, err := json.Marshal(counted)
	if err == nil {
		err = fileio.WriteText(all.file, text)
	}
	if err != nil {
		all.log.Warn("a life that was fenced is not counted", "error", err)
	}
}
