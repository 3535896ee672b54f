package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The tags of messages on the wire: those of the first three layers are their numbers.
const (
	tagJob   = uint64(TaskLayer) + 1
	tagOwned = tagJob + 1
	tagHeir  = tagOwned + 1

	tagUnmatched = tagHeir + 1
	tagTree      = tagUnmatched + 1
)

// appendPart appends an encoding with its length.
func appendPart(dst, part []byte) []byte {
	return append(protocol.AppendUint(dst, uint64(len(part))), part...)
}

// maxPart bounds one part of an encoding.
const maxPart = 1 << 24

// part reads an encoding that follows its length.
func part[T any](r *protocol.Reader, decode func([]byte) (T, error)) T {
	v, err := decode(r.Bytes(int(r.Uint(maxPart))))
	if err != nil {
		r.Fail()
	}
	return v
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	dst = protocol.AppendUint(protocol.AppendBool(dst, s.Leaving), uint64(len(s.Clients)))
	for _, c := range s.Clients {
		dst = protocol.AppendNodeID(protocol.AppendUint(dst, uint64(c.Number)), c.Entry)
		dst = c.Search.Append(protocol.AppendUint(dst, uint64(c.Ticket)))
	}
	dst = appendPart(dst, can.AppendState(&cfg.Can, nil, s.Can))
	dst = appendPart(dst, refine.AppendState(nil, s.Refine))
	dst = appendPart(dst, reptask.AppendState(&cfg.Tasks, nil, s.Tasks))
	switch {
	case !cfg.Predicts:
		return dst
	case s.Tree == nil:
		return appendPart(dst, nil)
	}
	return appendPart(dst, dtm.AppendState(nil, *s.Tree))
}

// DecodeState is the inverse of AppendState. It refuses bytes that AppendState does not produce.
func DecodeState(cfg *Config, src []byte) (State, error) {
	r := protocol.NewReader(src)
	s := State{Leaving: r.Bool(), Clients: protocol.List(r, func() Client {
		return Client{Number: number(r), Entry: r.NodeID(), Ticket: number(r), Search: match.ReadSearch(r, cfg.SeekLimit)}
	})}
	for i := range s.Clients {
		if i > 0 && s.Clients[i-1].Number >= s.Clients[i].Number {
			r.Fail()
		}
	}
	s.Can = part(r, func(b []byte) (can.State, error) { return can.DecodeState(&cfg.Can, b) })
	s.Refine = part(r, refine.DecodeState)
	s.Tasks = part(r, func(b []byte) (reptask.State, error) { return reptask.DecodeState(&cfg.Tasks, b) })
	if cfg.Predicts {
		s.Tree = part(r, func(b []byte) (*dtm.State, error) {
			if len(b) == 0 {
				return nil, nil // before the first incarnation
			}
			tree, err := dtm.DecodeState(b)
			return &tree, err
		})
	}
	return s, r.Close()
}

// AppendMessage appends the canonical encoding of a message.
func AppendMessage(cfg *Config, dst []byte, m Message) []byte {
	switch m := m.(type) {
	case CanMessage:
		return can.AppendMessage(&cfg.Can, protocol.AppendUint(dst, uint64(CanLayer)), m.Of)
	case RefineMessage:
		return refine.AppendMessage(protocol.AppendUint(dst, uint64(RefineLayer)), m.Of)
	case TaskMessage:
		return reptask.AppendMessage(&cfg.Tasks, protocol.AppendUint(dst, uint64(TaskLayer)), m.Of)
	case Job:
		dst = protocol.AppendNodeID(protocol.AppendUint(dst, tagJob), m.Entry)
		dst = protocol.AppendUint(protocol.AppendUint(appendName(dst, m.Orphan), uint64(m.Ticket)), uint64(m.Hops))
		return appendJob(cfg, m.Search.Append(protocol.AppendBool(dst, m.Adopt)), m.Submitted, m.Spec)
	case Owned:
		dst = protocol.AppendUint(dst, tagOwned)
		return protocol.AppendUint(protocol.AppendUint(dst, uint64(m.Ticket)), uint64(m.Number))
	case Unmatched:
		dst = protocol.AppendUint(dst, tagUnmatched)
		return protocol.AppendUint(protocol.AppendUint(dst, uint64(m.Ticket)), uint64(m.Why))
	case Heir:
		return appendIDs(appendName(protocol.AppendUint(dst, tagHeir), m.Orphan), m.Candidates)
	case TreeMessage:
		return dtm.AppendMessage(protocol.AppendUint(dst, tagTree), m.Of)
	}
	panic("peer: a message of no type")
}

// DecodeMessage is the inverse of AppendMessage. It refuses bytes that AppendMessage does not
// produce.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	r := protocol.NewReader(src)
	switch tag := r.Uint(tagTree); tag {
	case uint64(CanLayer):
		m, err := can.DecodeMessage(&cfg.Can, r.Bytes(r.Left()))
		return CanMessage{m}, err
	case uint64(RefineLayer):
		m, err := refine.DecodeMessage(r.Bytes(r.Left()))
		return RefineMessage{m}, err
	case uint64(TaskLayer):
		m, err := reptask.DecodeMessage(&cfg.Tasks, r.Bytes(r.Left()))
		return TaskMessage{m}, err
	case tagJob:
		j := Job{Entry: r.NodeID(), Orphan: readName(r), Ticket: number(r), Hops: number(r), Adopt: r.Bool()}
		j.Search = match.ReadSearch(r, cfg.SeekLimit)
		j.Submitted, j.Spec = readJob(cfg, r)
		return j, r.Close()
	case tagUnmatched:
		return Unmatched{Ticket: number(r), Why: Why(r.Uint(uint64(Undecided)))}, r.Close()
	case tagTree:
		m, err := dtm.DecodeMessage(r.Bytes(r.Left()))
		return TreeMessage{m}, err
	case tagHeir:
		return Heir{Orphan: readName(r), Candidates: protocol.List(r, r.NodeID)}, r.Close()
	}
	return Owned{Ticket: number(r), Number: number(r)}, r.Close()
}

// appendName appends the name of a job.
func appendName(dst []byte, j reptask.Job) []byte {
	return protocol.AppendUint(protocol.AppendNodeID(protocol.AppendUint(dst, j.Submitted), j.Owner), uint64(j.Number))
}

func readName(r *protocol.Reader) reptask.Job {
	return reptask.Job{Submitted: r.Uint(1<<64 - 1), Owner: r.NodeID(), Number: number(r)}
}

func appendIDs(dst []byte, ids []protocol.NodeID) []byte {
	dst = protocol.AppendUint(dst, uint64(len(ids)))
	for _, id := range ids {
		dst = protocol.AppendNodeID(dst, id)
	}
	return dst
}

// appendJob appends the description of a job for the task layer.
func appendJob(cfg *Config, dst []byte, submitted uint64, s reptask.Spec) []byte {
	c := reptask.Command{Kind: reptask.CommandSubmit, Submitted: submitted, Spec: s}
	return appendPart(dst, reptask.AppendCommand(&cfg.Tasks, nil, c))
}

func readJob(cfg *Config, r *protocol.Reader) (submitted uint64, s reptask.Spec) {
	c := part(r, func(b []byte) (reptask.Command, error) { return reptask.DecodeCommand(&cfg.Tasks, b) })
	if c.Kind != reptask.CommandSubmit || len(c.Candidates) > 0 {
		r.Fail()
	}
	return c.Submitted, c.Spec
}

func number(r *protocol.Reader) uint32 { return uint32(r.Uint(1<<32 - 1)) }

// AppendCommand appends the canonical encoding of a command.
func AppendCommand(cfg *Config, dst []byte, c Command) []byte {
	dst = protocol.AppendNodeID(protocol.AppendUint(dst, uint64(c.Kind)), c.Contact)
	dst = protocol.AppendUint(appendIDs(dst, c.Near), uint64(c.Ticket))
	switch c.Kind {
	case CommandSubmit:
		dst = appendJob(cfg, dst, c.Submitted, c.Spec)
	case CommandMove:
		dst = appendPart(dst, reptask.AppendCommand(&cfg.Tasks, nil, c.move()))
	case CommandOwn:
		dst = appendPart(dst, reptask.AppendCommand(&cfg.Tasks, nil, c.own()))
	case CommandQueues:
		dst = protocol.AppendUint(dst, uint64(len(c.Queues)))
		for _, q := range c.Queues {
			dst = protocol.AppendUint(protocol.AppendNodeID(dst, q.Node), uint64(q.Length))
		}
	}
	return dst
}

// DecodeCommand is the inverse of AppendCommand. It refuses bytes that AppendCommand does not
// produce.
func DecodeCommand(cfg *Config, src []byte) (Command, error) {
	r := protocol.NewReader(src)
	c := Command{Kind: CommandKind(r.Uint(uint64(CommandUncordon))), Contact: r.NodeID(), Near: protocol.List(r, r.NodeID)}
	c.Ticket = number(r)
	switch c.Kind {
	case CommandSubmit:
		c.Submitted, c.Spec = readJob(cfg, r)
	case CommandMove:
		m := part(r, func(b []byte) (reptask.Command, error) { return reptask.DecodeCommand(&cfg.Tasks, b) })
		if m.Kind != reptask.CommandMove {
			r.Fail()
		}
		c.Job, c.Target, c.By = m.Job, m.Target, m.By
	case CommandOwn:
		m := part(r, func(b []byte) (reptask.Command, error) { return reptask.DecodeCommand(&cfg.Tasks, b) })
		if m.Kind != reptask.CommandSubmit {
			r.Fail()
		}
		c.Submitted, c.Spec, c.Candidates = m.Submitted, m.Spec, m.Candidates
	case CommandQueues:
		c.Queues = protocol.List(r, func() reptask.Queue { return reptask.Queue{Node: r.NodeID(), Length: number(r)} })
	}
	return c, r.Close()
}
