package jobs

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// follower prints the output of a job.
type follower struct {
	Env
	grid    *api.Client
	id      string
	attempt int  // index; -1: the latest, and with follow the next ones
	rank    int  // -1: all
	only    bool // rank counts
	both    bool // both streams
	errors  bool // the error stream instead
	follow  bool // until the job has ended
	tail    int  // number of last lines of each stream; -1: all

	printer printer
	piece   []byte // that was read last

	lacks map[string]bool // streams reported as missing
	lost  error           // why something is missing at the end
}

// followEvery is how often output is asked for.
const followEvery = 50 * time.Millisecond

// stream is how far the output of a rank was printed.
type stream struct {
	rank   int
	name   string
	offset int64
	placed bool   // offset is where printing begins
	lost   bool   // its host is dead
	line   []byte // begun, and not yet printed
}

// run prints, and returns when the job has ended or, without follow, when all is printed.
func (f *follower) run(ctx context.Context) error {
	shown := -1
	var streams []*stream
	f.printer = newPrinter(f.Stdout.Raw(), f.Stderr.Raw())
	for {
		r, err := f.grid.Job(ctx, f.id)
		if err != nil {
			return err
		}
		f.id = r.ID
		if err := f.printable(r); err != nil {
			return err
		}
		over := r.State.Final() || !f.follow
		if over && f.attempt >= len(r.Attempts) {
			return api.Errorf(jobs.ErrUnknown, "%s has no attempt %d; %d have run", r.ID, f.attempt+1, len(r.Attempts))
		}
		for _, at := range f.attempts(r, shown) {
			if at != shown {
				if err := f.endLines(streams); err != nil {
					return err
				}
				if shown >= 0 {
					f.Stderr.Printf("canvass: attempt %d has begun; the output starts again\n", at+1)
				}
				streams, shown = f.streams(&r.Attempts[at], shown < 0), at
				f.begin(r, at)
			}
			if err := f.copy(ctx, at, streams, over); err != nil {
				return err
			}
			if f.attempt < 0 && at < len(r.Attempts)-1 {
				f.lost = nil // a later attempt counts
			}
		}
		if over {
			return f.endLines(streams)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

// printable returns an error if a job itself has no output.
func (f *follower) printable(r *jobs.Record) error {
	switch {
	case r.Spec.Array != nil && (f.follow || f.only || f.tail >= 0):
		return element(r)
	case r.Spec.Array != nil:
		return arrayError{r}
	case f.only && (f.rank < 0 || f.rank >= r.Spec.Tasks):
		return api.Errorf(jobs.ErrUnknown, "%s has no rank %d; its ranks are 0 to %d", r.ID, f.rank, r.Spec.Tasks-1)
	}
	return nil
}

// element says that an array has no outputs: its elements have.
func element(r *jobs.Record) error {
	first, _ := r.Spec.Array.At(0)
	return api.Errorf(jobs.ErrUnknown, "%s is an array; name one element, as in '%s[%d]'", r.ID, r.ID, first)
}

// attempts are the indexes of the attempts to print now: one, or all from the attempt that was
// shown.
func (f *follower) attempts(r *jobs.Record, shown int) (all []int) {
	first, last := f.attempt, f.attempt
	if f.attempt < 0 {
		first, last = len(r.Attempts)-1, len(r.Attempts)-1
		if f.follow {
			first = max(shown, 0)
		}
	}
	for at := max(first, 0); at <= last && at < len(r.Attempts); at++ {
		all = append(all, at)
	}
	return all
}

// streams are the streams of an attempt to print. Only the first attempt is shortened to its last
// lines.
func (f *follower) streams(a *jobs.Attempt, first bool) (all []*stream) {
	whole := f.tail < 0 || !first
	for rank := range a.Hosts {
		if f.only && rank != f.rank {
			continue
		}
		if f.both || !f.errors {
			all = append(all, &stream{rank: rank, name: "stdout", placed: whole})
		}
		if f.both || f.errors {
			all = append(all, &stream{rank: rank, name: "stderr", placed: whole})
		}
	}
	return all
}

// begin labels the following lines with an attempt.
func (f *follower) begin(r *jobs.Record, at int) {
	f.printer.lines = r.Spec.Tasks > 1
	if f.Stdout.WantsJSON() {
		f.printer.json = &api.Line{Version: api.Version, Job: r.ID, Attempt: at + 1}
	}
}

// copy prints the new output of each stream. If a host does not answer before the last copy, it is
// asked again. Its error is one of printing.
func (f *follower) copy(ctx context.Context, at int, streams []*stream, last bool) error {
	mute := -1 // the rank whose host has not answered
	for _, s := range streams {
		if s.rank == mute || s.lost && !last {
			continue
		}
		err := f.copyStream(ctx, at, s)
		if errors.Is(err, cli.ErrOutput) {
			return err
		}
		if err == nil || ctx.Err() != nil {
			continue
		}
		mute, s.lost = s.rank, errors.Is(err, blobs.ErrLost)
		if last && f.lost == nil {
			f.lost = err
		}
		if last || s.lost {
			f.lack(err)
		}
	}
	return f.printer.flush()
}

// copyStream prints the contents of a stream so far. A part that was cut off is requested again, if
// some of it came.
func (f *follower) copyStream(ctx context.Context, at int, s *stream) error {
	if err := f.place(ctx, at, s); err != nil {
		return err
	}
	for {
		out, err := f.grid.Output(ctx, f.id, f.query(at, s, s.offset))
		if err != nil {
			return err
		}
		before := s.offset
		err = f.copyPart(s, out)
		_ = out.Close() // it was only read
		if err == nil || s.offset == before || errors.Is(err, cli.ErrOutput) || ctx.Err() != nil {
			return err
		}
	}
}

// copyPart prints a part of a stream.
func (f *follower) copyPart(s *stream, part io.Reader) error {
	if f.piece == nil {
		f.piece = make([]byte, batchSize)
	}
	for {
		got, err := part.Read(f.piece)
		if printed := f.printer.print(s, f.piece[:got]); printed != nil {
			return printed
		}
		s.offset += int64(got)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// endLines prints lines that have no end.
func (f *follower) endLines(streams []*stream) error {
	for _, s := range streams {
		if err := f.printer.end(s); err != nil {
			return err
		}
	}
	return f.printer.flush()
}

// lack says once what is missing, and why.
func (f *follower) lack(err error) {
	text := err.Error()
	if !f.lacks[text] {
		f.Stderr.Printf("canvass: %s\n", text)
	}
	if f.lacks == nil {
		f.lacks = map[string]bool{}
	}
	f.lacks[text] = true
}
