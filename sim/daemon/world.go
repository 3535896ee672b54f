package daemon

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/sim"
)

// million is the denominator of the errors of clocks.
const million = 1_000_000

// world is all that daemons share: time, network, and the view from outside.
type world struct {
	run      *sim.Run[site, frame, order]
	oracle   *oracle
	traced   bool // the run has a reader
	grid     config.Grid
	machines []*machine
	cut      map[[2]protocol.Address]bool // from, to

	processes   []*process // that run
	lastProcess uint32
	clients     []*client

	mint   *mint                     // nil: contact cards are neither forged nor signed
	clears func(*machine)            // further work to clear the files of a task; nil: nothing
	starts func(*machine, host.Task) // effect of a task when it starts; nil: nothing
}

// client wants a job to be done. It hands it in again, at the same daemon and under the same key,
// until it is acknowledged.
type client struct {
	at      *machine
	key     string
	spec    jobs.Spec
	files   int    // that each of its tasks leaves
	input   []byte // that each of them reads, if there are files
	id      string // of the job that was acknowledged
	asked   <-chan struct{}
	asks    string     // of the job that the daemon has taken, before it is acknowledged
	want    jobs.State // how it ends, unless it is cancelled
	done    bool       // its job has ended
	cancels bool       // it has wanted the end of its job
	removes bool       // and that it is forgotten
	removed bool       // and was answered that it is
}

func newWorld(p *sim.Plan) *world {
	w := &world{cut: map[[2]protocol.Address]bool{}}
	witnesses := 1
	if p.Nodes >= 3 && !slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Do == opWitness }) {
		witnesses = 3
	}
	w.grid = config.DefaultGrid(0, witnesses)
	if slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Do == opForge }) {
		w.mint = newMint()
	}
	shape := sim.NewChance(p.Shape, 1)
	for i := range p.Nodes {
		m := &machine{
			world: w, address: protocol.Address(i),
			chance: sim.NewChance(p.Seed, uint64(i)+1000), disk: &store{values: map[string][]byte{}},
			boot: time.Duration(shape.Between(1, 1<<20)) * time.Second, rate: shape.Between(-maxRate, maxRate),
		}
		m.kept, m.cache = newContents(m), newContents(m)
		w.machines = append(w.machines, m)
	}
	return w
}

// maxRate is the largest error of a clock in parts per million: half of the drift that leases allow
// between two clocks.
const maxRate = 250

// config is the configuration of a daemon.
func (w *world) config(a protocol.Address) config.Config {
	c := config.Config{CPUs: 1, Grid: w.grid}
	for _, witness := range w.grid.Witnesses {
		if witness != a {
			c.Contacts = append(c.Contacts, config.Contact{Address: witness, Endpoint: endpoint(witness)})
		}
	}
	return c
}

func (w *world) now() int64 { return w.run.Now() }

func (w *world) at(at int64, do func()) { w.run.At(at, do) }

func (w *world) isCut(from, to protocol.Address) bool { return w.cut[[2]protocol.Address{from, to}] }

// wake gives a daemon a step, unless it is in one.
func (w *world) wake(m *machine) {
	if !m.stepping {
		w.run.Command(int(m.address), order{Kind: wakeOrder})
	}
}

// start begins an incarnation of a node that is down.
func (w *world) start(m *machine) {
	if m.node == nil && !m.lost {
		w.run.Restart(int(m.address))
	}
}

// endAll ends all processes of a node, within a time.
func (w *world) endAll(m *machine, within int64) {
	for _, p := range slices.Clone(w.processes) {
		switch {
		case p.m != m:
		case within == 0:
			p.gone = true
			w.forget(p)
		default:
			p.endSoon(m.chance.Between(0, within))
		}
	}
}

func (w *world) forget(p *process) {
	w.processes = slices.DeleteFunc(w.processes, func(q *process) bool { return q == p })
}

// receive takes a frame from the network.
func (m *machine) receive(f frame) {
	if m.links == nil {
		return
	}
	for _, f := range m.links.receive(f) {
		m.node.Deliver(f.From, f.Kind, []byte(f.Payload))
	}
}

// take carries out an order of the run at a running node.
func (m *machine) take(o order) {
	if m.node == nil {
		return
	}
	switch o.Kind {
	case opSubmit:
		m.inbox = append(m.inbox, func() { m.submit(m.world.clients[o.Number]) })
	case opCancel:
		m.inbox = append(m.inbox, func() { m.cancel(m.world.clients[o.Number]) })
	case opRemove:
		m.inbox = append(m.inbox, func() { m.remove(m.world.clients[o.Number]) })
	case opForge:
		m.inbox = append(m.inbox, func() { m.forge(o.Number) })
	case opPause:
		m.paused = max(m.paused, m.world.now()+int64(o.Number))
	case opDrain:
		m.inbox = append(m.inbox, func() { m.node.Drain(time.Duration(o.Number) * time.Microsecond) })
	case opLeave:
		m.inbox = append(m.inbox, func() { m.node.Leave(time.Duration(o.Number) * time.Microsecond) })
	}
}

// submit submits the job of a client.
func (m *machine) submit(c *client) {
	if c.id != "" {
		return
	}
	if c.files > 0 {
		if _, _, err := m.kept.Put(bytes.NewReader(c.input), "", jobs.FileLimit); err != nil {
			return // its disk is full
		}
	}
	id, acked, err := m.node.Submit(c.spec, c.key)
	if err != nil {
		return // the client tries again
	}
	c.asks, c.asked = id, acked
}

// cancel cancels the job of a client at this node, if it has a copy.
func (m *machine) cancel(c *client) {
	if c.id == "" {
		return
	}
	m.node.Cancel(c.id, func(error) {})
}

// remove has the job of a client forgotten, if this node has a copy.
func (m *machine) remove(c *client) {
	m.node.Remove(c.id, func(err error) {
		if err == nil {
			m.world.oracle.seen["removed"]++
			c.removed = true
		}
	})
}

// acknowledge looks which jobs a node has acknowledged.
func (m *machine) acknowledge() {
	for _, c := range m.world.clients {
		if c.at != m || c.asked == nil {
			continue
		}
		select {
		case <-c.asked:
			c.id, c.asked = c.asks, nil
			if r := m.node.Job(c.id); len(r.Custodians) < min(custody.Most, len(m.world.machines)) {
				m.world.oracle.seen["few"]++
			}
			m.world.oracle.seen["acknowledged"]++
		default:
		}
	}
}

// watch looks at a daemon after a turn.
func (w *world) watch(m *machine) {
	m.acknowledge()
	w.oracle.look(m)
}

// name is how texts call a node.
func (m *machine) name() string { return fmt.Sprint(seat(m.address)) }
