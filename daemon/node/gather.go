package node

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// answerRank notes what a host reports of a task, and says whether all its outputs are kept. With
// outputs the answer comes once they are at the custodians.
func (d *decisions) answerRank(k *keptJob, from protocol.NodeID, report rpc.RankReport) (kept bool, err error) {
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

// gathering is the outputs of a rank while its custodians copy them from its host. They are kept if
// at least one custodian has them: custodians that are dead, or have no room, copy them later.
type gathering struct {
	name    rankName
	request rpc.DepositRequest
	told    jobs.Rank // by the host

	kept  bool
	over  bool
	until time.Duration // when the last try is made; 0: no try has failed so far
}

// How long outputs that no custodian has room for are offered again, and how often.
const (
	depositPatience = time.Minute
	depositAgain    = 2 * time.Second
)

// gather has the custodians copy the outputs of a rank, and answers whether all are kept.
func (d *decisions) gather(
	k *keptJob, name rankName, from protocol.NodeID, report rpc.RankReport,
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
func (d *decisions) offer(k *keptJob, g *gathering) {
	o := newOffer(len(g.request.Files))
	left := 1
	arrived := func() {
		if left--; left == 0 {
			d.offered(k, g, &o)
		}
	}
	for _, a := range k.record.Custodians {
		life := d.grid.Latest(protocol.NodeID{Address: a})
		if life.Incarnation == 0 || life != d.Self && d.grid.IsDead(life) {
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

// answered notes the answer of a custodian. A custodian that does not answer lacks all files.
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
func (d *decisions) offered(k *keptJob, g *gathering, o *offer) {
	open := k.record.Open()
	if !k.leads() || !d.jobs.isKept(k) || open == nil || open.By != g.name.by || open.Epoch != g.name.epoch {
		delete(d.gathered, g.name) // another custodian decides, or the outputs are not needed any more
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
