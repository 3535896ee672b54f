package muster

import "github.com/canvass-grid/canvass/protocol/space"

type encoder struct{ space.Encoder }

func newEncoder(dst []byte) encoder { return encoder{space.Encoder{Dst: dst}} }

func (e *encoder) ports(ports []uint16) {
	e.Uint(uint64(len(ports)))
	for _, p := range ports {
		e.Uint(uint64(p))
	}
}

func (e *encoder) places(places []Place) {
	e.Uint(uint64(len(places)))
	for _, p := range places {
		e.ID(p.Host)
		e.ports(p.Ports)
	}
}

func (e *encoder) status(s Status) {
	e.Uint(uint64(s.Cause))
	e.Uint(uint64(s.Code))
	e.Uint(uint64(s.Signal))
	e.Bool(s.Halted)
}

// AppendState appends the canonical encoding of a state.
func AppendState(dst []byte, s State) []byte {
	e := newEncoder(dst)
	e.ID(s.Self)
	e.Bool(s.Ended)
	e.host(&s.Host)
	e.rep(&s.Rep)
	return e.Dst
}

// host appends a role. A role that the node does not have is its phase alone.
func (e *encoder) host(h *Host) {
	e.Uint(uint64(h.Phase))
	if h.Phase == HostAbsent {
		return
	}
	e.ID(h.Rep)
	e.ports(h.Ports)
	e.Uint(uint64(h.Rank))
	e.places(h.Places)
	e.Uint(uint64(h.Halted))
	e.status(h.Status)
	e.Bool(h.Noted)
}

func (e *encoder) rep(r *Rep) {
	e.Uint(uint64(r.Phase))
	if r.Phase == RepAbsent {
		return
	}
	e.Bool(r.HaltOnFailure)
	e.Uint(uint64(r.Reason))
	e.Uint(uint64(len(r.Members)))
	for _, m := range r.Members {
		e.ID(m.Host)
		e.Uint(uint64(m.State))
		e.ports(m.Ports)
		e.status(m.Status)
	}
}

// AppendMessage appends the canonical encoding of a message: its kind, then the fields that the
// kind names.
func AppendMessage(dst []byte, m Message) []byte {
	e := newEncoder(dst)
	e.Uint(uint64(m.Kind))
	switch m.Kind {
	case Here:
		e.ports(m.Ports)
	case Go:
		e.Uint(uint64(m.Rank))
		e.places(m.Places)
	case Exit:
		e.status(m.Status)
	case Halt:
		e.Uint(uint64(m.Reason))
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command: its kind, then the fields that the
// kind names.
func AppendCommand(dst []byte, c Command) []byte {
	e := newEncoder(dst)
	e.Uint(uint64(c.Kind))
	switch c.Kind {
	case CommandHost:
		e.ID(c.Rep)
		e.ports(c.Ports)
	case CommandExited, CommandKeep:
		e.Uint(uint64(c.Code))
		e.Uint(uint64(c.Signal))
	case CommandRepresent:
		e.Uint(uint64(len(c.Hosts)))
		for _, id := range c.Hosts {
			e.ID(id)
		}
		e.Bool(c.HaltOnFailure)
	case CommandPermit:
		e.Bool(c.Granted)
	case CommandKept:
		e.Bool(c.Kept)
	case CommandHalt:
		e.Uint(uint64(c.Reason))
	}
	return e.Dst
}
