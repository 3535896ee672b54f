package main

import (
	"math/rand/v2"
	"time"
)

// operators turns some crashes into actions of operators and losses: about two thirds of the
// crashes of single daemons into daemons that have to leave, some others into machines that are
// lost, and a third of the crashes of all daemons into closings of the grid. So a plan without them
// has the same other faults. A crash that would come too soon after one becomes that of a task.
func (p *Plan) operators() {
	leave := rand.New(rand.NewPCG(p.Seed, 0x6c65617665))
	lose := rand.New(rand.NewPCG(p.Seed, 0x6c6f7365))
	regrid := rand.New(rand.NewPCG(p.Seed, 0x726567726964))
	left, free := p.Bounds, time.Duration(0)
	place := 1 + firstPlace + lose.IntN(max(1, p.Nodes-firstPlace))
	for i := range p.Faults {
		f := &p.Faults[i]
		single := len(f.Nodes) == 1
		switch {
		case !f.Kind.daemons():
			continue
		case f.At < free:
			*f = Fault{At: f.At, Kind: CrashTask, Nodes: f.Nodes[:1]}
			continue
		case single && left.Leaves > 0 && leave.IntN(3) > 0:
			left.Leaves--
			f.leaving(leave, p.Nodes)
		case single && left.Losses > 0 && p.Nodes > firstPlace:
			left.Losses--
			f.Kind, f.Nodes = Replace, []int{place}
		case f.Kind == CrashAll && left.Regrids > 0 && regrid.IntN(3) == 0:
			left.Regrids--
			f.Kind, f.For, f.Nodes = Regrid, 0, []int{1 + regrid.IntN(p.Nodes)}
		default:
			continue
		}
		free = f.At + f.lasts() + f.For + p.Bounds.Apart
	}
}

// lasts is the longest time until the daemons are gone.
func (f *Fault) lasts() time.Duration {
	switch f.Kind {
	case Drain, Leave:
		return max(f.Within, LeaveLimit)
	case Regrid:
		return regridLimit
	}
	return 0
}

// leaving turns the crash of a daemon into its leaving. Some drains are requested of another
// daemon.
func (f *Fault) leaving(r *rand.Rand, nodes int) {
	if f.Kind = Leave; r.IntN(3) == 0 {
		return
	}
	f.Kind, f.Within = Drain, between(r, 500*milli, 20*time.Second)
	if other := 1 + r.IntN(nodes); other != f.Nodes[0] {
		f.Nodes = append(f.Nodes, other)
	}
}
