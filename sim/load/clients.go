package load

// MostTries is how often a client submits a job.
const MostTries = 1_000

// Submitter takes the jobs that clients submit.
type Submitter interface {
	Grid

	// Submit is the submission of a job at a node, or at [None] if no node stays: the client tries
	// again later.
	Submit(job, node int)

	// GiveUp is the end of a job that its client has submitted [MostTries] times.
	GiveUp(job int)
}

// Clients submit jobs, each at its entry node, and again if no answer comes for a while.
type Clients struct {
	Submitter
	entries        []int // nodes, by job
	patienceMicros int64
	clients        []client
	again          uint64
}

// client is the client of a job.
type client struct {
	tries    int
	answered bool // it was notified of the fate of its last submission
	ended    bool
}

// NewClients returns a client for each job, whose entry nodes are given.
func NewClients(s Submitter, entries []int, patienceMicros int64) *Clients {
	return &Clients{Submitter: s, entries: entries, patienceMicros: patienceMicros, clients: make([]client, len(entries))}
}

// Send submits a job at its entry node or, if that node does not stay, at the next node that stays.
func (c *Clients) Send(job int) {
	x := &c.clients[job]
	if x.tries == MostTries {
		c.GiveUp(job)
		return
	}
	if x.tries++; x.tries > 1 {
		c.again++
	}
	x.answered = false
	c.Submit(job, StayingFrom(c, c.entries[job]))
	c.SendAgain(job, c.patienceMicros, func() bool { return !x.answered })
}

// SendAgain submits a job again after a while, if that is still necessary then, and if its client
// has not submitted it in the meantime.
func (c *Clients) SendAgain(job int, afterMicros int64, isNecessary func() bool) {
	x := &c.clients[job]
	try := x.tries
	c.At(c.Now()+afterMicros, func() {
		if !x.ended && x.tries == try && isNecessary() {
			c.Send(job)
		}
	})
}

// Answered notes that a client was notified of the fate of its last submission.
func (c *Clients) Answered(job int) { c.clients[job].answered = true }

// IsAnswered reports whether the client was notified of the fate of its last submission.
func (c *Clients) IsAnswered(job int) bool { return c.clients[job].answered }

// End notes that a job has ended. It reports false if it had ended before.
func (c *Clients) End(job int) bool {
	was := c.clients[job].ended
	c.clients[job].ended = true
	return !was
}

// HasEnded reports whether a job has ended.
func (c *Clients) HasEnded(job int) bool { return c.clients[job].ended }

// Tries is how often a job was submitted.
func (c *Clients) Tries(job int) int { return c.clients[job].tries }

// Again counts submissions beyond the first of each job.
func (c *Clients) Again() uint64 { return c.again }
