package check

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// session checks models one after the other and passes each result to all outputs.
type session struct {
	options      checker.Options
	limits       *limits
	outputs      []output
	checkpointer *checkpointer
	swarm        swarm
	recorder     recorder
	progress     *cli.Progress
}

// output is a place where results go: the lines of families, the table, JSON, a JUnit file.
type output interface {
	// result is called as soon as a model is checked, or it is certain that it will not be.
	result(r *result) error
	// end is called once, after the last model.
	end(all []*result) error
}

func (s *session) run(ctx context.Context, systems []chosen) error {
	if limit := s.options.MemoryLimitBytes; limit > 0 {
		// The limit counts tables. The garbage collector gets a quarter on top, and keeps to that.
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(limit + limit/4)))
	}
	defer checker.TuneCollector()()
	var all []*result
	code := cli.CodeOK
	for _, system := range systems {
		r := s.check(ctx, system)
		r.limits = s.limits
		all = append(all, r)
		code = cli.Worse(code, r.code())
		s.progress.Clear()
		for _, o := range s.outputs {
			if err := o.result(r); err != nil {
				return err
			}
		}
	}
	for _, o := range s.outputs {
		if err := o.end(all); err != nil {
			return err
		}
	}
	if code != cli.CodeOK {
		return cli.Code(code)
	}
	return nil
}

func (s *session) check(ctx context.Context, system chosen) *result {
	info := system.Info()
	if ctx.Err() != nil {
		return &result{info: info}
	}
	options := s.options
	options.Progress = func(p checker.Progress) { s.progress.Show(status(info.Name, p)) }
	options.ProgressEvery = s.progress.Every()
	m := system.Model()
	if err := s.checkpointer.prepare(&options, info, m); err != nil {
		return &result{info: info, err: err}
	}
	report, err := s.search(ctx, m, options)
	if p := (*checker.PanicError)(nil); errors.As(err, &p) {
		err = panicked(p)
	}
	if err != nil {
		return &result{info: info, err: err}
	}
	r, err := compareVerdicts(info, report, system.overridden)
	if err != nil {
		return &result{info: info, err: err}
	}
	r.resume, r.err = s.checkpointer.finish(options, info, report)
	if m, ok := m.(model.Coverer); ok {
		coverage := m.Coverage(report.ClassCounts)
		r.coverage, r.dead = &coverage, report.Complete && !system.overridden && len(coverage.Never) > 0
	}
	if err := s.recorder.record(system.Checkable, r); err != nil {
		r.err = err
	}
	return r
}

// search checks a model, exhaustively or by a swarm.
func (s *session) search(ctx context.Context, m checker.Model, o checker.Options) (*checker.Report, error) {
	if s.swarm.searches > 0 {
		return checker.Swarm(ctx, m, o, s.swarm.searches, s.swarm.shard)
	}
	return checker.Check(ctx, m, o)
}

// status is how far the check of a model has come.
func status(name string, p checker.Progress) string {
	return fmt.Sprintf("%s %s: %s states, queue %s, depth %d, %s states/s, %s, %s", name, p.Phase,
		english.Grouped(p.States), english.Grouped(p.Queue), p.Depth,
		english.Grouped(uint64(cli.Rate(p.States, p.Elapsed))), size(p.MemoryBytes), p.Elapsed.Truncate(time.Second))
}
