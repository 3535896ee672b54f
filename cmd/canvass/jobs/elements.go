package jobs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// namedElements is how many failed elements a sentence names.
const namedElements = 10

// withFailed fills in which elements of an array have failed. Without an answer it says so, and the
// array is shown without them.
func (e Env) withFailed(ctx context.Context, g *api.Client, r *jobs.Record) {
	if r.Spec.Array == nil || failures(r) == 0 {
		return
	}
	all, err := g.Elements(ctx, r.ID, false)
	if err != nil {
		e.Stderr.Printf("canvass: the elements that have failed are not known: %v\n", err)
		return
	}
	for _, x := range all {
		if x.State.Final() && x.State != jobs.Succeeded {
			r.Failed = append(r.Failed, x.Index)
		}
	}
}

// failures is how many elements of an array have ended without success.
func failures(r *jobs.Record) (n int) {
	for state, count := range r.Counts {
		if state.Final() && state != jobs.Succeeded {
			n += count
		}
	}
	return n
}

// failedText names the first of the elements that have failed.
func failedText(r *jobs.Record) string {
	var names []string
	for _, index := range r.Failed[:min(len(r.Failed), namedElements)] {
		names = append(names, strconv.Itoa(index))
	}
	text := strings.Join(names, ", ")
	if more := len(r.Failed) - len(names); more > 0 {
		text += fmt.Sprintf(" and %s more", english.Grouped(uint64(more)))
	}
	return text
}

// elementLogs lists the elements of an array that have printed anything: an array itself has no
// output.
func (e Env) elementLogs(ctx context.Context, g *api.Client, r *jobs.Record) error {
	all, err := g.Elements(ctx, r.ID, true)
	if err != nil {
		return err
	}
	var mute []string
	for _, x := range all {
		if x.Mute != "" && !slices.Contains(mute, x.Mute) {
			mute = append(mute, x.Mute)
		}
	}
	if len(mute) > 0 {
		slices.Sort(mute)
		e.Stderr.Printf("canvass: %s: no answer; output of the elements there is not counted\n",
			strings.Join(mute, ", "))
	}
	all = slices.DeleteFunc(all, func(x api.Element) bool { return x.Stdout+x.Stderr == 0 && x.Mute == "" })
	return cli.PrintAll(e.Stdout, all, func() error { return elementTable(e, r, all) })
}

// elementTable writes a line for each element.
func elementTable(e Env, r *jobs.Record, all []api.Element) error {
	if len(all) == 0 {
		e.Stderr.Printf("canvass: no element of %s has printed anything\n", r.ID)
		return nil
	}
	t := &cli.Table{}
	t.Row("element", "state", "code", "stdout", "stderr")
	for _, x := range all {
		code := "-"
		if x.State.Final() {
			code = strconv.Itoa(x.Code)
		}
		t.Row(x.Job, string(x.State), code, sizeOf(x.Stdout, x.Mute), sizeOf(x.Stderr, x.Mute))
	}
	if err := e.Stdout.Table(t); err != nil {
		return err
	}
	e.Stderr.Printf("canvass: %s is an array; canvass logs '%s' prints the output of one element\n", r.ID, all[0].Job)
	return nil
}

// sizeOf is how many bytes were printed, as far as the hosts have said so.
func sizeOf(n int64, mute string) string {
	if mute != "" && n == 0 {
		return "?"
	}
	return english.Grouped(uint64(n))
}

// arrayError says that a job itself has no output, since it is an array.
type arrayError struct{ *jobs.Record }

func (a arrayError) Error() string { return element(a.Record).Error() }
