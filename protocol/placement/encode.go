package placement

import "github.com/canvass-grid/canvass/protocol/space"

// AppendState appends the canonical encoding of a state.
func AppendState(dst []byte, s State) []byte {
	e := space.Encoder{Dst: dst}
	e.ID(s.Self)
	e.Uint(uint64(s.Turns))
	e.Uint(uint64(s.Ticket))
	e.Uint(uint64(s.Round))
	e.Uint(uint64(s.Jobs.Len()))
	for j := range s.Jobs.All() {
		appendJob(&e, j)
	}
	return e.Dst
}

func appendJob(e *space.Encoder, j *Job) {
	e.Uint(uint64(j.Number))
	e.Uint(uint64(j.Try))
	e.Uint(j.Stamp)
	e.Uint(uint64(j.Phase))
	e.Uint(uint64(j.Ticket))
	e.ID(j.Owner)
	e.Uint(uint64(j.Searches))
	e.Uint(uint64(j.Rest))
	e.Uint(uint64(j.Round))
}

// AppendMessage appends nothing: there are no messages.
func AppendMessage(dst []byte, _ Message) []byte { return dst }

// AppendCommand appends the canonical encoding of a command: its kind, then the fields that the
// kind names.
func AppendCommand(dst []byte, c Command) []byte {
	e := space.Encoder{Dst: dst}
	e.Uint(uint64(c.Kind))
	switch c.Kind {
	case CommandWants:
		e.Uint(uint64(c.Job))
		e.Uint(uint64(c.Try))
		e.Uint(c.Stamp)
		e.Uint(uint64(c.Rest))
	case CommandPermitted:
		e.Uint(uint64(c.Job))
		e.Uint(uint64(c.Ticket))
	case CommandStop, CommandDrop:
		e.Uint(uint64(c.Job))
	case CommandOwned:
		e.Uint(uint64(c.Ticket))
		e.ID(c.Node)
	case CommandLost, CommandEnded:
		e.Uint(uint64(c.Ticket))
	case CommandDead:
		e.ID(c.Node)
	case CommandTurns:
		e.Uint(uint64(c.Turns))
	}
	return e.Dst
}
