package abstract

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// CANActions lists the actions of the machine, in the order in which a node takes several at once.
var CANActions = []string{
	"Begin", "Create", "Enter", "Fence",
	"Request", "Count", "Decide", "Cancel", "Acknowledge",
	"Promise", "Over", "Execute", "Orphan", "GiveUp", "Reclaim",
}

// CANEvents has the events that accompany actions.
var CANEvents = map[string]string{
	"Request": "request", "Decide": "decide", "Cancel": "decide", "Promise": "promise", "Over": "release",
	"GiveUp": "release", "Execute": "execute",
}

// ExplainCAN names the actions of a step, in their order. A step without actions changes nothing
// but records of other nodes, or sends messages. An error is a [*Refusal].
func ExplainCAN(s *CANStep) (actions []string, refused error) {
	x := canStep{CANStep: s, want: s.Before}
	for _, clause := range []func(*canStep) (action, why string){
		(*canStep).begin, (*canStep).fence, (*canStep).ownRound, (*canStep).end, (*canStep).promise,
		(*canStep).reclaim, (*canStep).request, (*canStep).enter,
	} {
		action, why := clause(&x)
		if why != "" {
			return nil, refuse(s, action, why)
		}
		if action != "" {
			actions = append(actions, action)
		}
	}
	if action, why := x.differs(actions); why != "" {
		return nil, refuse(s, action, why)
	}
	if why := x.hearsay(); why != "" {
		return nil, refuse(s, "Hear", why)
	}
	if together := strings.Join(actions, " "); len(actions) > 1 && !slices.Contains(CANAtOnce(), together) {
		return nil, refuse(s, together, "no node takes these at once")
	}
	if action, why := x.mail(); why != "" {
		return nil, refuse(s, action, why)
	}
	action, why := x.announces(actions)
	return actions, refuse(s, action, why)
}

// canStep is a step that is being explained. Each clause makes of want what the step should, if it
// finds in the node after it that its action was taken.
type canStep struct {
	*CANStep
	want   CANNode
	effect CANOutcome // takes effect in this step
}

// got reports whether the step receives a message of a kind.
func (x *canStep) got(kind CANKind) bool { return x.Got != nil && x.Got.Kind == kind }

// begin: an incarnation begins with nothing.
func (x *canStep) begin() (action, why string) {
	id := x.After.ID
	if id == x.Before.ID {
		return "", ""
	}
	next := id.Address == x.Before.ID.Address && id.Incarnation > x.Before.ID.Incarnation
	x.want = CANNode{ID: id}
	return "Begin", unless(next, "it is no later incarnation of the node")
}

// fence: a node that others take for dead stops.
func (x *canStep) fence() (action, why string) {
	accused := x.got(CANQuery) && x.Got.Proposer == x.Before.ID || x.got(CANTold) && x.Got.Dead.Has(x.Before.ID)
	if !accused || x.After.Life != CANGone {
		return "", ""
	}
	x.want.close()
	x.want.Life, x.want.Promise = CANGone, CANPromise{}
	return "Fence", ""
}

func (n *CANNode) close() {
	n.Stage, n.Subject, n.Missing, n.Others, n.Outcome = CANIdle, protocol.NodeID{}, "", "", CANOutcome{}
}

// sameRound reports whether two states of a node are in the same state of its own round.
func sameRound(a, b *CANNode) bool {
	return a.Round == b.Round && a.Stage == b.Stage && a.Subject == b.Subject && a.Missing == b.Missing &&
		a.Others == b.Others && a.Outcome == b.Outcome
}

// ownRound: the node's round counts a YES, is decided by the last one, or is cancelled by anything
// else. After that it waits for acknowledgements.
func (x *canStep) ownRound() (action, why string) {
	b := &x.Before
	if sameRound(b, &x.After) || x.want.Life == CANGone {
		return "", ""
	}
	switch {
	case b.closing():
		return x.acknowledge()
	case b.Stage == CANIdle:
		return "", "" // see request
	}
	answered := (x.got(CANYes) || x.got(CANNo)) && x.Got.Round == b.Round && b.Missing.Has(x.From)
	switch {
	case answered && x.got(CANYes) && x.heard():
		return x.count()
	case answered:
		return "Cancel", x.decide(false)
	case x.Got == nil && (x.Lost.IsNobody() || b.Missing.Has(x.Lost)):
		x.want.Missing = b.Missing.Without(x.Lost)
		return "Cancel", x.decide(false)
	case x.After.Stage == CANOpen && x.After.Round == b.Round:
		return "Count", "no node that was asked and has not answered says YES to this round"
	}
	return "Decide", "no node that was asked and has not answered answers this round"
}

// heard reports whether the record of the sender of a YES is of the sender's present epoch.
func (x *canStep) heard() bool {
	r, known := x.Before.Known.Of(x.From)
	return !known || r.Epoch >= x.Got.Epoch
}

// count: a YES counts. In the outcome its sender will be one round further. The last YES decides.
func (x *canStep) count() (action, why string) {
	w := &x.want
	w.Missing, w.Others = w.Missing.Without(x.From), w.Others.With(x.From)
	for _, list := range []*Records{&w.Outcome.Changed, &w.Outcome.View} {
		if r, ok := list.Of(x.From); ok {
			r.Epoch = x.Got.Epoch + 1
			*list = list.With(r)
		}
	}
	if w.Missing != "" {
		return "Count", ""
	}
	return "Decide", x.decide(true)
}

// decide: the outcome takes effect at the proposer, and goes to the nodes whose zones grow
// before all others.
func (x *canStep) decide(granted bool) (why string) {
	w := &x.want
	if !granted {
		w.Outcome = CANOutcome{}
	}
	w.Stage, w.Others = CANGranting, w.Missing.Union(w.Others)
	w.Missing = w.Others.Minus(w.Others.Minus(w.Outcome.Changed.IDs()))
	w.Others = w.Others.Minus(w.Missing)
	why = x.apply(w.Outcome)
	x.proceed()
	return why
}

// apply: an outcome takes effect at the node.
func (x *canStep) apply(o CANOutcome) (why string) {
	w := &x.want
	x.effect = o
	if r, mine := o.Changed.Of(w.ID); mine {
		why = unless(r.Version == w.Version+1, "the outcome builds on another zone of the node than the present one")
		w.Version = r.Version
		if w.Life == CANJoining {
			w.Life = CANMember
		}
	}
	if o.Gone == w.ID {
		w.Life = CANLeaving
	}
	return why
}

// proceed: the outcome goes to the others when the first ones have it, and the round is over when
// all have it. Then a leaver has left.
func (x *canStep) proceed() {
	w := &x.want
	if w.Stage == CANGranting && w.Missing == "" {
		w.Stage, w.Missing, w.Others = CANCommitting, w.Others, ""
	}
	if w.Stage == CANCommitting && w.Missing == "" {
		w.close()
		if w.Life == CANLeaving {
			w.Life = CANGone
		}
	}
}

// acknowledge: a node that has acknowledged the outcome, or has failed, is missing no longer.
func (x *canStep) acknowledge() (action, why string) {
	by := x.Lost
	if x.got(CANAck) && x.Got.Round == x.Before.Round {
		by = x.From
	}
	x.want.Missing, x.want.Others = x.want.Missing.Without(by), x.want.Others.Without(by)
	x.proceed()
	return "Acknowledge", unless(!by.IsNobody(), "nobody acknowledges the outcome of this round or has failed")
}

// end: a promise ends with its round. If its proposer has failed, the joiner knows how the round of
// a split ended. All other rounds are void, and count as executed: others may have executed them.
func (x *canStep) end() (action, why string) {
	w, p := &x.want, x.want.Promise
	if p == (CANPromise{}) || x.After.Promise == p {
		return "", ""
	}
	lost := x.Lost
	if x.got(CANQuery) {
		lost = x.Got.Proposer
	}
	w.Promise = CANPromise{}
	ofProposer := x.Got != nil && x.From == p.Proposer
	switch gone := !lost.IsNobody() && lost == p.Proposer && !p.Orphan; {
	case ofProposer && x.got(CANCommit) && x.Got.Round == p.Round:
		return x.execute(p)
	case ofProposer && (x.got(CANPropose) && x.Got.Round > p.Round || x.got(CANRelease) && x.Got.Round == p.Round):
		return "Over", ""
	case gone && p.Change == CANSplit && p.Subject != w.ID:
		w.Promise = p
		w.Promise.Orphan = true
		return "Orphan", ""
	case gone, p.Orphan && !lost.IsNobody() && lost == p.Subject,
		p.Orphan && x.got(CANAnswer) && x.Got.Proposer == p.Proposer && x.Got.Round == p.Round:
		w.Epoch++
		return "GiveUp", ""
	}
	return "Over", "nothing shows that the promised round is over"
}

// execute: the outcome of the promised round takes effect.
func (x *canStep) execute(p CANPromise) (action, why string) {
	o := x.Got.Outcome
	if o.Change != CANNoOp {
		x.want.Epoch++
	}
	return "Execute", all(unless(o.Change == CANNoOp || o.Change == p.Change, "the outcome is not of the promised change"),
		x.apply(o))
}

// promise: the node binds itself to a round. Its promise to another is over: see end.
func (x *canStep) promise() (action, why string) {
	w, p := &x.want, x.After.Promise
	if p == w.Promise || p == (CANPromise{}) {
		return "", ""
	}
	life := CANMember
	if p.Change == CANSplit && p.Subject == w.ID {
		life = CANJoining
	}
	m := CANMessage{}
	if x.got(CANPropose) && x.From == p.Proposer {
		m = *x.Got
	}
	why = all(
		unless(p == CANPromise{Proposer: x.From, Round: m.Round, Change: m.Change, Subject: m.Subject},
			"no such round is proposed to the node"),
		unless(w.idle(), "it is in its own round"),
		unless(w.Life == life, "it has no part in such a change"),
		unless(m.Version == w.Version, "the proposer has not seen its present zone"),
		unless(!x.Before.Dead.Has(p.Proposer), "the proposer is dead"),
	)
	w.Promise = p
	return "Promise", why
}

// reclaim: a node that gave up a promise because its proposer failed learns from another, which has
// executed the round, what it was granted.
func (x *canStep) reclaim() (action, why string) {
	w, version := &x.want, x.After.Version
	if version == w.Version || w.Life != CANMember || !x.got(CANTold) {
		return "", ""
	}
	r, told := x.Got.Records.Of(w.ID)
	why = all(
		unless(told && r.Version == version && version > w.Version, "no message has a later version of its zone"),
		unless(w.idle(), "it is in its own round"),
		unless(!w.promised(), "it is bound to a round"),
	)
	w.Version = version
	return "Reclaim", why
}

// request: a member that is in no round begins one. It asks any nodes that it knows.
func (x *canStep) request() (action, why string) {
	w, a := &x.want, &x.After
	if a.Round == w.Round {
		return "", ""
	}
	why = all(
		unless(a.Round == w.Round+1, "it is not the next round"),
		unless(w.idle(), "its last round is not over"),
		unless(!w.promised(), "it is bound to the round of another"),
		unless(w.Life == CANMember, "it owns no zone"),
	)
	w.Round = a.Round
	if a.idle() { // there is no other node to ask, so the round is decided and over
		alone := x.known().where(func(id protocol.NodeID) bool { return !a.Dead.Has(id) }) == ""
		w.Version++
		return "Request", all(why, unless(alone, "it decides a round without asking the nodes that it knows"))
	}
	why = all(why, x.proposes())
	w.Stage, w.Subject, w.Missing, w.Outcome = CANOpen, a.Subject, a.Missing, a.Outcome
	return "Request", why
}

// known returns the nodes that the node knew before the step or knows after it.
func (x *canStep) known() Set { return x.Before.Known.IDs().Union(x.After.Known.IDs()) }

// proposes checks the outcome of a round that begins: it raises the versions in the node's
// records by one each, and has the other records as they are.
func (x *canStep) proposes() (why string) {
	a, o := &x.After, x.After.Outcome
	has := func(r Record) bool {
		before, was := x.Before.Known.Of(r.ID)
		after, is := a.Known.Of(r.ID)
		joins := o.Change == CANSplit && r.ID == a.Subject && r == Record{ID: r.ID}
		return was && before == r || is && after == r || joins || r == x.want.record()
	}
	for r := range o.Changed.All() {
		if r.Version--; !has(r) {
			return "the outcome changes a zone that is not in the node's records"
		}
	}
	for r := range o.View.All() {
		if !has(r) {
			return "the outcome has a record that is not one of the node's"
		}
	}
	asked := a.Missing.Minus(x.known())
	joiner := o.Change == CANSplit && asked == SetOf(a.Subject)
	return all(
		unless(o.Change != CANNoOp, "it proposes nothing"),
		unless(asked == "" || joiner, "it asks a node that it does not know"),
		unless(a.Missing.Minus(a.Dead) == a.Missing, "it asks a node that it knows to be dead"),
	)
}

// enter: a node asks to join at any time, draws another coordinate, or is the first one.
func (x *canStep) enter() (action, why string) {
	w, a := &x.want, x.After.Life
	switch before := w.Life; {
	case before == CANOutside && a == CANMember:
		w.Version, w.Life = 1, a
		return "Create", unless(x.Got == nil && w.Version == x.After.Version, "it is not the first node")
	case before == CANOutside && a == CANJoining, before == CANJoining && a == CANOutside && !w.promised():
		w.Life = a
		return "Enter", unless(x.Got == nil, "it acts upon a message")
	}
	return "", ""
}

// differs compares the node after the step with the effect of the actions.
func (x *canStep) differs(actions []string) (action, why string) {
	w, a := &x.want, &x.After
	switch {
	case a.Promise != w.Promise:
		action, why = "Over", "it forgets its promise"
	case len(actions) == 0 && x.got(CANCommit) && (a.Life != w.Life || a.Version != w.Version || a.Epoch != w.Epoch):
		action, why = "Execute", "it is not bound to this round"
	case a.Life != w.Life:
		action, why = "Enter", "it enters or leaves in another way"
	case a.Version != w.Version:
		action, why = "Reclaim", "its zone changes in another way"
	case a.Epoch != w.Epoch:
		action, why = "GiveUp", "its epoch does not count the rounds around it"
	case !sameRound(a, w):
		action, why = x.inRound(), "its round goes on in another way"
	}
	if why != "" && len(actions) > 0 {
		action = actions[len(actions)-1]
	}
	return action, why
}

// inRound names the action that a change of the own round would be.
func (x *canStep) inRound() string {
	switch a := &x.After; {
	case a.Stage == CANOpen:
		return "Request"
	case a.Outcome.Change == CANNoOp && a.closing():
		return "Cancel"
	case a.Stage > x.Before.Stage:
		return "Decide"
	}
	return "Acknowledge"
}

// hearsay checks the records of others: each number comes from a message, or takes effect in this
// step, and none replaces a later one. The node may forget records at any time.
func (x *canStep) hearsay() (why string) {
	from := []Records{x.Before.Known, x.effect.Changed, x.effect.View}
	dead := x.Before.Dead.With(x.Lost, x.effect.Gone)
	if x.Got != nil {
		from = append(from, x.Got.Records)
		dead = dead.Union(x.Got.Dead).With(x.Got.Proposer)
	}
	for r := range x.After.Known.All() {
		old, _ := x.Before.Known.Of(r.ID)
		version, epoch := false, x.got(CANYes) && r.ID == x.From && r.Epoch == x.Got.Epoch
		for _, source := range from {
			s, told := source.Of(r.ID)
			version, epoch = version || told && s.Version == r.Version, epoch || told && s.Epoch == r.Epoch
		}
		if !version || !epoch || r.Version < old.Version || r.Epoch < old.Epoch {
			return "no message had this record of " + r.ID.String()
		}
	}
	return unless(x.After.Dead.Minus(dead) == "", "it lists a node as dead without a report of its failure")
}

// announces compares the events of the step with those of its actions.
func (x *canStep) announces(actions []string) (action, why string) {
	due, said := map[string]int{}, map[string]int{}
	for _, action := range actions {
		if event := CANEvents[action]; event != "" {
			due[event]++
		}
	}
	if x.requestedAlone() {
		due[CANEvents["Decide"]]++
	}
	for _, event := range x.Announced {
		said[event]++
	}
	for _, action := range CANActions {
		switch event := CANEvents[action]; {
		case said[event] > due[event]:
			return action, "it is announced and does not take place"
		case said[event] < due[event]:
			return action, "it takes place and is not announced"
		}
	}
	return "", ""
}

// requestedAlone reports whether the step begins a round without participants, and so decides it.
func (x *canStep) requestedAlone() bool {
	return x.After.ID == x.Before.ID && x.After.Round != x.Before.Round && x.After.idle()
}

// CANAtOnce lists the actions that a node may take in one step.
func CANAtOnce() []string {
	return []string{
		"Over Promise",        // a newer round of the same proposer
		"Cancel Request",      // a node that was asked fails, and this one takes its zone over
		"Acknowledge Request", // the same, of the last that has not acknowledged
		"GiveUp Request",      // the same, of the proposer
	}
}
