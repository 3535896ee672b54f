package daemon

import (
	"fmt"
	"strconv"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opSubmit   = "submit"     // a client submits a job. Arg: its tasks, how long they run, their exit code
	opFiles    = "files"      // the same, and its tasks have an input and outputs
	opCancel   = "cancel"     // a client cancels a job at a node. Arg: which one
	opRemove   = "remove"     // a client has a job forgotten that has ended. Arg: which one
	opCrash    = "crash"      // kill -9 of a daemon. Arg: when it comes back
	opCrashAll = "crash-all"  // kill -9 of all daemons. Arg: when they come back
	opDisk     = "disk-error" // the next write to the disk of a node fails
	opLose     = "lose"       // kill -9 of the last daemon, whose disk is lost: it never comes back
	opLoseNode = "lose-node"  // the same of this one, even if it is a witness
	opWitness  = "witness"    // the first daemon is the only witness, from the beginning
	opShim     = "shim"       // kill -9 of the shim of a task, at a node that runs one
	opFull     = "full"       // the disk of a node has no space for tasks. Arg: for how long
	opRot      = "rot"        // a content of a node is lost or damaged that another one has. Arg: which one
	opSpoil    = "spoil"      // a file is unreadable, vanishes or changes that the next task leaves there. Arg: how
	opRestart  = "restart"    // a daemon that is down begins another incarnation
	opPause    = "pause"      // SIGSTOP of a daemon, and SIGCONT. Arg: for how long
	opClock    = "clock"      // the time of day of a node is set. Arg: by how much, one of clockJumps
	opMonth    = "month"      // 30 days pass at all nodes by the time of day. Arg: how often
	opDrain    = "drain"      // a node leaves when its jobs have ended, and comes back
	opLeave    = "leave"      // a node leaves, and comes back
	opCut      = "cut"        // two nodes do not hear each other. Arg: which other one
	opOneWay   = "one-way"    // a node does not hear another one
	opIsolate  = "isolate"    // a node is cut from all others
	opForge    = "forge"      // a member sends a false contact card of another one. Arg: its contents and receivers
	opHeal     = "heal"       // the network is whole again
)

type run struct {
	*sim.Run[site, frame, order]
	world *world
}

func newRun(p *sim.Plan, o sim.RunOptions, faultless bool) (*run, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	o.Twice = false // a step has effects in the world; see Effects below
	w := newWorld(p)
	w.traced = o.Record != nil
	w.oracle = &oracle{world: w, faultless: faultless, seen: map[string]int{}, attempts: map[string]string{},
		over: map[string]bool{}, spoiled: map[string]bool{}, judged: map[string]bool{}}
	config := sim.Config[site, frame, order]{
		Core: core{w}, Effects: true, TickMicros: 1, Network: sim.Network{Latency: latency},
		Identity: func(s *site) protocol.NodeID { return seat(s.Address) },
		Stopped:  func(s *site) bool { return s.Over },
	}
	for i := range p.Nodes {
		config.Nodes = append(config.Nodes, site{Address: protocol.Address(i)})
	}
	r := &run{Run: sim.NewRun(p, o, config, w.oracle), world: w}
	w.run = r.Run
	r.Begin()
	for i := range p.Nodes {
		r.Start(i)
	}
	r.clients()
	return r, r.Schedule(map[string]func(sim.Op){
		opDisk: func(op sim.Op) { w.machines[op.Node].disk.fails = true },
		opLose: func(sim.Op) { r.loseLast() }, opLoseNode: func(op sim.Op) { r.lose(op.Node) },
		opWitness: func(sim.Op) {},
		opRot:     func(op sim.Op) { w.machines[op.Node].rot(op.Arg) },
		opSpoil:   func(op sim.Op) { w.machines[op.Node].spoil = 1 + int(op.Arg%(waysToSpoil-1)) },
		opSubmit:  func(sim.Op) {}, opFiles: func(sim.Op) {}, opCancel: r.cancel, opRemove: r.remove,
		opCrash: r.crash, opCrashAll: r.crashAll,
		opShim: r.killShim, opFull: r.fill,
		opRestart: func(op sim.Op) { w.start(w.machines[op.Node]) }, opPause: r.pause,
		opClock: r.setClock, opMonth: r.passMonths,
		opDrain: func(op sim.Op) { r.leave(op, opDrain) }, opLeave: func(op sim.Op) { r.leave(op, opLeave) },
		opForge: r.forge, opCut: r.cut, opOneWay: r.oneWay, opIsolate: r.isolate, opHeal: func(sim.Op) { r.heal() },
	})
}

// again is how long a client waits before it submits its job once more.
const again = 2 * second

// clients makes a client for each job of the plan.
func (r *run) clients() {
	lost := map[int]bool{}
	for _, op := range r.Plan.Ops {
		switch op.Do {
		case opLose:
			lost[r.Len()-1] = true
		case opLoseNode:
			lost[op.Node] = true
		}
	}
	nodes := r.Len() - len(lost) // no job needs more than are left
	for i, op := range r.Plan.Ops {
		if op.Do != opSubmit && op.Do != opFiles {
			continue
		}
		c := newClient(op, nodes)
		c.at, c.key = r.world.machines[op.Node], fmt.Sprintf("key-%d", i)
		number := uint64(len(r.world.clients))
		r.world.clients = append(r.world.clients, c)
		var ask func()
		times := 0
		ask = func() {
			if c.id == "" {
				times++
				r.world.oracle.seen["asked"] = max(r.world.oracle.seen["asked"], times)
				r.Command(op.Node, order{opSubmit, number})
				r.At(r.Now()+again, ask)
			}
		}
		r.At(op.AtMicros, ask)
	}
}

// failing is the exit code of tasks that fail.
const failing = 3

// endless is how long the tasks of a job that must time out run: for longer than anything keeps its
// custodians from ending it.
const endless = 60 * second

// newClient draws the job of a client from an operation: how many tasks it has, how long they run,
// how they exit, and, of one in four, that it is an array, times out, or is tried again.
func newClient(op sim.Op, nodes int) *client {
	c := &client{want: jobs.Succeeded, spec: jobs.Spec{Tasks: 1 + int(op.Arg%4)%nodes}}
	micros, exit := int64(op.Arg>>8%6_000)*1000, 0
	if op.Arg>>4%4 == 0 {
		c.want, exit = jobs.Failed, failing
	}
	if op.Arg>>6%4 == 0 {
		switch op.Arg >> 26 % 3 {
		case 0:
			c.spec.Array = &jobs.Array{Ranges: []jobs.Range{{First: 0, Last: int(op.Arg >> 28 % 6)}}, AtOnce: 2}
			micros /= 4
		case 1:
			c.want, micros, c.spec.Timeout = jobs.TimedOut, micros+endless, time.Second
		default:
			c.spec.Retries = jobs.Retries{OnExit: 1, BackoffMin: time.Second, BackoffMax: time.Second}
		}
	}
	c.spec.Command = command(micros, exit)
	if op.Do == opFiles {
		c.files, c.input = 1+int(op.Arg>>30%3), fmt.Appendf(nil, "input of the job of %v", op)
		digest := digestOf(c.input)
		c.spec.Command = command(micros, exit, strconv.Itoa(c.files), digest)
		c.spec.Inputs = []jobs.File{{Path: inputName, Digest: digest, Size: int64(len(c.input)), Mode: 0o600}}
		c.spec.Outputs = []string{outputsPattern}
	}
	return c
}

// client is whose job an operation is about, if it was acknowledged.
func (r *run) client(op sim.Op) (c *client, number uint64, some bool) {
	if len(r.world.clients) == 0 {
		return nil, 0, false
	}
	number = op.Arg % uint64(len(r.world.clients))
	c = r.world.clients[number]
	return c, number, c.id != ""
}

// cancel lets a client cancel its job at a node.
func (r *run) cancel(op sim.Op) {
	if c, number, some := r.client(op); some {
		c.cancels = true
		r.Command(op.Node, order{opCancel, number})
	}
}

// remove lets a client have its job forgotten, at a node that has a copy, if some daemon says that
// it has ended.
func (r *run) remove(op sim.Op) {
	if c, number, some := r.client(op); some && r.world.oracle.over[c.id] {
		c.removes = true
		r.Command(op.Node, order{opRemove, number})
	}
}

func (r *run) crash(op sim.Op) {
	m := r.world.machines[op.Node]
	if m.node == nil {
		return
	}
	m.crash()
	r.Crash(op.Node)
	m.why = "crash"
	r.At(r.Now()+int64(op.Arg%10_000)*1000, func() { r.world.start(m) })
}

// loseLast loses the last machine, unless it is a witness.
func (r *run) loseLast() {
	if last := r.Len() - 1; last >= len(r.world.grid.Witnesses) {
		r.lose(last)
	}
}

// lose loses a machine with its disk.
func (r *run) lose(i int) {
	m := r.world.machines[i]
	r.Note("lose", sim.NodeName(i))
	r.crash(sim.Op{Node: i})
	r.world.oracle.seen["lost"]++
	m.lost, m.why, m.disk = true, "lost", &store{values: map[string][]byte{}}
	m.kept, m.cache = newContents(m), newContents(m)
}

// killShim ends a task of a node as the kill of its shim does.
func (r *run) killShim(op sim.Op) {
	for _, p := range r.world.processes {
		if p.m == r.world.machines[op.Node] {
			r.world.oracle.seen["shims"]++
			p.end(runner.Exit{Code: 137, Signal: 9, Killed: true, Lost: true, Error: "its shim has ended"})
			return
		}
	}
}

// fill keeps a machine from starting tasks for a time.
func (r *run) fill(op sim.Op) {
	m := r.world.machines[op.Node]
	m.full = r.Now() + int64(op.Arg%10_000)*1000
}

func (r *run) crashAll(op sim.Op) {
	for i := range r.world.machines {
		r.crash(sim.Op{Node: i, Arg: op.Arg >> i})
	}
}

// pause stops a daemon for up to ten seconds.
func (r *run) pause(op sim.Op) { r.Command(op.Node, order{opPause, op.Arg % (10 * second)}) }

// clockJumps are by how many seconds the time of day of a node is set ahead.
var clockJumps = []int64{-365 * day, 365 * day, -12 * day, 9 * day, -5 * day / 24, 3 * day / 24, -40, 7}

const day = 24 * 60 * 60 // in seconds

func (r *run) setClock(op sim.Op) {
	r.world.machines[op.Node].ahead += clockJumps[op.Arg%uint64(len(clockJumps))] * second
	r.world.oracle.seen["clock"]++
}

func (r *run) passMonths(op sim.Op) {
	for _, m := range r.world.machines {
		m.ahead += int64(op.Arg) * 30 * day * second
	}
}

// leave lets a node leave. It comes back some seconds after it has.
func (r *run) leave(op sim.Op, how string) {
	if r.world.machines[op.Node].node != nil {
		r.Command(op.Node, order{how, 30 * second})
	}
}

// forge lets a member send a card that its node has not signed.
func (r *run) forge(op sim.Op) { r.Command(op.Node, order{opForge, op.Arg}) }

// link cuts one direction of a link, for up to ten seconds.
func (r *run) link(from, to int, micros int64) {
	link := [2]protocol.Address{protocol.Address(from), protocol.Address(to)}
	if from == to || r.world.cut[link] {
		return
	}
	r.world.cut[link] = true
	r.At(r.Now()+micros, func() { delete(r.world.cut, link) })
}

func (r *run) other(op sim.Op) (other int, micros int64) {
	return int(op.Arg % uint64(r.Len())), int64(op.Arg >> 8 % (10 * second))
}

func (r *run) cut(op sim.Op) {
	other, micros := r.other(op)
	r.Note("cut", fmt.Sprintf("%s and %s for %d ms", sim.NodeName(op.Node), sim.NodeName(other), micros/1000))
	r.link(op.Node, other, micros)
	r.link(other, op.Node, micros)
}

func (r *run) oneWay(op sim.Op) {
	other, micros := r.other(op)
	r.Note("one-way", fmt.Sprintf("%s to %s for %d ms", sim.NodeName(op.Node), sim.NodeName(other), micros/1000))
	r.link(op.Node, other, micros)
}

func (r *run) isolate(op sim.Op) {
	_, micros := r.other(op)
	r.Note("isolate", fmt.Sprintf("%s for %d ms", sim.NodeName(op.Node), micros/1000))
	for other := range r.Len() {
		r.link(op.Node, other, micros)
		r.link(other, op.Node, micros)
	}
}

func (r *run) heal() {
	r.Note("heal", "the network is whole again")
	clear(r.world.cut)
}

// finish ends the run. All nodes come back.
func (r *run) finish() (*sim.Result, error) {
	defer func() {
		for _, m := range r.world.machines {
			m.stop()
		}
	}()
	return r.Finish(
		sim.Convergence{
			Latency: sim.Exponential(1000), PollMicros: second,
			OnHeal: func() {
				clear(r.world.cut)
				for _, m := range r.world.machines {
					m.paused = min(m.paused, r.Now())
					r.world.start(m)
					r.world.wake(m)
				}
			},
		},
		func() map[string]int { return r.world.oracle.seen },
	)
}
