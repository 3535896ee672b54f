package check

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// decidable leaves out liveness properties if --safety is set, and refuses a storage that cannot
// decide the others.
func (f *checkFlags) decidable(systems []chosen, storage checker.Storage) ([]chosen, error) {
	var result []chosen
	for _, s := range systems {
		if safe, ok := s.Checkable.(model.Safe); ok && f.safety {
			s.Checkable = safe.Safety()
		}
		if storage != checker.Exact {
			for _, p := range s.Model().Properties() {
				if p.Shape.Live() {
					return nil, cli.Usagef("%s: --storage %s cannot decide the liveness property %s; add --safety to "+
						"leave it out",
						s.Info().Name, storage, p.Name)
				}
			}
		}
		result = append(result, s)
	}
	return result, nil
}
