package abstract_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/abstract"
	"github.com/canvass-grid/canvass/protocol"
)

var (
	a = protocol.NodeID{Address: 0, Incarnation: 1}
	b = protocol.NodeID{Address: 1, Incarnation: 1}
	c = protocol.NodeID{Address: 2, Incarnation: 1}
	d = protocol.NodeID{Address: 3, Incarnation: 1}
)

type (
	node    = abstract.CANNode
	message = abstract.CANMessage
	letter  = abstract.Letter[message]
	step    = abstract.CANStep
)

func set(ids ...protocol.NodeID) abstract.Set { return abstract.SetOf(ids...) }

func records(all ...abstract.Record) abstract.Records { return abstract.RecordsOf(all...) }

func record(id protocol.NodeID, version, epoch uint32) abstract.Record {
	return abstract.Record{ID: id, Version: version, Epoch: epoch}
}

// member is one of three members, none of whose zones has changed yet.
func member(id protocol.NodeID) node {
	n := node{ID: id, Life: abstract.CANMember, Version: 1}
	for _, other := range []protocol.NodeID{a, b, c} {
		if other != id {
			n.Known = n.Known.With(record(other, 1, 0))
		}
	}
	return n
}

// changed is a node with some fields changed.
func changed(n node, change func(*node)) node {
	change(&n)
	return n
}

// announced are the events of the step of that name.
func announced(name string) (events []string) {
	name, _, _ = strings.Cut(name, " by time")
	name, _, _ = strings.Cut(name, " unheard")
	if name == "Request alone" {
		return []string{"request", "decide"}
	}
	for _, action := range strings.Fields(strings.Replace(name, "answer", "GiveUp", 1)) {
		if event := abstract.CANEvents[action]; event != "" {
			events = append(events, event)
		}
	}
	return events
}

// leaves are the steps of a round in which A leaves and B takes its zone over, by name, and some of
// other rounds. Each is one that the machine allows.
func leaves() map[string]step {
	all := map[string]step{}
	take := func(name string, before node, from protocol.NodeID, got *message, change func(*node), sent ...letter) node {
		after := changed(before, change)
		all[name] = step{Before: before, After: after, From: from, Got: got, Sent: sent, Announced: announced(name)}
		return after
	}
	lose := func(name string, before node, lost protocol.NodeID, change func(*node), sent ...letter) {
		take(name, before, protocol.NodeID{}, nil, func(n *node) { change(n); n.Dead = set(lost) }, sent...)
		s := all[name]
		s.Lost = lost
		all[name] = s
	}
	outcome := abstract.CANOutcome{
		Change: abstract.CANMerge, Gone: a, Changed: records(record(b, 2, 0)), View: records(record(c, 1, 0)),
	}
	propose := message{Kind: abstract.CANPropose, Round: 1, Change: abstract.CANMerge, Subject: a, Version: 1}
	yes := message{Kind: abstract.CANYes, Round: 1}

	open := take("Request", member(a), protocol.NodeID{}, nil, func(n *node) {
		n.Round, n.Stage, n.Subject, n.Missing, n.Outcome = 1, abstract.CANOpen, a, set(b, c), outcome
	}, letter{b, propose}, letter{c, propose})
	half := take("Count", open, c, &yes, func(n *node) {
		n.Missing, n.Others, n.Outcome.View = set(b), set(c), records(record(c, 1, 1))
	})
	outcome.View, outcome.Changed = records(record(c, 1, 1)), records(record(b, 2, 1))
	commit := message{Kind: abstract.CANCommit, Round: 1, Outcome: outcome}
	granting := take("Decide", half, b, &yes, func(n *node) {
		n.Life, n.Known, n.Stage, n.Outcome = abstract.CANLeaving, "", abstract.CANGranting, outcome
	}, letter{b, commit})
	no := message{Kind: abstract.CANCommit, Round: 1}
	cancelled := take("Cancel", open, b, &message{Kind: abstract.CANNo, Round: 1}, func(n *node) {
		n.Stage, n.Outcome = abstract.CANCommitting, abstract.CANOutcome{}
	}, letter{b, no}, letter{c, no})
	take("Cancel by time", open, protocol.NodeID{}, nil, func(n *node) {
		n.Stage, n.Outcome = abstract.CANCommitting, abstract.CANOutcome{}
	}, letter{b, no}, letter{c, no})
	take("Cancel unheard", open, b, &message{Kind: abstract.CANYes, Round: 1, Epoch: 1}, func(n *node) {
		n.Stage, n.Outcome = abstract.CANCommitting, abstract.CANOutcome{}
		n.Known = n.Known.With(record(b, 1, 1))
	}, letter{b, no}, letter{c, no})
	take("late YES", cancelled, b, &yes, func(*node) {}, letter{b, message{Kind: abstract.CANRelease, Round: 1}})
	last := take("Acknowledge", granting, b, &message{Kind: abstract.CANAck, Round: 1}, func(n *node) {
		n.Stage, n.Missing, n.Others = abstract.CANCommitting, set(c), ""
	}, letter{c, commit})
	take("close", last, c, &message{Kind: abstract.CANAck, Round: 1}, func(n *node) {
		*n = node{ID: a, Life: abstract.CANGone, Version: 1, Round: 1}
	})

	bound := take("Promise", member(b), a, &propose, func(n *node) {
		n.Promise = abstract.CANPromise{Proposer: a, Round: 1, Change: abstract.CANMerge, Subject: a}
	}, letter{a, yes})
	take("Execute", bound, a, &commit, func(n *node) {
		n.Promise, n.Version, n.Epoch, n.Dead, n.Known = abstract.CANPromise{}, 2, 1, set(a), records(record(c, 1, 1))
	}, letter{a, message{Kind: abstract.CANAck, Round: 1, Records: records(record(c, 1, 1))}})
	take("Over", bound, a, &message{Kind: abstract.CANRelease, Round: 1}, func(n *node) {
		n.Promise = abstract.CANPromise{}
	})
	next := propose
	next.Round = 2
	take("Over Promise", bound, a, &next, func(n *node) { n.Promise.Round = 2 },
		letter{a, message{Kind: abstract.CANYes, Round: 2}})
	take("NO", bound, c, &propose, func(*node) {}, letter{c, message{
		Kind: abstract.CANNo, Round: 1, Records: records(record(b, 1, 0)),
	}})
	lose("GiveUp", bound, a, func(n *node) { n.Promise, n.Epoch = abstract.CANPromise{}, 1 })
	take("Reclaim", changed(member(b), func(n *node) { n.Epoch, n.Dead = 1, set(a) }), c,
		&message{Kind: abstract.CANTold, Records: records(record(b, 2, 1), record(c, 1, 1))},
		func(n *node) { n.Version, n.Known = 2, records(record(c, 1, 1)) })
	split := abstract.CANPromise{Proposer: a, Round: 1, Change: abstract.CANSplit, Subject: d}
	query := message{Kind: abstract.CANQuery, Proposer: a, Round: 1}
	lose("Orphan", changed(member(b), func(n *node) { n.Promise = split }), a, func(n *node) { n.Promise.Orphan = true },
		letter{d, query})
	take("answer", node{ID: d, Life: abstract.CANJoining, Promise: split}, b, &query, func(n *node) {
		n.Promise, n.Epoch, n.Dead = abstract.CANPromise{}, 1, set(a)
	}, letter{b, message{Kind: abstract.CANAnswer, Proposer: a, Round: 1}})
	take("Tell", member(b), protocol.NodeID{}, nil, func(*node) {},
		letter{c, message{Kind: abstract.CANTold, Records: records(record(b, 1, 0), record(c, 1, 0))}})
	take("Begin", node{ID: protocol.NodeID{Address: 3}}, protocol.NodeID{}, nil, func(n *node) { n.ID = d })
	take("Enter", node{ID: d}, protocol.NodeID{}, nil, func(n *node) { n.Life = abstract.CANJoining })
	take("Create", node{ID: d}, protocol.NodeID{}, nil, func(n *node) { n.Life, n.Version = abstract.CANMember, 1 })
	take("Fence", bound, c, &message{Kind: abstract.CANTold, Dead: set(b)}, func(n *node) {
		*n = node{ID: b, Life: abstract.CANGone, Version: 1}
	})
	take("Request alone", changed(member(b), func(n *node) { n.Dead = set(a, c) }), protocol.NodeID{}, nil, func(n *node) {
		n.Round, n.Version, n.Known = 1, 2, ""
	})
	return all
}

// The machine allows each of these steps under its name.
func TestCANAllows(t *testing.T) {
	named := map[string]string{
		"Cancel by time": "Cancel", "Cancel unheard": "Cancel", "late YES": "", "close": "Acknowledge", "NO": "",
		"answer": "GiveUp", "Tell": "", "Request alone": "Request",
	}
	seen := map[string]bool{}
	for name, s := range leaves() {
		actions, err := abstract.ExplainCAN(&s)
		require.NoError(t, err, name)
		want, other := named[name]
		if !other {
			want = name
		}
		assert.Equal(t, want, strings.Join(actions, " "), name)
		for _, action := range actions {
			seen[action] = true
		}
	}
	for _, action := range abstract.CANActions {
		assert.True(t, seen[action], action)
	}
}

// doctored are steps that differ from an allowed one in one thing, each refused by one clause.
var doctored = []struct {
	step   string
	spoil  func(*step)
	action string
	why    string
}{
	{"Begin", func(s *step) { s.After.ID = a }, "Begin", "it is no later incarnation of the node"},
	{"Begin", func(s *step) { s.After.Epoch = 1 }, "Begin", "its epoch does not count the rounds around it"},
	{"Create", func(s *step) { s.After.Version = 2 }, "Create", "it is not the first node"},
	{"Create", func(s *step) { s.Got = &message{Kind: abstract.CANJoin} }, "Create", "it is not the first node"},
	{"Enter", func(s *step) { s.Got = &message{Kind: abstract.CANJoin} }, "Enter", "it acts upon a message"},
	{"Fence", func(s *step) { s.Got.Dead = set(c) }, "Over", "nothing shows that the promised round is over"},
	{"Tell", func(s *step) { s.After.Life = abstract.CANGone }, "Enter", "it enters or leaves in another way"},

	{"Request", func(s *step) { s.After.Round = 2 }, "Request", "it is not the next round"},
	{"Request", func(s *step) { s.Before.Stage = abstract.CANCommitting }, "Acknowledge",
		"nobody acknowledges the outcome of this round or has failed"},
	{"Request", func(s *step) { s.Before.Life, s.After.Life = abstract.CANJoining, abstract.CANJoining }, "Request",
		"it owns no zone"},
	{"Request", func(s *step) {
		s.Before.Promise = abstract.CANPromise{Proposer: b, Round: 1}
		s.After.Promise = s.Before.Promise
	}, "Request", "it is bound to the round of another"},
	{"Request", func(s *step) { s.After.Outcome.Changed = records(record(b, 3, 0)) }, "Request",
		"the outcome changes a zone that is not in the node's records"},
	{"Request", func(s *step) { s.After.Outcome.View = records(record(c, 2, 0)) }, "Request",
		"the outcome has a record that is not one of the node's"},
	{"Request", func(s *step) { s.After.Outcome.Change = abstract.CANNoOp }, "Request", "it proposes nothing"},
	{"Request", func(s *step) { s.After.Missing = set(b, c, d) }, "Request",
		"it asks a node that it does not know"},
	{"Request", func(s *step) { s.Before.Dead, s.After.Dead = set(c), set(c) }, "Request",
		"it asks a node that it knows to be dead"},
	{"Request", func(s *step) { s.After.Others = set(c) }, "Request", "its round goes on in another way"},
	{"Request", func(s *step) { s.Sent[0].Message.Version = 2 }, "SendPropose", ""},
	{"Request", func(s *step) { s.Sent[0].To = d }, "SendPropose", ""},
	{"Request alone", func(s *step) { s.Before.Dead, s.After.Dead = set(a), set(a) }, "Request",
		"it decides a round without asking the nodes that it knows"},
	{"Count", func(s *step) { s.Got.Round = 2 }, "Count",
		"no node that was asked and has not answered says YES to this round"},
	{"Count", func(s *step) { s.From = d }, "Count",
		"no node that was asked and has not answered says YES to this round"},
	{"Count", func(s *step) { s.Got.Epoch = 1 }, "Cancel", "its round goes on in another way"},
	{"Count", func(s *step) { s.After.Outcome.View = s.Before.Outcome.View }, "Count",
		"its round goes on in another way"},
	{"Decide", func(s *step) { s.From = c }, "Decide",
		"no node that was asked and has not answered answers this round"},
	{"Decide", func(s *step) { s.Before.Missing = set(b, d) }, "Count", "it enters or leaves in another way"},
	{"Decide", func(s *step) { s.Got.Kind = abstract.CANNo }, "Cancel", "it enters or leaves in another way"},
	{"Decide", func(s *step) { s.After.Missing, s.After.Others = set(b, c), "" }, "Decide",
		"its round goes on in another way"},
	{"Decide", func(s *step) { s.Sent[0].To = c }, "SendCommit", ""},
	{"Cancel", func(s *step) { s.Got.Kind = abstract.CANRelease }, "Decide",
		"no node that was asked and has not answered answers this round"},
	{"Cancel", func(s *step) { s.After.Outcome = s.Before.Outcome }, "Cancel", "its round goes on in another way"},
	{"late YES", func(s *step) {
		s.Before.Outcome.Change, s.After.Outcome.Change = abstract.CANMerge, abstract.CANMerge
	}, "SendRelease", ""},
	{"Acknowledge", func(s *step) { s.Got.Round = 2 }, "Acknowledge",
		"nobody acknowledges the outcome of this round or has failed"},
	{"Acknowledge", func(s *step) { s.From = c }, "Acknowledge", "its round goes on in another way"},
	{"Acknowledge", func(s *step) { s.After.Round, s.After.Stage = 2, abstract.CANOpen }, "Request",
		"its last round is not over"},
	{"close", func(s *step) { s.After.Life = abstract.CANLeaving }, "Acknowledge", "it enters or leaves in another way"},

	{"Promise", func(s *step) { s.Got.Round = 2 }, "Promise", "no such round is proposed to the node"},
	{"Promise", func(s *step) { s.Before.Stage, s.After.Stage = abstract.CANOpen, abstract.CANOpen }, "Promise",
		"it is in its own round"},
	{"Promise", func(s *step) { s.Before.Life, s.After.Life = abstract.CANJoining, abstract.CANJoining }, "Promise",
		"it has no part in such a change"},
	{"Promise", func(s *step) { s.Got.Version = 2 }, "Promise", "the proposer has not seen its present zone"},
	{"Promise", func(s *step) { s.Before.Dead, s.After.Dead = set(a), set(a) }, "Promise", "the proposer is dead"},
	{"Promise", func(s *step) { s.Before.Promise = abstract.CANPromise{Proposer: c, Round: 1} }, "Over",
		"nothing shows that the promised round is over"},
	{"Promise", func(s *step) { s.After = s.Before }, "SendYes", ""},
	{"Promise", func(s *step) { s.Sent[0].Message.Epoch = 1 }, "SendYes", ""},
	{"Over Promise", func(s *step) { s.Got.Round, s.After.Promise.Round = 1, 2 }, "Over",
		"nothing shows that the promised round is over"},
	{"Over", func(s *step) { s.Got.Round = 2 }, "Over", "nothing shows that the promised round is over"},
	{"Over", func(s *step) { s.After.Epoch = 1 }, "Over", "its epoch does not count the rounds around it"},
	{"Execute", func(s *step) { s.Got.Round = 2 }, "Over", "nothing shows that the promised round is over"},
	{"Execute", func(s *step) { s.Before.Promise = abstract.CANPromise{} }, "Execute",
		"it is not bound to this round"},
	{"Execute", func(s *step) { s.Got.Outcome.Change = abstract.CANTakeover }, "Execute",
		"the outcome is not of the promised change"},
	{"Execute", func(s *step) { s.Before.Version = 2 }, "Execute",
		"the outcome builds on another zone of the node than the present one"},
	{"Execute", func(s *step) { s.After.Promise = s.Before.Promise }, "Execute", "it is not bound to this round"},
	{"Execute", func(s *step) { s.Announced = nil }, "Execute", "it takes place and is not announced"},
	{"Tell", func(s *step) { s.Announced = []string{"release"} }, "Over", "it is announced and does not take place"},
	{"Tell", func(s *step) { s.After.Version = 2 }, "Reclaim", "its zone changes in another way"},
	{"Execute", func(s *step) { s.After.Known = records(record(c, 2, 1)) }, "Hear",
		"no message had this record of C"},
	{"Execute", func(s *step) { s.Before.Known = records(record(c, 1, 2)) }, "Hear",
		"no message had this record of C"},
	{"Execute", func(s *step) { s.Sent[0].Message.Records = records(record(c, 2, 1)) }, "SendAck", ""},
	{"NO", func(s *step) { s.From, s.Sent[0].To = a, a }, "SendNo", ""},
	{"NO", func(s *step) {
		s.Before.Stage, s.Before.Outcome.Change = abstract.CANGranting, abstract.CANSplit
		s.After.Stage, s.After.Outcome.Change = abstract.CANGranting, abstract.CANSplit
	}, "SendNo", ""},
	{"GiveUp", func(s *step) { s.After.Epoch = 0 }, "GiveUp", "its epoch does not count the rounds around it"},
	{"GiveUp", func(s *step) { s.Lost, s.After.Dead = c, set(c) }, "Over",
		"nothing shows that the promised round is over"},
	{"GiveUp", func(s *step) { s.After.Dead = set(c) }, "Hear",
		"it lists a node as dead without a report of its failure"},
	{"Orphan", func(s *step) { s.After.Promise = abstract.CANPromise{} }, "Orphan", "it forgets its promise"},
	{"Promise", func(s *step) {
		s.After.Round, s.After.Stage, s.After.Missing = 1, abstract.CANOpen, set(c)
		s.After.Outcome = abstract.CANOutcome{Change: abstract.CANTakeover, Gone: d, Changed: records(record(b, 2, 0))}
		s.Before.Promise = abstract.CANPromise{Proposer: a, Round: 1, Change: abstract.CANMerge, Subject: a}
		s.After.Promise = abstract.CANPromise{}
		s.Got = &message{Kind: abstract.CANRelease, Round: 1}
		s.Sent = nil
	}, "Over Request", "no node takes these at once"},
	{"Orphan", func(s *step) { s.Sent[0].To = c }, "SendQuery", ""},
	{"answer", func(s *step) { s.After.Promise, s.After.Epoch = s.Before.Promise, 0 }, "SendAnswer", ""},
	{"Reclaim", func(s *step) { s.Got.Records = records(record(b, 1, 1), record(c, 1, 1)) }, "Reclaim",
		"no message has a later version of its zone"},
	{"Reclaim", func(s *step) { s.Before.Stage, s.After.Stage = abstract.CANOpen, abstract.CANOpen }, "Reclaim",
		"it is in its own round"},
	{"Reclaim", func(s *step) {
		s.Before.Promise = abstract.CANPromise{Proposer: a, Round: 1}
		s.After.Promise = s.Before.Promise
	}, "Reclaim", "it is bound to a round"},
	{"Tell", func(s *step) { s.Before.Stage, s.After.Stage = abstract.CANOpen, abstract.CANOpen }, "Tell", ""},
	{"Tell", func(s *step) { s.Sent[0].Message.Records = records(record(b, 2, 0)) }, "Tell", ""},
	{"Tell", func(s *step) { s.Sent[0].Message.Dead = set(a) }, "Tell", ""},
	{"Tell", func(s *step) { s.After.Promise = abstract.CANPromise{Proposer: a, Round: 1} }, "Promise",
		"no such round is proposed to the node"},
}

// Each clause refuses a step, and names it. A clause without such a step is one that could be left
// out.
func TestCANRefuses(t *testing.T) {
	refused := map[string]bool{}
	for i, each := range doctored {
		s := leaves()[each.step]
		each.spoil(&s)
		_, err := abstract.ExplainCAN(&s)
		refusal, ok := err.(*abstract.Refusal)
		if !assert.True(t, ok, "%d: %s is not refused", i, each.step) {
			continue
		}
		assert.Equal(t, each.action, refusal.Action, "%d: %v", i, err)
		assert.Contains(t, refusal.Why, each.why, "%d: %v", i, err)
		refused[refusal.Action] = true
		for _, why := range strings.Split(refusal.Why, ", ") {
			refused[why] = true
		}
	}
	for _, clause := range clauses(t) {
		begins := func(why string) bool { return strings.HasPrefix(why, clause) }
		some := slices.ContainsFunc(slices.Collect(maps.Keys(refused)), begins)
		assert.True(t, some, "no step is refused because %s", clause)
	}
}

// clauses are the reasons of refusals, and the messages with a clause.
func clauses(t *testing.T) (all []string) {
	for file, pattern := range map[string]string{
		"can_steps.go": `"([a-z]+ [^"]*[a-z])( "|")`, "can_mail.go": `action(?:, holds)? = "(\w+)"`,
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			all = append(all, found[1])
		}
	}
	require.Greater(t, len(all), 30)
	return all
}
