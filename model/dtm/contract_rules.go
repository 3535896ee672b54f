package dtm

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// begins reports whether an incarnation begins with the step.
func (s *transition) begins() bool {
	return s.in.Kind == protocol.Start || s.in.Kind == protocol.Restart
}

// message returns the message of a delivery to a member.
func (s *transition) message() dtm.Message {
	if s.in.Kind != protocol.Deliver || s.before.Phase != dtm.Member {
		return nil
	}
	return s.in.Message
}

// stays reports whether the node is a member before and after the step.
func (s *transition) stays() bool {
	return !s.begins() && s.before.Phase == dtm.Member && s.after.Phase == dtm.Member
}

// sends reports whether the step sends a message that fits to a node.
func (s *transition) sends(to protocol.NodeID, fits func(dtm.Message) bool) bool {
	return slices.ContainsFunc(s.out.Send, func(e dtm.Envelope) bool { return e.To == to && fits(e.Message) })
}

// ignoresBroken compares the step's events about ignored inputs with its effects.
func (s *transition) ignoresBroken() string {
	ignores := slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool { return e.Name == dtm.EventIgnore })
	if !ignores {
		return ""
	}
	same := bytes.Equal(dtm.AppendState(nil, *s.before), dtm.AppendState(nil, *s.after))
	if !same || len(s.out.Send)+len(s.out.Measure) > 0 || len(s.out.Events) > 1 {
		return "it ignores its input and does something"
	}
	return ""
}

// listsBroken reports a list that is not sorted.
func (s *transition) listsBroken() string {
	n := s.after
	for _, ids := range [][]protocol.NodeID{
		n.Departure.Waiting,
		hosts(n.Branches, func(b dtm.Branch) protocol.NodeID { return b.Host }),
		hosts(n.Siblings, func(c dtm.Child) protocol.NodeID { return c.Host }),
		hosts(n.Links, func(l dtm.Link) protocol.NodeID { return l.Peer }),
		hosts(n.Search.Latencies, func(l dtm.Latency) protocol.NodeID { return l.Host }),
	} {
		for i := 1; i < len(ids); i++ {
			if ids[i-1].Compare(ids[i]) >= 0 {
				return "a list is not sorted"
			}
		}
	}
	return ""
}

func hosts[T any](list []T, id func(T) protocol.NodeID) (ids []protocol.NodeID) {
	for _, x := range list {
		ids = append(ids, id(x))
	}
	return ids
}

// versionsBroken compares the version of a position with its contents. All running children receive
// the changes.
func (s *transition) versionsBroken() string {
	b, a := s.before, s.after
	if !s.stays() {
		return ""
	}
	host := func(x dtm.Branch) dtm.Child { return x.Child }
	changed := !slices.Equal(b.Label(), a.Label()) || !slices.Equal(of(b.Branches, host), of(a.Branches, host))
	switch {
	case !changed && a.Version != b.Version:
		return "the version changes, and nothing else"
	case changed && a.Version != b.Version+1:
		return "the label or the children change, and not the version"
	}
	for _, c := range a.Branches {
		current := func(m dtm.Message) bool {
			p, ok := m.(dtm.Position)
			return ok && p.Version == a.Version && slices.Equal(p.Label, a.Label()) &&
				slices.Equal(p.Children, of(a.Branches, host))
		}
		if changed && !c.Gone && !s.sends(c.Host, current) {
			return "a child is not sent the new position"
		}
		if c.Acked > a.Version {
			return "a position is acknowledged that there was not"
		}
	}
	return ""
}

func of[T, U any](list []T, f func(T) U) (all []U) {
	for _, x := range list {
		all = append(all, f(x))
	}
	return all
}

// answersBroken reports a request that is not answered.
func (s *transition) answersBroken() string {
	var fits func(dtm.Message) bool
	switch m := s.message().(type) {
	case dtm.Look:
		fits = func(r dtm.Message) bool {
			v, ok := r.(dtm.Report)
			return ok && v.Version == s.before.Version && slices.Equal(v.View.Label, s.before.Label())
		}
	case dtm.Attach:
		taken := slices.ContainsFunc(s.after.Branches, func(b dtm.Branch) bool {
			return b.Child == dtm.Child{Host: s.in.From, At: m.At, Length: m.Length}
		})
		fits = func(r dtm.Message) bool {
			_, position := r.(dtm.Position)
			return taken && position || !taken && r == dtm.Message(dtm.Refuse{Version: m.Version})
		}
	case dtm.Leaving:
		fits = func(r dtm.Message) bool {
			_, consents := r.(dtm.Consent)
			_, objects := r.(dtm.Object)
			return objects || consents && s.after.Lock == dtm.Lock{Holder: s.in.From, Round: m.Round}
		}
	case dtm.Left:
		fits = func(r dtm.Message) bool { return r == dtm.Message(dtm.LeftOK{Round: m.Round}) }
	case dtm.Consent:
		d := s.before.Departure
		if m.Round == d.Round && (d.Stage == dtm.Asking || d.Stage == dtm.Committed) {
			return ""
		}
		fits = func(r dtm.Message) bool { return r == dtm.Message(dtm.Release{Round: m.Round}) }
	case dtm.Position:
		if s.in.From != s.before.Anchor || m.Version < s.before.Heard {
			return ""
		}
		fits = func(r dtm.Message) bool { return r == dtm.Message(dtm.PositionOK{Version: m.Version}) }
	default:
		return ""
	}
	if !s.sends(s.in.From, fits) {
		return "a request is not answered, or wrongly"
	}
	return ""
}

// consentsBroken follows the consents that the node has given and received.
func (s *transition) consentsBroken() string {
	b, a := s.before, s.after
	if s.begins() || b.Phase != dtm.Member {
		return ""
	}
	leaves := a.Departure.Stage == dtm.Asking || a.Departure.Stage == dtm.Committed
	if leaves && a.Lock != (dtm.Lock{}) {
		return "it leaves although it has consented to another leave"
	}
	if a.Departure.Stage == dtm.Committed && b.Departure.Stage != dtm.Committed {
		behind := slices.ContainsFunc(a.Branches, func(c dtm.Branch) bool { return c.Gone || c.Acked != a.Version })
		if b.Departure.Stage != dtm.Asking && len(b.Branches) > 0 || behind {
			return "it leaves before its children know its position"
		}
	}
	for _, id := range b.Departure.Waiting {
		m, consents := s.message().(dtm.Consent)
		known, acknowledges := s.message().(dtm.LeftOK)
		counts := s.in.From == id && (b.Departure.Stage == dtm.Asking && consents && m.Round == b.Departure.Round ||
			b.Departure.Stage == dtm.Committed && acknowledges && known.Round == b.Departure.Round)
		failed := s.in.Kind == protocol.Timeout && s.in.Timer == protocol.Timer{Kind: dtm.MissedTimer, Peer: id}
		same := a.Departure.Stage == b.Departure.Stage && slices.Contains(a.Departure.Waiting, id)
		if !same && !counts && !failed && a.Departure.Stage != dtm.Resting {
			return "it counts an answer that it did not receive"
		}
	}
	return s.locksBroken()
}

// locksBroken compares the end of a consent with the permitted reasons.
func (s *transition) locksBroken() string {
	b, a := s.before, s.after
	if b.Lock == (dtm.Lock{}) || a.Lock == b.Lock || !s.stays() {
		return ""
	}
	ends := s.in.Kind == protocol.Timeout && s.in.Timer == protocol.Timer{Kind: dtm.MissedTimer, Peer: b.Lock.Holder}
	switch m := s.message().(type) {
	case dtm.Release:
		ends = s.in.From == b.Lock.Holder && m.Round == b.Lock.Round
	case dtm.Leaving:
		ends = s.in.From == b.Lock.Holder && m.Round > b.Lock.Round && a.Lock.Holder == s.in.From
	case dtm.Left:
		ends = s.in.From == b.Lock.Holder
	case dtm.Claim:
		ends = m.Former == b.Lock.Holder
	}
	if !ends {
		return "a consent ends for no reason"
	}
	return ""
}
