package node

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Functions that the tests of this package call.
var (
	AppendCore = life.AppendCore
	ReadCore   = life.ReadCore
	AppendJob  = life.AppendJob
	ReadJob    = life.ReadJob

	Halted        = halted
	Between       = life.Between
	Rank          = rank
	ForgetClients = forgetClients
)

// stuck is the runtime of a node whose loop does not turn.
func stuck() *life.Runtime {
	return &life.Runtime{Inbox: make(chan func()), Stopped: make(chan struct{})}
}

// StoreOf is the store of a node that does not run yet.
func (n *Node) StoreOf() life.Store { return n.Store }

// SetStore replaces it.
func (n *Node) SetStore(s life.Store) { n.Store = s }

// ClientOf asks a node for the client of a job of an owner, which is an incarnation of the node.
func ClientOf(self, owner protocol.NodeID, number uint32) error {
	s := &owned{Runtime: &life.Runtime{Self: self}, clients: map[uint32]peer.Client{number: {}}}
	_, err := s.answerClient(self, rpc.OwnedJob{Owner: owner, Number: number})
	return err
}

// DecidesWithoutLease reports whether a node that has no lease yet decides about jobs.
func DecidesWithoutLease() bool {
	_, err := (&records{Runtime: &life.Runtime{}}).deciding(jobs.Name{Number: 1})
	return !errors.Is(err, rpc.ErrLater)
}

// KnowsLaterName reports whether a node refuses a copy of a job's record since its table has the
// job under a later name.
func KnowsLaterName(self protocol.NodeID, table *jobs.Table, from protocol.NodeID, text []byte) bool {
	records := &records{Runtime: &life.Runtime{Self: self, Table: table}}
	return errors.Is(records.adopt(from, text), errNever)
}

// OrderOf asks a node for the job of a ticket of one of its incarnations.
func OrderOf(self, entry protocol.NodeID, number uint32) error {
	s := newSubmissions(&life.Runtime{Self: self})
	r := &jobs.Record{}
	s.tickets[number] = &keptJob{record: r, core: &custodyInstance{}}
	_, err := s.answerOrder(self, rpc.Submission{Entry: entry, Number: number})
	return err
}

// Scraped are the metrics of a node whose loop does not turn.
func Scraped(record *flight.Recorder) (string, error) {
	n := &Node{parts: parts{Runtime: stuck(), record: observe.Recorder{Recorder: record}}}
	n.fences = &life.Fences{Former: map[string]uint64{"some": 1}}
	n.Meter = observe.New(n.scrape)
	return users{parts: &n.parts}.Metrics(context.Background())
}

// HealthOf is the health of a node whose loop does not turn.
func HealthOf(ctx context.Context) (api.Health, error) {
	return users{parts: &parts{Runtime: stuck()}}.Health(ctx)
}

// Shown is all metrics of a node with different numbers, except the metrics of Scraped.
func Shown() (string, error) {
	m := observe.New(func(s observe.Scrape) {
		a := reading{
			tries: 1, restless: 6, tasks: tasks.Counts{Starts: 2, Unfit: 3, Lost: 4, Kills: 5}, member: true,
			neighbours: 7, roles: 8, owned: 9, floors: 10, attempts: 11, keptJobs: 12, questions: 13, known: 14,
			taken: 15, line: 16, ended: 17, short: 18,
			jobs: map[string]int{"held": 19},
			breaches: member.BreachCounts{
				Undead: 20, Suspicions: 21, Early: 22, Unreadable: 23, Limits: map[string]uint64{"some": 24},
			},
			report: api.NodeReport{
				Process: api.Process{Uptime: 25 * time.Second}, Node: protocol.NodeID{Incarnation: 26}, LeaseLeft: 27 * time.Second,
				Certificate: &api.Certificate{Left: 28 * time.Second, Warning: "it ends"}, Witness: true, Draining: true,
				Share: 0.25, Gone: make([]protocol.NodeID, 29), Open: true, Cluster: make([]protocol.NodeID, 30), Queue: 31,
				Running: "A-1",
			},
		}
		a.showAll(s)
		showLinks(s, transport.Counters{
			FramesSent: 41, FramesReceived: 42, BytesSent: 43, BytesReceived: 44, Delivered: 45, Resent: 46, Duplicates: 47,
			TooOld: 48, Expired: 49, Outlived: 50, Overflowed: 51, Misaddressed: 52, Oversize: 53, Unauthenticated: 54,
			Connected: 55, Refused: map[string]uint64{"some": 56}, Reset: map[string]uint64{"some": 57},
		})
	})
	m.Stepped("peer", protocol.Deliver, time.Second)
	return m.Text()
}

// Metrics are the metrics that need the loop.
func (s *Stepped) Metrics() (string, error) {
	a := s.node.reading()
	return observe.New(func(to observe.Scrape) { a.showAll(to) }).Text()
}

// LacksOnMap is the list of the node's problems on the map.
var LacksOnMap = lacks

// NotFound is the reason why a job is not found if a job whose id begins so was removed, and some
// daemons do not answer.
func NotFound(id, forgotten string, silent ...protocol.NodeID) error {
	return (&located{member: true, forgotten: forgotten, silent: silent}).lacks(id)
}

// Note changes the record of a job, and does something once that is on the disk.
func (s *Stepped) Note(id, note string, then func()) {
	s.node.Table.Noted(s.node.Table.Get(id), note)
	calling{s.node}.WhenDurable(then)
}

// LeaseLasts is how long the lease of a node that runs lasts.
func (n *Node) LeaseLasts() time.Duration {
	left := make(chan time.Duration)
	n.Post(func() { left <- n.Leases.LeaseLeft() })
	return <-left
}

// Hang keeps the goroutine of the node from doing anything, until the channel is closed.
func (n *Node) Hang() (goOn chan<- struct{}) {
	wait := make(chan struct{})
	n.Post(func() { <-wait })
	return wait
}

// Merge merges copies that daemons have sent, each with whether its daemon decides about the job.
func Merge(copies []*jobs.Record, leads []bool) map[string]*jobs.Record {
	m := merged{best: map[string]*best{}}
	for i, r := range copies {
		m.add(r, leads[i])
	}
	all := map[string]*jobs.Record{}
	for id, b := range m.best {
		all[id] = b.record
	}
	return all
}

// Ending is the error that users receive from a node that has ended for a reason.
func Ending(reason error, left bool) error {
	n := &Node{parts: parts{Runtime: stuck()}}
	n.Self, n.Reason, n.Left = protocol.NodeID{Address: 2, Incarnation: 1}, reason, left
	close(n.Stopped)
	return n.Ending()
}

// Expired is the reason of an incarnation whose lease has run out.
func Expired(witnesses ...protocol.Address) error {
	l := &member.Leases{
		Runtime: &life.Runtime{Self: protocol.NodeID{Address: 2, Incarnation: 1}}, Settings: &config.Settings{},
	}
	l.Config.Grid.Witnesses = witnesses
	l.OnLease(life.LeaseID, protocol.Event{Name: lease.EventFenced, Detail: life.FenceExpired})
	return l.Failed
}

// Offer is the answers of custodians to outputs that were offered to them.
type Offer struct{ offer }

// NewOffer offers a number of files.
func NewOffer(files int) *Offer { return &Offer{newOffer(files)} }

// Answered notes the answer of a custodian: which files it lacks, by their indexes, and whether
// another try may come to more.
func (o *Offer) Answered(from protocol.NodeID, again bool, lacks ...int) {
	var absent []rpc.Absence
	for _, file := range lacks {
		absent = append(absent, rpc.Absence{File: file, Why: "no room", Again: again})
	}
	o.answered(from, absent, nil)
}

// Silent notes that a custodian does not answer.
func (o *Offer) Silent(from protocol.NodeID) { o.answered(from, nil, rpc.ErrGivenUp) }

// Decided says which files are kept nowhere, whether another try may come to more, and which
// custodians lack files that others have.
func (o *Offer) Decided() (unkept []int, again bool, lacking jobs.Custodians) {
	unkept, again = o.unkept()
	return unkept, again, o.lacking(unkept)
}

// ListAll asks a node for all its copies, page by page, and returns how many pages and bytes they
// are.
func (s *Stepped) ListAll() (copies, pages, size int, err error) {
	n, q := s.node, rpc.ListRequest{}
	for {
		p, err := n.views.answerList(n.Self, q)
		if err != nil {
			return 0, 0, 0, err
		}
		text, err := json.Marshal(p)
		if err != nil {
			return 0, 0, 0, err
		}
		copies, pages, size = copies+len(p.Copies), pages+1, size+len(text)
		if !p.More {
			return copies, pages, size, nil
		}
		q.After = p.Copies[len(p.Copies)-1].ID
	}
}
