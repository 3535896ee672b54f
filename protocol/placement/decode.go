package placement

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

func newDecoder(src []byte) space.Decoder { return space.Decoder{Reader: protocol.NewReader(src)} }

// DecodeState decodes the output of AppendState. It refuses jobs that are not sorted by number.
func DecodeState(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{Self: d.NodeID(), Turns: d.Uint32(), Ticket: d.Uint32(), Round: d.Uint32()}
	var jobs []Job
	for left := d.Uint(JobMost); left > 0 && d.OK(); left-- {
		j := decodeJob(d)
		if n := len(jobs); n > 0 && jobs[n-1].Number >= j.Number {
			d.Fail()
		}
		jobs = append(jobs, j)
	}
	s.Jobs = ListOf(jobs...)
	return s, d.Close()
}

func decodeJob(d space.Decoder) Job {
	j := Job{
		Number: d.Uint32(), Try: d.Uint32(), Stamp: d.Uint(1<<64 - 1), Phase: Phase(d.Uint(uint64(Stopped))),
		Ticket: d.Uint32(), Owner: d.NodeID(), Searches: uint8(d.Uint(1<<8 - 1)), Rest: d.Uint32(), Round: d.Uint32(),
	}
	if j.Phase == 0 {
		d.Fail()
	}
	return j
}

// DecodeMessage decodes the output of AppendMessage, which is empty.
func DecodeMessage(src []byte) (Message, error) { return Message{}, protocol.NewReader(src).Close() }

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(src []byte) (Command, error) {
	d := newDecoder(src)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandTurns)))}
	switch c.Kind {
	case CommandWants:
		c.Job, c.Try, c.Stamp, c.Rest = d.Uint32(), d.Uint32(), d.Uint(1<<64-1), d.Uint32()
	case CommandPermitted:
		c.Job, c.Ticket = d.Uint32(), d.Uint32()
	case CommandStop, CommandDrop:
		c.Job = d.Uint32()
	case CommandOwned:
		c.Ticket, c.Node = d.Uint32(), d.NodeID()
	case CommandLost, CommandEnded:
		c.Ticket = d.Uint32()
	case CommandDead:
		c.Node = d.NodeID()
	case CommandTurns:
		c.Turns = d.Uint32()
	default:
		d.Fail()
	}
	return c, d.Close()
}
