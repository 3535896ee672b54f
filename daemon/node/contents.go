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
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// spread has the other custodians of a job keep this copy of the record and all contents that it
// refers to. Then is called when each of them has, does not keep them, or has died: it copies them
// later.
func (cs *copies) spread(k *keeping, then func(without []protocol.Address)) {
	text := rpc.Copy{RawMessage: k.record.Encode()}
	left := 1
	var without []protocol.Address
	arrived := func() {
		if left--; left == 0 && then != nil {
			then(without)
		}
	}
	for _, a := range k.record.Custodians {
		life := cs.grid.latest(protocol.NodeID{Address: a})
		if a == cs.Self.Address || life.Incarnation == 0 || cs.grid.dead(life) {
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
	k := cs.jobs.keepingOf(r)
	if k.full != "" {
		return rpc.KeepAnswer{Full: k.full}, nil // it goes on trying
	}
	cs.fetchContents(k, from)
	return rpc.KeepAnswer{}, k.waiting.Undecided()
}

// lacks lists the contents of a job that are not here.
func (cs *copies) lacks(r *jobs.Record) []string {
	return slices.DeleteFunc(r.Contents(), cs.library.kept.Has)
}

// fetchAgain is the time after which contents are asked for again.
const fetchAgain = 5 * time.Second

// fetchContents copies the contents of a job that are not here, from another custodian.
func (cs *copies) fetchContents(k *keeping, from protocol.NodeID) {
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
			err = cs.library.fetch(digest, sources, func(content io.Reader) error {
				return cs.library.keepContent(content, digest, sizes[digest])
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

// gathering is the outputs of a rank while its custodians copy them from its host. They are kept if
// at least one custodian has them: those that are dead, or have no room, copy them later.
type gathering struct {
	name    rankName
	request rpc.DepositRequest
	told    jobs.Rank // by the host

	kept  bool
	over  bool
	until time.Duration // for so long it is tried again; 0: it has gone well so far
}

// How long outputs that no custodian has room for are offered again, and how often.
const (
	depositPatience = time.Minute
	depositAgain    = 2 * time.Second
)

// gather has the custodians copy the outputs of a rank, and answers whether all are kept.
func (d *decisions) gather(
	k *keeping, name rankName, from protocol.NodeID, report rpc.RankReport,
) (kept bool, err error) {
	g := d.gathered[name]
	if g == nil {
		request := rpc.DepositRequest{
			JobAttempt: report.JobAttempt, Rank: name.rank, Host: from, Files: report.Rank.Outputs,
		}
		g = &gathering{name: name, request: request, told: report.Rank}
		d.gathered[name] = g
		d.offer(k, g)
	}
	if g.over {
		return g.kept, nil
	}
	return false, k.waiting.Undecided()
}

// forgetEnded forgets the outputs of jobs that have ended.
func (d *decisions) forgetEnded() {
	maps.DeleteFunc(d.gathered, func(name rankName, _ *gathering) bool {
		r := d.Table.Get(name.job)
		return r == nil || r.State.Final()
	})
}

// offer asks all custodians that live for copies, and decides when they have answered.
func (d *decisions) offer(k *keeping, g *gathering) {
	o := newOffer(len(g.request.Files))
	left := 1
	arrived := func() {
		if left--; left == 0 {
			d.offered(k, g, &o)
		}
	}
	for _, a := range k.record.Custodians {
		life := d.grid.latest(protocol.NodeID{Address: a})
		if life.Incarnation == 0 || life != d.Self && d.grid.dead(life) {
			continue
		}
		left++
		rpc.Deposit.Ask(d.Calls, rpc.Living(life), g.request, func(absent []rpc.Absence, err error) {
			o.answered(life, absent, err)
			arrived()
		})
	}
	d.Later(arrived)
}

// offer collects the answers of the custodians.
type offer struct {
	copies []int // by file
	absent map[int]rpc.Absence
	lacks  map[protocol.Address]map[int]bool // by custodian
}

func newOffer(files int) offer {
	return offer{make([]int, files), map[int]rpc.Absence{}, map[protocol.Address]map[int]bool{}}
}

// answered notes the answer of a custodian. One that does not answer lacks all files.
func (o *offer) answered(from protocol.NodeID, absent []rpc.Absence, err error) {
	if err != nil {
		for i := range o.copies {
			absent = append(absent, rpc.Absence{File: i, Why: err.Error(), Again: true})
		}
	}
	lacks := map[int]bool{}
	o.lacks[from.Address] = lacks
	for _, a := range absent {
		if lacks[a.File] = true; !o.absent[a.File].Again {
			a.Why = fmt.Sprintf("custodian %v: %s", from, a.Why)
			o.absent[a.File] = a
		}
	}
	for i := range o.copies {
		if !lacks[i] {
			o.copies[i]++
		}
	}
}

// lacking lists the custodians that lack a file which another one has.
func (o *offer) lacking(unkept []int) (all jobs.Custodians) {
	for _, a := range slices.Sorted(maps.Keys(o.lacks)) {
		for file := range o.lacks[a] {
			if !slices.Contains(unkept, file) {
				all = append(all, a)
				break
			}
		}
	}
	return all
}

// unkept returns the files that no custodian has, and whether another try may come to more.
func (o *offer) unkept() (files []int, again bool) {
	for i, copies := range o.copies {
		if copies == 0 {
			a, said := o.absent[i]
			files, again = append(files, i), again || a.Again || !said
		}
	}
	return files, again
}

// offered ends the deposit of the outputs of a rank, or tries again if no custodian has room.
func (d *decisions) offered(k *keeping, g *gathering, o *offer) {
	open := k.record.Open()
	if !k.leads() || !d.jobs.isKept(k) || open == nil || open.By != g.name.by || open.Epoch != g.name.epoch {
		delete(d.gathered, g.name) // another custodian decides, or nothing is to be kept any more
		d.Calls.Reopen(&k.waiting)
		return
	}
	unkept, again := o.unkept()
	if again && (g.until == 0 || d.Clock() < g.until) {
		if g.until == 0 {
			g.until = d.Clock() + depositPatience
			d.Table.Noted(k.record, fmt.Sprintf("rank %d has ended, and output %q is not kept yet: %s",
				g.name.rank, string(g.request.Files[unkept[0]].Path), o.absent[unkept[0]].Why))
		}
		d.After(depositAgain, func() { d.offer(k, g) })
		return
	}
	if g.until > 0 {
		d.Table.Noted(k.record, "")
	}
	told := g.told
	told.Outputs = nil
	for i, f := range g.request.Files {
		if slices.Contains(unkept, i) {
			told.Miss(string(f.Path), o.absent[i].Why)
			continue
		}
		told.Outputs = append(told.Outputs, f)
	}
	told.Lacking = o.lacking(unkept)
	told = d.Table.Tell(k.record, g.name.by, g.name.epoch, g.name.rank, told)
	d.jobs.spread(k, func([]protocol.Address) {
		g.kept, g.over = told.Problem == "", true
		d.Calls.Reopen(&k.waiting)
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
	k, name := cs.jobs.keepingOf(r), rankName{r.ID, d.By, d.Epoch, d.Rank}
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
	var gone error // the host does not answer: nor will it for the other files
	for i, f := range d.Files {
		if f.Link != "" || cs.library.kept.IsSound(f.Digest) {
			continue
		}
		err := gone
		if err == nil {
			err = cs.library.keepContent(cs.library.output(d.Host.Address, d.AttemptName, f.Path), f.Digest, f.Size)
		}
		if errors.Is(err, rpc.ErrGivenUp) {
			gone = err
		}
		if err != nil && !errors.Is(err, blobs.ErrUnwritten) && len(others) > 0 {
			failed := cs.library.fetch(f.Digest, others, func(content io.Reader) error {
				return cs.library.keepContent(content, f.Digest, f.Size)
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
			cs.fetchContents(cs.jobs.keepingOf(r), protocol.NodeID{Address: others[0]})
		}
	}
}
