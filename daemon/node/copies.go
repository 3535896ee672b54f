package node

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/library"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	retainJobs = 10_000
	tidyEvery  = time.Minute
	tidySoon   = 5 * time.Second // of a node that takes no tasks
)

// copies are the copies of records and contents that custodians make of each other's.
type copies struct {
	*life.Runtime
	*library.Library
	grid    grid
	jobs    copied
	fitness *tasks.Fitness
	erase   func(*jobs.Record)
	sorts   func() // forgets outputs of jobs that have ended

	copying  map[rankName]*copying  // outputs that are being copied here
	arriving map[rankOf][]jobs.File // the latest copied here, of jobs that have not ended
	tidied   time.Duration
}

// copied is the copies' view of the jobs of this custodian.
type copied interface {
	keptJobOf(r *jobs.Record) *keptJob
	isKept(k *keptJob) bool
	adopt(from protocol.NodeID, text []byte) error
}

// rankName names a rank of an attempt of a job.
type rankName struct {
	job   string
	by    protocol.NodeID
	epoch uint32
	rank  int
}

// rankOf is a rank of a job in any attempt.
type rankOf struct {
	job  string
	rank int
}

// tidy removes, now and then, old jobs and unneeded files: sooner if the disk is low.
func (cs *copies) tidy() {
	every := tidyEvery
	if cs.fitness.NoTasks != "" {
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
	maps.DeleteFunc(cs.copying, func(_ rankName, c *copying) bool { return c.done }) // no custodian has asked again
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

// spread has the other custodians of a job keep this copy of the record and all contents that it
// refers to. Then is called when each of them has them, has refused them, or has died: such a
// custodian copies them later.
func (cs *copies) spread(k *keptJob, then func(without []protocol.Address)) {
	text := rpc.Copy{RawMessage: k.record.Encode()}
	left := 1
	var without []protocol.Address
	arrived := func() {
		if left--; left == 0 && then != nil {
			then(without)
		}
	}
	for _, a := range k.record.Custodians {
		life := cs.grid.Latest(protocol.NodeID{Address: a})
		if a == cs.Self.Address || life.Incarnation == 0 || cs.grid.IsDead(life) {
			continue
		}
		left++
		kept := func() bool { return cs.jobs.isKept(k) }
		rpc.Keep.Ask(cs.Calls, rpc.Living(life).While(kept), text, func(answer rpc.KeepAnswer, err error) {
			if answer.Full != "" {
				err = errors.New(answer.Full)
			}
			if err != nil && !errors.Is(err, rpc.ErrOver) {
				without = append(without, a)
				cs.Log.Warn("a custodian does not keep a job", "job", k.record.ID, "node", life.String(), "error", err)
			}
			arrived()
		})
	}
	cs.Later(arrived)
}

// answerKeep keeps a copy. The answer comes when the contents are here, too, or the disk is full.
func (cs *copies) answerKeep(from protocol.NodeID, text rpc.Copy) (rpc.KeepAnswer, error) {
	if !cs.Restored {
		return rpc.KeepAnswer{}, rpc.ErrLater
	}
	if err := cs.jobs.adopt(from, text.RawMessage); err != nil {
		return rpc.KeepAnswer{}, err
	}
	fresh, err := jobs.Decode(text.RawMessage)
	if err != nil {
		return rpc.KeepAnswer{}, err
	}
	r := cs.Table.Named(fresh.Custody)
	if r == nil || len(cs.lacks(r)) == 0 {
		return rpc.KeepAnswer{}, nil
	}
	k := cs.jobs.keptJobOf(r)
	if k.full != "" {
		return rpc.KeepAnswer{Full: k.full}, nil // it goes on trying
	}
	cs.fetchContents(k, from)
	return rpc.KeepAnswer{}, k.waiting.Undecided()
}

// lacks lists the contents of a job that are not here.
func (cs *copies) lacks(r *jobs.Record) []string {
	return slices.DeleteFunc(r.Contents(), cs.Library.Kept.Has)
}

// fetchAgain is the time after which contents are asked for again.
const fetchAgain = 5 * time.Second

// fetchContents copies the contents of a job that are not here, from another custodian.
func (cs *copies) fetchContents(k *keptJob, from protocol.NodeID) {
	lacks := cs.lacks(k.record)
	if k.fetching || len(lacks) == 0 || !cs.jobs.isKept(k) {
		return
	}
	k.fetching = true
	sources := []protocol.Address{from.Address}
	for _, a := range k.record.Custodians {
		if a != cs.Self.Address && a != from.Address {
			sources = append(sources, a)
		}
	}
	sizes := k.record.Sizes()
	cs.Machine.Go(func() {
		var full, err error
		for _, digest := range lacks {
			err = cs.Library.Fetch(digest, sources, func(content io.Reader) error {
				return cs.Library.KeepContent(content, digest, sizes[digest])
			})
			if errors.Is(err, blobs.ErrUnwritten) {
				full, err = err, nil // a smaller one may have room
			}
			if err != nil {
				err = fmt.Errorf("content %s of job %s: %w", digest, k.record.ID, err)
				break
			}
		}
		cs.Post(func() {
			k.fetching, k.full = false, ""
			if full != nil {
				k.full = full.Error()
			}
			if err = cmp.Or(err, full); err != nil {
				cs.Log.Warn("a copy is not complete", "error", err)
				cs.After(fetchAgain, func() { cs.fetchContents(k, from) })
			}
			cs.Calls.Reopen(&k.waiting)
		})
	})
}

// copyingLimit is of how many ranks outputs are copied here at once. Others wait.
const copyingLimit = 1024

// copying is outputs of a rank on their way here.
type copying struct {
	done   bool
	absent []rpc.Absence
}

// answerDeposit copies the outputs of a rank, and says which are not here. The answer comes when
// all were tried.
func (cs *copies) answerDeposit(_ protocol.NodeID, d rpc.DepositRequest) ([]rpc.Absence, error) {
	if !cs.Restored {
		return nil, rpc.ErrLater
	}
	r := cs.Table.Named(d.Job)
	if r == nil {
		return nil, fmt.Errorf("%w: node %v has no job %v/%d", rpc.ErrNoRecord, cs.Self, d.Job.By, d.Job.Number)
	}
	k, name := cs.jobs.keptJobOf(r), rankName{r.ID, d.By, d.Epoch, d.Rank}
	c := cs.copying[name]
	switch {
	case c == nil && len(cs.copying) >= copyingLimit:
		return nil, rpc.ErrLater
	case c == nil:
		c = &copying{}
		cs.copying[name], cs.arriving[rankOf{r.ID, d.Rank}] = c, d.Files
		others := cs.othersOf(r)
		cs.Machine.Go(func() {
			absent := cs.copyOutputs(d, others)
			cs.Post(func() {
				c.done, c.absent = true, absent
				cs.Calls.Reopen(&k.waiting)
			})
		})
	case c.done:
		delete(cs.copying, name) // the next question is another try
		return c.absent, nil
	}
	return nil, k.waiting.Undecided()
}

// copyOutputs copies the outputs of a rank from its host, or from another custodian.
func (cs *copies) copyOutputs(d rpc.DepositRequest, others []protocol.Address) (absent []rpc.Absence) {
	var gone error // the host does not answer, and will not for the other files
	for i, f := range d.Files {
		if f.Link != "" || cs.Library.Kept.IsSound(f.Digest) {
			continue
		}
		err := gone
		if err == nil {
			err = cs.Library.KeepContent(cs.Library.Output(d.Host.Address, d.AttemptName, f.Path), f.Digest, f.Size)
		}
		if errors.Is(err, rpc.ErrGivenUp) {
			gone = err
		}
		if err != nil && !errors.Is(err, blobs.ErrUnwritten) && len(others) > 0 {
			failed := cs.Library.Fetch(f.Digest, others, func(content io.Reader) error {
				return cs.Library.KeepContent(content, f.Digest, f.Size)
			})
			if failed == nil {
				err = nil
			}
		}
		if err != nil {
			absent = append(absent, rpc.Absence{
				File: i, Why: whyAbsent(err), Again: errors.Is(err, blobs.ErrUnwritten) || errors.Is(err, rpc.ErrGivenUp),
			})
		}
	}
	return absent
}

// whyAbsent says why a content could not be copied, to users of the job.
func whyAbsent(err error) string {
	var errno syscall.Errno
	switch {
	case errors.Is(err, blobs.ErrCorrupt):
		return "it has changed since its task ended"
	case errors.Is(err, blobs.ErrUnwritten) && errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, disk.ErrLow):
		return "its disk has no room"
	}
	return err.Error()
}

// othersOf are the other custodians of a job.
func (cs *copies) othersOf(r *jobs.Record) []protocol.Address {
	return slices.DeleteFunc(slices.Clone(r.Custodians), func(a protocol.Address) bool { return a == cs.Self.Address })
}

// copyAgain copies a content from other custodians that this one has lost.
func (cs *copies) copyAgain(digest string) {
	for _, r := range cs.Table.Everything() {
		others := cs.othersOf(r)
		if len(others) > 0 && slices.Contains(r.Contents(), digest) {
			cs.fetchContents(cs.jobs.keptJobOf(r), protocol.NodeID{Address: others[0]})
		}
	}
}
