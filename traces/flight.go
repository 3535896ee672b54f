package traces

import (
	"slices"
	"strings"
)

// flight is the path of one message, or of one copy of it.
type flight struct {
	from, to, text string
	sent           int    // the step that sent it; 0 if it was on its way when the run began
	got            int    // the step that delivered or lost it; -1 if none did
	how            string // deliver, duplicate, repeat or drop; empty if got is -1
}

// sendEffect is the prefix of the effect of a message sent: "send A->B text".
const sendEffect = "send "

// flights follows the messages of a run through the steps that sent and received them. A message
// that no step sent was in flight from the beginning.
func (t *Trace) flights() []flight {
	var all []flight
	for i := range t.Steps {
		if a := &t.Steps[i].Action; a.carries() {
			var at int
			if all, at = taken(all, a); a.Kind == "duplicate" || a.again() && all[at].got >= 0 {
				all = append(all, all[at]) // the copy is delivered, the message stays what it is
				at = len(all) - 1
			}
			all[at].got, all[at].how = i, a.Kind
		}
		for _, e := range t.Steps[i].Effects {
			if f, ok := parseSend(e); ok {
				f.sent = i
				all = append(all, f)
			}
		}
	}
	return all
}

// The kinds of deliveries of messages of the past: that have arrived before or, with a budget for
// adversarial delivery, were in flight before.
const (
	repeated = "repeat"
	late     = "late"
)

// again reports whether the action delivers a message of the past.
func (a *Action) again() bool { return a.Kind == repeated || a.Kind == late }

// carries reports whether the action is about a message.
func (a *Action) carries() bool {
	kinds := []string{"deliver", "duplicate", repeated, late, "drop"}
	return a.Peer != "" && a.Node != "" && slices.Contains(kinds, a.Kind)
}

// taken finds the message of an action: among those in flight or, for a duplicate, among the
// messages that have arrived. A message that is repeated under adversarial delivery may never have
// arrived. If it is nowhere, it is added.
func taken(all []flight, a *Action) ([]flight, int) {
	at := match(all, a, func(f *flight) bool {
		if a.again() {
			return f.got >= 0 && f.how != "drop"
		}
		return f.got < 0
	})
	if at < 0 && a.again() {
		at = match(all, a, func(*flight) bool { return true })
	}
	if at >= 0 {
		return all, at
	}
	return append(all, flight{from: a.Peer, to: a.Node, text: a.Text, got: -1}), len(all)
}

// match finds the first suitable flight of the message of an action, -1 if there is none. A machine
// with several messages of the same text marks them in the action: "Propose 2 (from A.2)".
func match(all []flight, a *Action, fits func(*flight) bool) int {
	marked := -1
	for i, f := range all {
		switch {
		case !fits(&f) || f.from != a.Peer || f.to != a.Node:
		case f.text == a.Text:
			return i
		case marked < 0 && strings.HasPrefix(a.Text, f.text+" ("):
			marked = i
		}
	}
	return marked
}

// parseEvent returns the event that a step reported, if the effect is one: "event text".
func parseEvent(effect string) (text string, ok bool) { return strings.CutPrefix(effect, "event ") }

func parseSend(effect string) (flight, bool) {
	rest, ok := strings.CutPrefix(effect, sendEffect)
	if !ok {
		return flight{}, false
	}
	way, text, _ := strings.Cut(rest, " ")
	from, to, ok := strings.Cut(way, "->")
	return flight{from: from, to: to, text: text, got: -1}, ok && from != "" && to != ""
}

// hosts lists the nodes that act in a run: first nodes that have a variable, in the order of the
// variables, then the others in the order of their actions.
func (t *Trace) hosts() []string {
	acts, seen := map[string]bool{}, map[string]bool{"": true}
	flights := t.flights()
	for _, s := range t.Steps {
		acts[s.Action.Node], acts[s.Action.Peer] = true, true
	}
	for _, f := range flights {
		acts[f.from], acts[f.to] = true, true
	}
	var hosts []string
	join := func(name string) {
		if !seen[name] {
			seen[name] = true
			hosts = append(hosts, name)
		}
	}
	for _, v := range t.Steps[0].State {
		if acts[v.Name] {
			join(v.Name)
		}
	}
	for _, s := range t.Steps {
		join(s.Action.Peer)
		join(s.Action.Node)
	}
	for _, f := range flights {
		join(f.from)
		join(f.to)
	}
	return hosts
}
