package dtm

import (
	dtmmodel "github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opJoin    = "join"    // a host that is outside joins
	opLeave   = "leave"   // a member leaves; its process ends and restarts as another host
	opCrash   = "crash"   // a host fails, if the assumptions allow it
	opRestart = "restart" // a host that failed restarts
)

const second = 1_000_000

// run is the run of a plan.
type run struct {
	*sim.Run[dtm.State, dtm.Message, dtm.Command]
	*oracle
	cfg dtm.Config
}

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{cfg: shape(p)}
	r.oracle = newOracle(r)
	config := sim.Config[dtm.State, dtm.Message, dtm.Command]{
		Core: &dtm.Core{Config: r.cfg}, TickMicros: second / 100, Network: sim.Network{Latency: latency},
		Identity: func(s *dtm.State) protocol.NodeID { return s.ID },
		Stopped:  func(s *dtm.State) bool { return s.Phase == dtm.Departed },
		Due:      func(_ int, t protocol.Timer) bool { return r.isDue(t) },
		OnStep:   r.step,
	}
	for i := range p.Nodes {
		config.Nodes = append(config.Nodes, dtm.New(protocol.Address(i)))
	}
	r.Run = sim.NewRun(p, o, config, r.oracle)
	r.Begin()
	for i := range p.Nodes {
		r.Start(i)
	}
	r.Command(0, dtm.Command{Kind: dtm.CommandJoin})
	return r, r.Schedule(map[string]func(sim.Op){
		opJoin: r.join, opLeave: r.leave, opCrash: r.crash, opRestart: r.restart,
	})
}

// shape draws how hosts join and how many near hosts they report.
func shape(p *sim.Plan) dtm.Config {
	c := sim.NewChance(p.Shape, 1)
	cfg := dtm.DefaultConfig(int(c.Between(1, 8)))
	cfg.Manner = dtm.Manner(c.Below(3))
	return cfg
}

// isDue reports whether a timer may fire: no live peer is suspected, and no place is given up that
// a host would claim.
func (r *run) isDue(t protocol.Timer) bool {
	switch t.Kind {
	case dtm.MissedTimer:
		return !r.Running(t.Peer)
	case dtm.HealTimer:
		for s := range r.live {
			if dtmmodel.Awaits(s, t.Peer) {
				return false
			}
		}
	}
	return true
}

// join gives a host up to 40 members, beginning with a member that the operation picks.
func (r *run) join(op sim.Op) {
	if !r.Live(op.Node) || r.State(op.Node).Phase != dtm.Outside {
		return
	}
	var members []protocol.NodeID
	alone := true
	for s := range r.live {
		alone = alone && s.Phase != dtm.Joining && s.Phase != dtm.Member
		if s.Phase == dtm.Member && s.Departure.Stage == dtm.Staying {
			members = append(members, s.ID)
		}
	}
	if len(members) == 0 && !alone {
		return
	}
	if n := len(members); n > 0 {
		from := int(op.Arg % uint64(n))
		members = append(members[from:n:n], members[:from]...)
		members = members[:min(n, 40)]
	}
	r.Command(op.Node, dtm.Command{Kind: dtm.CommandJoin, Nodes: members})
}

func (r *run) leave(op sim.Op) {
	if r.Live(op.Node) && r.State(op.Node).Phase == dtm.Member {
		r.Command(op.Node, dtm.Command{Kind: dtm.CommandLeave})
	}
}

// crash lets a host fail, if that is within the assumptions.
func (r *run) crash(op sim.Op) {
	if r.Live(op.Node) && r.isIdle() {
		r.Crash(op.Node)
	}
}

// restart begins a new incarnation of a host that has failed or left.
func (r *run) restart(op sim.Op) {
	left := r.Up(op.Node) && !r.Live(op.Node)
	if left {
		r.Crash(op.Node)
	}
	if !r.Live(op.Node) {
		r.Restart(op.Node)
		r.join(op)
	}
}

// finish runs the plan to its end. When faults have stopped, all hosts join that are outside.
func (r *run) finish() (*sim.Result, error) {
	rejoin := func() {
		for i := range r.Len() {
			r.join(sim.Op{Node: i})
		}
	}
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: second, OnHeal: rejoin, OnPoll: rejoin},
		func() map[string]int { return r.seen },
	)
}
