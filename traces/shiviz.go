package traces

import (
	"encoding/json"
	"io"
	"maps"
	"strconv"
	"strings"
)

// The hosts of actions at no node, such as the network dropping a message.
const (
	networkHost = "network"
	systemHost  = "system"
)

// WriteShiViz writes a run as a log with vector clocks, two lines an event, which ShiViz reads with
// its default expression (?<event>.*)\n(?<host>\S*) (?<clock>{.*}). Every host begins with an event
// that sends the messages in flight at the beginning.
func WriteShiViz(w io.Writer, t *Trace) error {
	log := &causal{clocks: map[string]clock{}, after: make([]clock, len(t.Steps))}
	var b strings.Builder
	for _, host := range t.hosts() {
		log.tick(host)
		log.write(&b, Init, host)
	}
	flights := t.flights()
	for i := 1; i < len(t.Steps); i++ {
		s := &t.Steps[i]
		host := s.Action.host()
		for _, f := range flights {
			if f.got == i {
				log.learn(host, log.sender(f))
			}
		}
		log.tick(host)
		log.after[i] = maps.Clone(log.of(host))
		text := strconv.Itoa(i) + " " + s.Action.String()
		if facts := s.facts(t.Steps[i-1].State); len(facts) > 0 {
			text += " => " + strings.Join(facts, "; ")
		}
		log.write(&b, text, host)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// host is where an action happens: in the network for a dropped message, in the system for an
// action of no node.
func (a *Action) host() string {
	switch {
	case a.Kind == "drop":
		return networkHost
	case a.Node != "":
		return a.Node
	case a.Peer != "":
		return a.Peer
	}
	return systemHost
}

// clock is a vector clock: how many events of each host are in the past.
type clock map[string]int

// causal computes the clock of each event.
type causal struct {
	clocks map[string]clock
	after  []clock // of each step
}

func (l *causal) of(host string) clock {
	if l.clocks[host] == nil {
		l.clocks[host] = clock{}
	}
	return l.clocks[host]
}

func (l *causal) tick(host string) { l.of(host)[oneWord(host)]++ }

// sender is the clock of the event that sent a message.
func (l *causal) sender(f flight) clock {
	if f.sent > 0 {
		return l.after[f.sent]
	}
	return clock{oneWord(f.from): 1}
}

func (l *causal) learn(host string, past clock) {
	c := l.of(host)
	for other, n := range past {
		c[other] = max(c[other], n)
	}
}

func (l *causal) write(b *strings.Builder, event, host string) {
	now, err := json.Marshal(l.clocks[host]) // in the order of the names
	if err != nil {
		panic("traces: a clock has no form in JSON: " + err.Error())
	}
	b.WriteString(event + "\n" + oneWord(host) + " " + string(now) + "\n")
}

// oneWord joins the words of a name, which ShiViz would take for the end of it.
func oneWord(name string) string { return strings.Join(strings.Fields(name), "_") }
