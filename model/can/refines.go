package can

import (
	"github.com/canvass-grid/canvass/model/abstract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// refinesBroken says which step of the abstract machine a step of the core would be, and why that
// is none.
func refinesBroken(s *transition) string {
	if _, err := abstract.ExplainCAN(abstractStep(s)); err != nil {
		return err.Error()
	}
	return ""
}

// abstractStep is the step as the abstract machine sees it.
func abstractStep(s *transition) *abstract.CANStep {
	step := &abstract.CANStep{Before: abstractNode(s.before), After: abstractNode(s.after), From: s.in.From}
	switch {
	case s.in.Kind == protocol.Deliver:
		m := abstractMessage(s.in.Message)
		step.Got = &m
	case s.fires(can.MissedTimer):
		step.Lost = s.in.Timer.Peer
	}
	for _, e := range s.out.Send {
		step.Sent = append(step.Sent, abstract.Letter[abstract.CANMessage]{
			To: e.To, Message: abstractMessage(e.Message),
		})
	}
	for _, e := range s.out.Events {
		if announced[e.Name] {
			step.Announced = append(step.Announced, e.Name)
		}
	}
	return step
}

// announced has the events that accompany abstract actions.
var announced = func() map[string]bool {
	all := map[string]bool{}
	for _, event := range abstract.CANEvents {
		all[event] = true
	}
	return all
}()

// abstractNode is the state of a node in the abstract machine.
func abstractNode(s *can.State) abstract.CANNode {
	n := abstract.CANNode{
		ID: s.Self.ID, Version: s.Self.Version, Epoch: s.Self.Epoch, Known: abstractRecords(s.Known...),
		Dead: abstract.SetOf(s.Dead...), Round: s.Round, Stage: abstract.CANStage(s.Change.Stage),
		Subject: s.Change.Subject, Missing: abstract.SetOf(s.Change.Waiting...), Others: abstract.SetOf(s.Change.Later...),
		Outcome: abstractOutcome(s.Change.Commit),
		Promise: abstract.CANPromise{
			Proposer: s.Promise.Proposer, Round: s.Promise.Round, Change: abstract.CANChange(s.Promise.Kind),
			Subject: s.Promise.Subject, Orphan: s.Promise.Orphan,
		},
	}
	switch s.Phase {
	case can.Joining:
		n.Life = abstract.CANJoining
	case can.Member:
		n.Life = abstract.CANMember
	case can.Leaving:
		n.Life = abstract.CANLeaving
	case can.Departed:
		n.Life = abstract.CANGone
	}
	return n
}

func abstractOutcome(c can.Commit) abstract.CANOutcome {
	return abstract.CANOutcome{
		Change: abstract.CANChange(c.Kind), Gone: c.Gone,
		Changed: abstractRecords(c.Changed...), View: abstractRecords(c.View...),
	}
}

func abstractRecords(records ...can.Record) abstract.Records {
	var all []abstract.Record
	for _, r := range records {
		if !r.ID.IsNobody() {
			all = append(all, abstract.Record{ID: r.ID, Version: r.Version, Epoch: r.Epoch})
		}
	}
	return abstract.RecordsOf(all...)
}

// abstractMessage is a message in the abstract machine, which does not know where zones are.
func abstractMessage(m can.Message) abstract.CANMessage {
	switch m := m.(type) {
	case can.Propose:
		return abstract.CANMessage{
			Kind: abstract.CANPropose, Round: m.Round, Change: abstract.CANChange(m.Kind), Subject: m.Subject,
			Version: m.Version,
		}
	case can.ProposeOK:
		if m.Yes {
			return abstract.CANMessage{Kind: abstract.CANYes, Round: m.Round, Epoch: m.Epoch}
		}
		return abstract.CANMessage{Kind: abstract.CANNo, Round: m.Round, Records: abstractRecords(m.Self)}
	case can.Release:
		return abstract.CANMessage{Kind: abstract.CANRelease, Round: m.Round}
	case can.Commit:
		return abstract.CANMessage{Kind: abstract.CANCommit, Round: m.Round, Outcome: abstractOutcome(m)}
	case can.CommitOK:
		return abstract.CANMessage{Kind: abstract.CANAck, Round: m.Round, Records: abstractRecords(m.Neighbours...)}
	case can.Update:
		told := abstract.CANMessage{Kind: abstract.CANTold, Dead: abstract.SetOf(m.Dead...)}
		if m.Self.Version > 0 {
			told.Records = abstractRecords(append(m.Neighbours[:len(m.Neighbours):len(m.Neighbours)], m.Self)...)
		}
		return told
	case can.Query:
		return abstract.CANMessage{Kind: abstract.CANQuery, Proposer: m.Proposer, Round: m.Round}
	case can.Answer:
		return abstract.CANMessage{
			Kind: abstract.CANAnswer, Proposer: m.Proposer, Round: m.Round, Records: abstractRecords(m.Records...),
		}
	}
	return abstract.CANMessage{Kind: abstract.CANJoin}
}
