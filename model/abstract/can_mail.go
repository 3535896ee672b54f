package abstract

// mail checks what the step sends. Whatever was sent may arrive at any later time, any number of
// times, so each message must stay true.
func (x *canStep) mail() (action, why string) {
	for _, l := range x.Sent {
		action, holds := "Send", true
		switch m := &l.Message; m.Kind {
		case CANPropose:
			action, holds = "SendPropose", x.sendsPropose(&l)
		case CANYes:
			action = "SendYes"
			p := x.After.Promise
			holds = p.Proposer == l.To && p.Round == m.Round && m.Epoch == x.After.Epoch
		case CANNo:
			action = "SendNo"
			holds = x.answers(CANPropose, &l) && !x.bound(&l) && x.mayShow(m.Records)
		case CANRelease:
			action, holds = "SendRelease", x.answers(CANYes, &l) && !x.needs(&l)
		case CANCommit:
			action, holds = "SendCommit", x.sendsCommit(&l)
		case CANAck:
			action, holds = "SendAck", x.answers(CANCommit, &l) && !x.bound(&l) && x.knows(m.Records)
		case CANTold:
			action, holds = "Tell", x.tells(&l)
		case CANQuery:
			action = "SendQuery"
			p := x.After.Promise
			holds = p.Orphan && p.Subject == l.To && p.Proposer == m.Proposer && p.Round == m.Round
		case CANAnswer:
			action, holds = "SendAnswer", x.sendsAnswer(&l)
		}
		if !holds {
			return action, "to " + l.To.String() + ": its clause does not hold at the sender"
		}
	}
	return "", ""
}

// answers reports whether a message answers one of a kind, of the same round.
func (x *canStep) answers(kind CANKind, l *Letter[CANMessage]) bool {
	return x.got(kind) && x.From == l.To && x.Got.Round == l.Message.Round
}

// bound reports whether the node is bound to the round of the receiver that the message is about.
func (x *canStep) bound(l *Letter[CANMessage]) bool {
	return x.After.Promise.Proposer == l.To && x.After.Promise.Round == l.Message.Round
}

// needs reports whether the round of this node that the message is about still needs the promise of
// the receiver.
func (x *canStep) needs(l *Letter[CANMessage]) bool {
	a := &x.After
	waits := a.Missing.Has(l.To) || a.Others.Has(l.To)
	return !a.idle() && a.Round == l.Message.Round && a.Outcome.Change != CANNoOp && waits
}

// sendsPropose: a node that is asked learns what it is asked, and which of its zones the proposer
// has seen.
func (x *canStep) sendsPropose(l *Letter[CANMessage]) bool {
	a, m := &x.After, &l.Message
	seen, _ := a.Known.Of(l.To)
	return a.Stage == CANOpen && a.Missing.Has(l.To) && m.Round == a.Round && m.Change == a.Outcome.Change &&
		m.Subject == a.Subject && m.Version == seen.Version
}

// sendsCommit: the outcome of a decided round goes to those whose turn it is.
func (x *canStep) sendsCommit(l *Letter[CANMessage]) bool {
	a, m := &x.After, &l.Message
	return a.closing() && a.Missing.Has(l.To) && m.Round == a.Round && m.Outcome == a.Outcome
}

// sendsAnswer: a joiner that is no member says so for good, since it has given the round up.
func (x *canStep) sendsAnswer(l *Letter[CANMessage]) bool {
	a, m := &x.After, &l.Message
	if !x.answers(CANQuery, l) || m.Proposer != x.Got.Proposer {
		return false
	}
	if m.Records == "" {
		p := a.Promise
		return a.Life != CANMember && !(p.Proposer == m.Proposer && p.Round == m.Round)
	}
	return a.Life == CANMember && x.knows(m.Records)
}

// tells: a node shows its zone and those of others only while it is in no round. It calls only
// those dead that it knows to be.
func (x *canStep) tells(l *Letter[CANMessage]) bool {
	b, m := &x.Before, &l.Message
	if m.Dead.Minus(x.After.Dead) != "" {
		return false
	}
	return m.Records == "" || b.Life == CANMember && b.idle() && x.knows(m.Records)
}

// mayShow reports whether the node may show its record, if these are not none.
func (x *canStep) mayShow(records Records) bool {
	return records == "" || x.After.shows() && records == RecordsOf(x.After.record())
}

// knows reports whether the node has these records.
func (x *canStep) knows(records Records) bool {
	for r := range records.All() {
		before, was := x.Before.Known.Of(r.ID)
		after, is := x.After.Known.Of(r.ID)
		if !(was && before == r || is && after == r || r == x.After.record() || r == x.Before.record()) {
			return false
		}
	}
	return true
}
