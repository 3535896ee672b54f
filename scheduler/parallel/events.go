package parallel

import "github.com/canvass-grid/canvass/internal/calendar"

// kind is the kind of a message. The names are those of package reptask, whose messages they stand
// for; mere confirmations (Finish, Result, Settled and their answers) decide nothing here.
type kind uint8

const (
	grant     kind = iota // to the representative
	dispatch              // to all of list
	ready                 // to the representative
	withdraw              // to the representative
	withdrawn             // to the host
	decision              // to all members: Start to voters, Cancel to the others
	cancel                // to all of list
	refused               // GiveUp of a cluster that is too small, to the owner
	moved                 // GiveUp of a job that moves, to the owner
	settled               // to the representative, which forgets the attempt
	gone                  // to the owner, which grants the next attempt
)

// message is one message, or several that a node sends in one step and that arrive one after the
// other: nothing can happen between them.
type message struct {
	at    int64
	seq   uint64
	kind  kind
	epoch uint32
	job   int32
	node  int32 // the receiver, if there is one
	from  int32
	list  []int32 // the receivers, if there are several
	voted []bool  // of decision, by list
}

// task is a task that runs.
type task struct{ job, host int32 }

// mail is the messages in flight. Those of the buffer take equally long, so they arrive in the
// order in which they were sent. Messages that arrive at once do so in that order, too.
type mail struct {
	buffer []message
	first  int
	far    calendar.Heap[message] // between clusters that are far apart
}

func (m *mail) push(x message) { m.buffer = append(m.buffer, x) }

func (m *mail) next() *message {
	near := m.first < len(m.buffer)
	switch {
	case len(m.far) > 0 && (!near || m.farFirst()):
		return &m.far[0].Value
	case near:
		return &m.buffer[m.first]
	}
	return nil
}

// farFirst reports whether the first far message arrives before the first of the buffer.
func (m *mail) farFirst() bool {
	far, near := &m.far[0], &m.buffer[m.first]
	return far.At < near.at || far.At == near.at && far.Order < near.seq
}

// pop takes the next message. Now and then the buffer moves to its beginning.
func (m *mail) pop() message {
	if len(m.far) > 0 && m.next() == &m.far[0].Value {
		return m.far.Pop().Value
	}
	x := m.buffer[m.first]
	m.buffer[m.first] = message{}
	m.first++
	if m.first >= 1024 && 2*m.first >= len(m.buffer) {
		m.buffer = m.buffer[:copy(m.buffer, m.buffer[m.first:])]
		m.first = 0
	}
	return x
}
