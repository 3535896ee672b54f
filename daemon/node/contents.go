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
func (n *Node) spread(k *keeping, then func(without []protocol.Address)) {
	text := rpc.Copy{RawMessage: k.record.Encode()}
	left := 1
	var without []protocol.Address
	arrived := func() {
		if left--; left == 0 && then != nil {
			then(without)
		}
	}
	for _, a := range k.record.Custodians {
		life := n.latest(protocol.NodeID{Address: a})
		if a == n.self.Address || life.Incarnation == 0 || n.dead(life) {
			continue
		}
		left++
		kept := func() bool { return n.keepings[k.id] == k }
		rpc.Keep.Ask(n.calls, rpc.Living(life).While(kept), text, func(answer rpc.KeepAnswer, err error) {
			if answer.Full != "" {
				err = errors.New(answer.Full)
			}
			if err != nil && !errors.Is(err, rpc.ErrOver) {
				without = append(without, a)
				n.log.Warn("a custodian does not keep a job", "job", k.record.ID, "node", life.String(), "error", err)
			}
			arrived()
		})
	}
	n.later(arrived)
}

// answerKeep keeps a copy. The answer comes when the contents are here, too, or the disk is full.
func (n *Node) answerKeep(from protocol.NodeID, text rpc.Copy) (rpc.KeepAnswer, error) {
	if !n.restored {
		return rpc.KeepAnswer{}, rpc.ErrLater
	}
	if err := n.adopt(from, text.RawMessage); err != nil {
		return rpc.KeepAnswer{}, err
	}
	fresh, err := jobs.Decode(text.RawMessage)
	if err != nil {
		return rpc.KeepAnswer{}, err
	}
	r := n.table.Named(fresh.Custody)
	if r == nil || len(n.lacks(r)) == 0 {
		return rpc.KeepAnswer{}, nil
	}
	k := n.keepingOf(r)
	if k.full != "" {
		return rpc.KeepAnswer{Full: k.full}, nil // it goes on trying
	}
	n.fetchContents(k, from)
	return rpc.KeepAnswer{}, k.waiting.Undecided()
}

// lacks lists the contents of a job that are not here.
func (n *Node) lacks(r *jobs.Record) []string {
	return slices.DeleteFunc(r.Contents(), n.kept.Has)
}

// fetchAgain is the time after which contents are asked for again.
const fetchAgain = 5 * time.Second

// fetchContents copies the contents of a job that are not here, from another custodian.
func (n *Node) fetchContents(k *keeping, from protocol.NodeID) {
	lacks := n.lacks(k.record)
	if k.fetching || len(lacks) == 0 || n.keepings[k.id] != k {
		return
	}
	k.fetching = true
	sources := []protocol.Address{from.Address}
	for _, a := range k.record.Custodians {
		if a != n.self.Address && a != from.Address {
			sources = append(sources, a)
		}
	}
	sizes := k.record.Sizes()
	n.machine.Go(func() {
		var full, err error
		for _, digest := range lacks {
			err = n.fetch(digest, sources, func(content io.Reader) error {
				return n.keepContent(content, digest, sizes[digest])
			})
			if errors.Is(err, blobs.ErrUnwritten) {
				full, err = err, nil // a smaller one may have room
			}
			if err != nil {
				err = fmt.Errorf("content %s of job %s: %w", digest, k.record.ID, err)
				break
			}
		}
		n.post(func() {
			k.fetching, k.full = false, ""
			if full != nil {
				k.full = full.Error()
			}
			if err = cmp.Or(err, full); err != nil {
				n.log.Warn("a copy is not complete", "error", err)
				n.after(fetchAgain, func() { n.fetchContents(k, from) })
			}
			n.calls.Reopen(&k.waiting)
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
func (n *Node) gather(k *keeping, name rankName, from protocol.NodeID, report rpc.RankReport) (kept bool, err error) {
	g := n.gathered[name]
	if g == nil {
		request := rpc.DepositRequest{
			JobAttempt: report.JobAttempt, Rank: name.rank, Host: from, Files: report.Rank.Outputs,
		}
		g = &gathering{name: name, request: request, told: report.Rank}
		n.gathered[name] = g
		n.offer(k, g)
	}
	if g.over {
		return g.kept, nil
	}
	return false, k.waiting.Undecided()
}

// offer asks all custodians that live for copies, and decides when they have answered.
func (n *Node) offer(k *keeping, g *gathering) {
	o := newOffer(len(g.request.Files))
	left := 1
	arrived := func() {
		if left--; left == 0 {
			n.offered(k, g, &o)
		}
	}
	for _, a := range k.record.Custodians {
		life := n.latest(protocol.NodeID{Address: a})
		if life.Incarnation == 0 || life != n.self && n.dead(life) {
			continue
		}
		left++
		rpc.Deposit.Ask(n.calls, rpc.Living(life), g.request, func(absent []rpc.Absence, err error) {
			o.answered(life, absent, err)
			arrived()
		})
	}
	n.later(arrived)
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
func (n *Node) offered(k *keeping, g *gathering, o *offer) {
	open := k.record.Open()
	if !k.leads() || n.keepings[k.id] != k || open == nil || open.By != g.name.by || open.Epoch != g.name.epoch {
		delete(n.gathered, g.name) // another custodian decides, or nothing is to be kept any more
		n.calls.Reopen(&k.waiting)
		return
	}
	unkept, again := o.unkept()
	if again && (g.until == 0 || n.clock() < g.until) {
		if g.until == 0 {
			g.until = n.clock() + depositPatience
			n.table.Noted(k.record, fmt.Sprintf("rank %d has ended, and output %q is not kept yet: %s",
				g.name.rank, string(g.request.Files[unkept[0]].Path), o.absent[unkept[0]].Why))
		}
		n.after(depositAgain, func() { n.offer(k, g) })
		return
	}
	if g.until > 0 {
		n.table.Noted(k.record, "")
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
	told = n.table.Tell(k.record, g.name.by, g.name.epoch, g.name.rank, told)
	n.spread(k, func([]protocol.Address) {
		g.kept, g.over = told.Problem == "", true
		n.calls.Reopen(&k.waiting)
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
func (n *Node) answerDeposit(_ protocol.NodeID, d rpc.DepositRequest) ([]rpc.Absence, error) {
	if !n.restored {
		return nil, rpc.ErrLater
	}
	r := n.table.Named(d.Job)
	if r == nil {
		return nil, fmt.Errorf("%w: node %v has no job %v/%d", rpc.ErrNoRecord, n.self, d.Job.By, d.Job.Number)
	}
	k, name := n.keepingOf(r), rankName{r.ID, d.By, d.Epoch, d.Rank}
	c := n.copying[name]
	switch {
	case c == nil && len(n.copying) >= copyingLimit:
		return nil, rpc.ErrLater
	case c == nil:
		c = &copying{}
		n.copying[name], n.copies[rankOf{r.ID, d.Rank}] = c, d.Files
		others := slices.DeleteFunc(slices.Clone(r.Custodians), func(a protocol.Address) bool { return a == n.self.Address })
		n.machine.Go(func() {
			absent := n.copyOutputs(d, others)
			n.post(func() {
				c.done, c.absent = true, absent
				n.calls.Reopen(&k.waiting)
			})
		})
	case c.done:
		delete(n.copying, name) // the next question is another try
		return c.absent, nil
	}
	return nil, k.waiting.Undecided()
}

// copyOutputs copies the outputs of a rank from its host, or from another custodian.
func (n *Node) copyOutputs(d rpc.DepositRequest, others []protocol.Address) (absent []rpc.Absence) {
	var gone error // the host does not answer: nor will it for the other files
	for i, f := range d.Files {
		if f.Link != "" || n.kept.IsSound(f.Digest) {
			continue
		}
		err := gone
		if err == nil {
			err = n.keepContent(n.output(d.Host.Address, d.AttemptName, f.Path), f.Digest, f.Size)
		}
		if errors.Is(err, rpc.ErrGivenUp) {
			gone = err
		}
		if err != nil && !errors.Is(err, blobs.ErrUnwritten) && len(others) > 0 {
			failed := n.fetch(f.Digest, others, func(content io.Reader) error {
				return n.keepContent(content, f.Digest, f.Size)
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

// copyAgain copies a content from other custodians that this one has lost.
func (n *Node) copyAgain(digest string) {
	for _, r := range n.table.Everything() {
		others := slices.DeleteFunc(slices.Clone(r.Custodians), func(a protocol.Address) bool { return a == n.self.Address })
		if len(others) > 0 && slices.Contains(r.Contents(), digest) {
			n.fetchContents(n.keepingOf(r), protocol.NodeID{Address: others[0]})
		}
	}
}
