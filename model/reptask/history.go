package reptask

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// history is the part of a run that the properties depend on.
type history struct {
	attempts []attempt // that must be remembered, sorted by granting owner and epoch
	jobs     []job     // all that were submitted
	waiting  []overtaken
	crashed  uint32 // nodes, by address
	seen     uint32 // events so far, for the witnesses
	broken   uint32 // which of the properties below were broken
}

// attempt is the progress of one attempt at a job. The masks are sets of nodes by address.
type attempt struct {
	by        protocol.NodeID
	epoch     uint32
	job       reptask.Job // known when the first dependent starts
	started   uint32
	finished  uint32 // ran to the end
	cancelled uint32 // dropped the task, or never got it
	killed    uint32 // withdrew it and has not voted since
}

// job is the state of a job as its owner reports it. Nodes are stored as address + 1.
type job struct {
	id       reptask.Job
	by       protocol.NodeID // of the latest attempt
	granted  uint32          // its epoch
	state    JobState
	moved    uint32 // by which algorithms
	moving   uint32 // by which it was given away, until the owner knows
	mover    uint32 // the node that gave it away, until then
	owner    uint32 // of an open job; 0: it has crashed
	held     uint32 // the representatives of an open job, as a mask by address
	parting  bool   // the owner ends the latest attempt
	lost     bool   // by a crash: see open
	reporter uint32 // the node that reported its end; 0: it has crashed
	revoked  bool   // the latest attempt ended since the client cancelled the job
	revoker  uint32 // its representative, until the owner knows

	// The candidates that have refused the job since a node last represented it, and the candidates
	// that its owner found silent.
	refused, gone []protocol.NodeID
}

// crash records the effect of a crash on a job.
func (j *job) crash(node int) {
	if j.reporter == uint32(node)+1 {
		j.reporter = 0
	}
	if j.mover == uint32(node)+1 { // a move does not count if the owner was never notified
		j.moved, j.moving, j.mover = j.moved&^j.moving, 0, 0
	}
	if j.revoker == uint32(node)+1 { // so does a revocation
		j.revoked, j.revoker = false, 0
	}
	if j.state != Open {
		return
	}
	j.held &^= 1 << node
	if j.owner == uint32(node)+1 {
		j.owner = 0
	}
	j.lost = j.lost || j.owner == 0 && j.held == 0
}

// end records that a node reports the end of a job.
func (j *job) end(node int, state JobState) {
	j.state, j.owner, j.held, j.parting, j.reporter = state, 0, 0, false, uint32(node)+1
	j.revoked, j.revoker, j.refused, j.gone = false, 0, nil, nil
}

// The algorithms that have moved a job, as bits of job.moved.
const (
	movedByDLB = 1 << iota
	movedByQB
)

// overtaken is a waiting task at whose node a newer job has started.
type overtaken struct {
	node int
	reptask.Attempt
}

// The properties of whole runs, as bits of history.broken.
const (
	brokenMore       = 1 << iota // NeverMore
	brokenCancelled              // CancelledStays
	brokenResult                 // OneResult
	brokenRun                    // FullRun
	brokenOvertaking             // BoundedOvertaking
	brokenMove                   // MovesOnce
	brokenRevoked                // RevokedEnds
	brokenAsked                  // AskedAll
	brokenLeaving                // LeaverTakesNothing
	brokenCordon                 // CordonHolds
	brokenFit                    // MovesFit
	brokenStep                   // the first rule of the contract; the others follow
)

// ofRuns are the properties of whole runs, in the order of their bits.
var ofRuns = []struct{ name, doc string }{
	{"NeverMore", "at most k dependent tasks of an attempt start, each on another node"},
	{"CancelledStays", "a dependent task that was cancelled, superseded or killed never starts"},
	{"OneResult", "a job ends once; another owner may accept the same result after a crash"},
	{"FullRun", "an accepted result comes from exactly k dependent tasks that finished"},
	{"BoundedOvertaking", "while a task waits at a node, at most one newer job starts there"},
	{"MovesOnce", "a job moves at most once, or once by each algorithm where that is configured"},
	{"RevokedEnds", "a job is not granted while its owner revokes it, nor after a representative knows of that"},
	{"AskedAll", "a job fails only if all its candidates in a row refused it or were silent"},
	{"LeaverTakesNothing", "a node that leaves takes no new job, attempt or task, and starts no attempt"},
	{"CordonHolds", "a node that is cordoned takes no new task"},
	{"MovesFit", "a turn of balancing moves the oldest job that a site takes, to a smallest such site"},
}

// allStarted reports whether no attempt was started on fewer than k nodes.
func (h *history) allStarted(sizes func(reptask.Job) int) bool {
	return h.seen&seenFewer == 0 && !slices.ContainsFunc(h.attempts, func(a attempt) bool {
		return a.started != 0 && bits.OnesCount32(a.started) != sizes(a.job)
	})
}

// neverFewer is allStarted, but after a crash it does not apply.
func (h *history) neverFewer(sizes func(reptask.Job) int) bool {
	return h.crashed != 0 || h.allStarted(sizes)
}

// isOpen reports whether a job has not ended. A job is lost if a crash leaves it neither owner nor
// representative, or if its owner crashes between two attempts; then the client must submit it
// again.
func (j *job) isOpen() bool { return j.state == Open && !j.lost }

// The events so far, as bits of history.seen. Facts that a state shows by itself are not among
// them.
const (
	seenMove    = 1 << iota // an idle job moved
	seenRegrant             // an owner granted a job again
	seenStop                // a running dependent was stopped
	seenFewer               // an attempt is over that was started on fewer than k nodes, and on some
	seenAdopt               // a job has another owner
	seenAgain               // a result is accepted again, by another owner
	seenQueued              // queue balancing moved a job
	seenTwice               // each algorithm has moved one and the same job
	seenWorse               // a job came to a larger queue position than published queue balancing promised
)

func (h *history) attempt(by protocol.NodeID, epoch uint32) *attempt {
	wanted := attempt{by: by, epoch: epoch}
	i, ok := slices.BinarySearchFunc(h.attempts, wanted, attempt.compare)
	if !ok {
		h.attempts = slices.Insert(h.attempts, i, wanted)
	}
	return &h.attempts[i]
}

// closed reports whether nothing of the attempt may start any more.
func (a *attempt) closed() bool { return a.cancelled == ^uint32(0) }

func (a attempt) compare(b attempt) int {
	if c := a.by.Compare(b.by); c != 0 {
		return c
	}
	return cmp.Compare(a.epoch, b.epoch)
}

func (h *history) job(id reptask.Job) *job {
	i, ok := slices.BinarySearchFunc(h.jobs, id, func(x job, id reptask.Job) int { return x.id.Compare(id) })
	if !ok {
		h.jobs = slices.Insert(h.jobs, i, job{id: id})
	}
	return &h.jobs[i]
}

func (o overtaken) compare(p overtaken) int {
	return cmp.Or(cmp.Compare(o.node, p.node), o.Job.Compare(p.Job), cmp.Compare(o.Epoch, p.Epoch), o.By.Compare(p.By))
}

func (h history) encode() []byte {
	var b []byte
	b = protocol.AppendUint(b, uint64(len(h.attempts)))
	for _, a := range h.attempts {
		b = protocol.AppendUint(protocol.AppendNodeID(b, a.by), uint64(a.epoch))
		b = appendJob(b, a.job)
		for _, mask := range [4]uint32{a.started, a.finished, a.cancelled, a.killed} {
			b = protocol.AppendUint(b, uint64(mask))
		}
	}
	b = protocol.AppendUint(b, uint64(len(h.jobs)))
	for _, j := range h.jobs {
		b = protocol.AppendUint(protocol.AppendNodeID(appendJob(b, j.id), j.by), uint64(j.granted))
		b = protocol.AppendBool(append(b, byte(j.state)), j.parting)
		b = protocol.AppendBool(protocol.AppendBool(b, j.lost), j.revoked)
		for _, who := range [7]uint32{j.owner, j.held, j.reporter, j.mover, j.revoker, j.moved, j.moving} {
			b = protocol.AppendUint(b, uint64(who))
		}
		for _, list := range [2][]protocol.NodeID{j.refused, j.gone} {
			b = protocol.AppendUint(b, uint64(len(list)))
			for _, id := range list {
				b = protocol.AppendNodeID(b, id)
			}
		}
	}
	b = protocol.AppendUint(b, uint64(len(h.waiting)))
	for _, o := range h.waiting {
		b = appendAttempt(protocol.AppendUint(b, uint64(o.node)), o.Attempt)
	}
	for _, mask := range [3]uint32{h.crashed, h.seen, h.broken} {
		b = protocol.AppendUint(b, uint64(mask))
	}
	return b
}

func appendJob(b []byte, j reptask.Job) []byte {
	return protocol.AppendUint(protocol.AppendNodeID(protocol.AppendUint(b, j.Submitted), j.Owner), uint64(j.Number))
}

func appendAttempt(b []byte, a reptask.Attempt) []byte {
	return protocol.AppendUint(protocol.AppendNodeID(appendJob(b, a.Job), a.By), uint64(a.Epoch))
}

func decodeHistory(b []byte) history {
	r := protocol.NewReader(b)
	word := func() uint32 { return uint32(r.Uint(1<<32 - 1)) }
	id := func() reptask.Job {
		return reptask.Job{Submitted: r.Uint(1<<64 - 1), Owner: r.NodeID(), Number: word()}
	}
	try := func() reptask.Attempt { return reptask.Attempt{Job: id(), By: r.NodeID(), Epoch: word()} }
	h := history{
		attempts: protocol.List(r, func() attempt {
			return attempt{
				by:        r.NodeID(),
				epoch:     word(),
				job:       id(),
				started:   word(),
				finished:  word(),
				cancelled: word(),
				killed:    word(),
			}
		}),
		jobs: protocol.List(r, func() job {
			return job{
				id: id(), by: r.NodeID(), granted: word(), state: JobState(r.Uint(255)),
				parting: r.Bool(), lost: r.Bool(), revoked: r.Bool(),
				owner: word(), held: word(), reporter: word(), mover: word(), revoker: word(),
				moved: word(), moving: word(),
				refused: protocol.List(r, r.NodeID), gone: protocol.List(r, r.NodeID),
			}
		}),
		waiting: protocol.List(r, func() overtaken { return overtaken{int(word()), try()} }),
	}
	h.crashed, h.seen, h.broken = word(), word(), word()
	if err := r.Close(); err != nil {
		panic(err)
	}
	return h
}
