package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

const (
	retainJobs = 10_000
	tidyEvery  = time.Minute
	tidySoon   = 5 * time.Second // of a node that takes no tasks
)

// copies are the copies of records and contents that custodians make of each other's.
type copies struct {
	*life.Runtime
	*library
	grid    grid
	jobs    copied
	fitness *fitness
	erase   func(*jobs.Record)
	sorts   func() // forgets outputs of jobs that have ended

	copying  map[rankName]*copying  // outputs that are being copied here
	arriving map[rankOf][]jobs.File // those that were copied here last, of the jobs that go on
	tidied   time.Duration
}

// copied is what copies ask about the jobs of this custodian.
type copied interface {
	keepingOf(r *jobs.Record) *keeping
	isKept(k *keeping) bool
	adopt(from protocol.NodeID, text []byte) error
}

// rankName names a rank of an attempt of a job.
type rankName struct {
	job   string
	by    protocol.NodeID
	epoch uint32
	rank  int
}

// rankOf is a rank of a job, in whatever attempt.
type rankOf struct {
	job  string
	rank int
}

// answerRank notes what a host reports of a task, and says whether all its outputs are kept. With
// outputs the answer comes once they are at the custodians.
func (d *decisions) answerRank(k *keeping, from protocol.NodeID, report rpc.RankReport) (kept bool, err error) {
	open := k.record.Open()
	if open == nil || open.By != report.By || open.Epoch != report.Epoch {
		return false, nil
	}
	rank := slices.Index(open.Hosts, from)
	if rank < 0 {
		return false, nil
	}
	if len(report.Rank.Outputs) == 0 {
		d.Table.Tell(k.record, report.By, report.Epoch, rank, report.Rank)
		return report.Rank.Problem == "", nil
	}
	return d.gather(k, rankName{k.record.ID, report.By, report.Epoch, rank}, from, report)
}

// tidy forgets, now and then, what nobody needs any more: sooner if the disk is low.
func (cs *copies) tidy() {
	every := tidyEvery
	if cs.fitness.noTasks != "" {
		every = tidySoon
	}
	if cs.Clock() < cs.tidied+every {
		return
	}
	cs.tidied = cs.Clock()
	for _, r := range cs.Table.Expired(cs.Oldest(host.RetainAge), retainJobs) {
		cs.erase(r)
	}
	cs.sorts()
	maps.DeleteFunc(cs.copying, func(_ rankName, c *copying) bool { return c.done }) // nobody has asked again
	cs.Host.Tidy(cs.wanted())
}

// wanted are the contents that jobs refer to, or will: the record of a job names its outputs only
// when all its custodians have been asked for copies, which can take hours.
func (cs *copies) wanted() map[string]bool {
	all := cs.Table.Digests()
	for of, files := range cs.arriving {
		if r := cs.Table.Get(of.job); r == nil || r.State.Final() {
			delete(cs.arriving, of)
			continue
		}
		for _, f := range files {
			all[f.Digest] = true
		}
	}
	return all
}

// Put keeps a content, for the inputs of jobs.
func (u users) Put(_ context.Context, content io.Reader) (api.Content, error) {
	if err := noRoom(u.Options.Folder); err != nil {
		return api.Content{}, err
	}
	digest, size, err := u.kept.Put(content, "", jobs.FileLimit)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("%w: %w: %w; free space there%s, or ask another daemon",
			jobs.ErrBusy, disk.ErrLow, err, disk.Spare(u.Options.Folder))
	}
	return api.Content{Version: api.Version, Digest: digest, Size: size}, err
}

// Open reads a content. One that is not here, or is damaged, is copied from a daemon that has it.
func (u users) Open(ctx context.Context, digest string) (io.ReadCloser, error) {
	if !blobs.IsDigest(digest) {
		return nil, fmt.Errorf("%w: %q is no digest", blobs.ErrLost, digest)
	}
	f, err := u.sound(digest)
	if err == nil {
		return f, nil
	}
	sources, failed := life.On(ctx, u, func() (all []protocol.Address, _ error) {
		for _, life := range u.alive() {
			all = append(all, life.Address)
		}
		return all, nil
	})
	if failed != nil || len(sources) == 0 {
		return nil, errors.Join(err, failed)
	}
	failed = u.fetch(digest, sources, func(content io.Reader) error {
		_, _, err := u.cache.Put(content, digest, jobs.FileLimit)
		return err
	})
	if errors.Is(failed, blobs.ErrUnwritten) { // a disk without room is no reason to withhold it
		return io.NopCloser(u.content(digest, sources...)), nil
	}
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	return u.cache.Open(digest)
}

// layInputs puts the inputs of a job into the working folder of its attempt. The end comes on the
// node's goroutine.
func (t *attempts) layInputs(a *attempt, then func(error)) {
	spec, sources, attempt := a.spec, a.at.Custodians, a.String()
	if len(spec.Inputs) == 0 && spec.Stdin == "" {
		then(nil)
		return
	}
	a.laying = true
	a.inputs.begin(spec)
	t.Machine.Go(func() {
		err := t.library.lay(spec, sources, attempt, &a.inputs)
		t.Post(func() {
			a.laying = false
			if a.ended {
				t.removeWork(a)
				return
			}
			if errors.Is(err, rpc.ErrGivenUp) {
				t.After(rpc.RepeatEvery, func() { t.layInputs(a, then) }) // all its custodians are down
				return
			}
			then(err)
		})
	})
}

// progress is how much of the inputs of a task has arrived, and is in its working folder. The
// goroutine that copies counts, and that of the node reads.
type progress struct {
	size         int64
	copied, laid atomic.Int64
}

func (p *progress) begin(spec *jobs.Spec) {
	p.size = 0
	for _, f := range spec.Inputs {
		p.size += f.Size
	}
	p.copied.Store(0)
	p.laid.Store(0)
}

// counted adds what is read to a count.
type counted struct {
	io.Reader
	to *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.to.Add(int64(n))
	return n, err
}

// countedFile is one that is closed.
type countedFile struct {
	counted
	io.Closer
}

// tellRank tells the custodians of a job of a task that has ended and has no outputs. The end comes
// on the node's goroutine.
func (t *attempts) tellRank(a *attempt, told jobs.Rank, failed bool, then func()) {
	report := rpc.RankReport{JobAttempt: a.ofJob(), Rank: told}
	if failed {
		rpc.Rank.Ask(t.Calls, a.primary().Within(failedPatience), report, func(bool, error) { then() })
		return
	}
	rpc.Rank.Ask(t.Calls, rpc.Primary(a.at.Custodians).Within(failedPatience), report, nil)
	then()
}

// failedPatience is how long the end of a task waits until its last lines have arrived.
const failedPatience = 2 * time.Second

// keepOutputs has the custodians of a job keep the outputs of a task whose process has ended. They
// answer when the outputs are on their disks, or when that is not possible.
func (t *attempts) keepOutputs(a *attempt) {
	patterns, attempt, told := a.spec.Outputs, a.String(), a.told
	ctx, stop := context.WithCancel(context.Background())
	a.laying, a.unwanted = true, stop
	t.Machine.Go(func() {
		defer stop()
		collect(ctx, t.Host, attempt, patterns, &told)
		t.Post(func() {
			a.laying, a.told = false, told
			if a.ended {
				t.removeWork(a)
				return
			}
			report := rpc.RankReport{JobAttempt: a.ofJob(), Rank: told}
			rpc.Rank.Ask(t.Calls, a.primary(), report, func(kept bool, err error) {
				t.removeWork(a)
				t.Loop.Command(a.id, muster.Command{Kind: muster.CommandKept, Kept: kept && err == nil})
			})
		})
	})
}

// collect lists the outputs in a working folder, and those that cannot be read.
func collect(ctx context.Context, h host.Host, attempt string, patterns []string, told *jobs.Rank) {
	matched := make([]bool, len(patterns))
	found := h.Collect(ctx, attempt, blobs.Wanted{
		File: func(name string) (wanted bool) {
			for i, p := range patterns {
				if name != host.StdinFile && name != host.PeersFile && jobs.Matches(p, name) {
					matched[i], wanted = true, true
				}
			}
			return wanted
		},
		Below: func(folder string) bool {
			return slices.ContainsFunc(patterns, func(p string) bool { return jobs.MayHold(p, folder) })
		},
		Most: jobs.FilesLimit, Largest: jobs.FileLimit,
	})
	size := 0
	for _, e := range found.Files {
		f := jobs.File{
			Path: verbatim.Text(e.Path), Digest: e.Digest, Size: e.Size, Mode: e.Mode, Link: verbatim.Text(e.Link),
		}
		text, err := json.Marshal(f)
		if size += len(text); err != nil || size > jobs.SpecLimit {
			told.Miss(e.Path, "the list of outputs is too long; put them into an archive")
			continue
		}
		told.Outputs = append(told.Outputs, f)
	}
	for _, m := range found.Missed {
		told.Miss(m.Path, m.Err.Error())
	}
	for _, name := range found.Others {
		told.Remark(fmt.Sprintf("%q is neither a file nor a link: it has no content that could be kept", name))
	}
	for i, p := range patterns {
		if !matched[i] {
			told.Remark(fmt.Sprintf("no file matches the output %q", p))
		}
	}
}

// removeWork removes the working folder of an attempt of which no process runs.
func (t *attempts) removeWork(a *attempt) {
	if a.laying || a.proc != nil && !a.exited {
		return
	}
	t.Host.Clear(a.String())
}

// answerContent reads an output in the working folder of a task that has ended: one that this host
// has told of.
func (t *attempts) answerContent(_ protocol.NodeID, p rpc.PieceOf) (func() (rpc.Fragment, error), error) {
	a := t.all[life.MusterID(p.By, p.Epoch)]
	if a == nil || !slices.ContainsFunc(a.told.Outputs, func(f jobs.File) bool { return f.Path == p.Path }) {
		return nil, fmt.Errorf("node %v has no output %q of attempt %s", t.Self, p.Path, life.AttemptText(p.By, p.Epoch))
	}
	attempt := a.String()
	return func() (rpc.Fragment, error) {
		f, err := t.Host.OpenFile(attempt, string(p.Path))
		if err != nil {
			return rpc.Fragment{}, err
		}
		return pieceFrom(f, p.Offset, rpc.PieceSize)
	}, nil
}
