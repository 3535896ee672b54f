package check

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// recorder writes counterexamples as traces.
type recorder struct {
	folder string // "" writes none
	build  cli.Build
}

// record writes a trace for each violated property that has a counterexample, and notes its file.
func (rec *recorder) record(system model.Checkable, r *result) error {
	if rec.folder == "" {
		return nil
	}
	for i := range r.findings {
		f := &r.findings[i]
		if _, ok := f.steps(); !ok {
			continue
		}
		file, err := rec.write(system, f)
		if err != nil {
			return fmt.Errorf("writing the counterexample to %s: %w", f.Property.Name, err)
		}
		f.trace = file
	}
	return nil
}

func (rec *recorder) write(system model.Checkable, f *finding) (string, error) {
	t, err := model.Trace(system, f.Outcome)
	if err != nil {
		return "", err
	}
	t.Header.Commit, t.Header.Go = rec.build.Commit, rec.build.Go
	path := filepath.Join(rec.folder,
		cli.FileName(t.Header.Model)+"."+cli.FileName(t.Header.Property)+verdict.TraceEnding)
	if err := fileio.WriteIn(path, func(w io.Writer) error { return traces.Write(w, t) }); err != nil {
		return "", fmt.Errorf("--trace-dir: %w", err)
	}
	return filepath.ToSlash(path), nil
}

// panicked describes a panic of a core.
func panicked(p *checker.PanicError) error {
	what := "the core panicked"
	switch {
	case p.Broken() != nil:
		what = "the contract of a model is broken"
	case strings.Contains(p.Function, " of property "), strings.HasPrefix(p.Function, "Quiescent"):
		what = p.Function + " panicked"
	}
	return fmt.Errorf("%s after %s: %s", what, english.Count(p.Depth(), "step"), cli.OneLine(p.Problem()))
}
