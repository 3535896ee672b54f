package lab

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Again runs the cell of a row again, to get the record of each job. The jobs must start exactly as
// they did for the row; otherwise the log or the program has changed, and the error says so.
func (l *Lab) Again(ctx context.Context, r *Row) (*Outcome, error) {
	o, err := l.Run(ctx, r.Experiment, r.Settings, r.Seed)
	if err != nil {
		return nil, err
	}
	what := ""
	switch {
	case o.Row.SourceDigest != r.SourceDigest:
		what = fmt.Sprintf("its log, %s, had the digest %s and has %s now", r.Source, r.SourceDigest, o.Row.SourceDigest)
	case o.Row.StartsDigest != r.StartsDigest:
		what = fmt.Sprintf("its jobs start at other times than in the row, which was made by commit %s", r.Commit)
	default:
		return o, nil
	}
	return nil, usage.Errorf("run %s with seed %d again: %s; make the rows anew", r.Settings.String(), r.Seed, what)
}
