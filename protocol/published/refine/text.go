package refine

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// text builds a line, in place of package fmt, which a core must not import.
type text struct{ strings.Builder }

func (t *text) num(label string, v int) { t.WriteString(label + strconv.Itoa(v)) }

// ids writes identities: [A B]
func (t *text) ids(label string, ids []protocol.NodeID) {
	list(t, label, ids, func(id protocol.NodeID) { t.WriteString(id.String()) })
}

// list writes the items in brackets, with a space between them.
func list[T any](t *text, label string, items []T, item func(T)) {
	t.WriteString(label + "[")
	for i, v := range items {
		if i > 0 {
			t.WriteString(" ")
		}
		item(v)
	}
	t.WriteString("]")
}

// String describes a message in one line.
func (m Message) String() string {
	t := text{}
	t.WriteString(m.Kind.String())
	switch m.Kind {
	case Solicit:
		t.num(" sought ", m.Sought)
	case Update:
		t.num(" sought ", m.Sought)
		t.num(" denied ", m.Denied)
		t.ids(" accepted ", m.Members)
	case Report:
		list(&t, " ", m.Latencies, t.latency)
	case Confirm:
		t.ids(" ", m.Members)
		t.num(" (round ", int(m.Round))
		t.WriteString(")")
	}
	return t.String()
}

// String describes a command in one line.
func (c Command) String() string {
	t := text{}
	t.ids("near ", c.Near)
	return t.String()
}

// String describes a state in one line.
func (s State) String() string {
	t := text{}
	t.WriteString(s.Self.String())
	t.client(&s.Client)
	t.head(&s.Head)
	return t.String()
}

func (t *text) client(c *Client) {
	t.WriteString(" client " + c.Phase.String())
	for i := range c.Suitors {
		t.suitor(&c.Suitors[i])
	}
	if len(c.Awaited)+len(c.Measured) > 0 {
		t.ids(" awaits ", c.Awaited)
		list(t, " measured ", c.Measured, t.latency)
	}
}

func (t *text) suitor(r *Suitor) {
	stage := "suitor"
	if r.Committed {
		stage = "committed"
	} else if r.Accepted {
		stage = "accepted"
	}
	if r.Asked {
		stage += " asked"
	}
	t.WriteString(" [" + r.Head.String() + " " + stage)
	t.num(" sought ", r.Sought)
	t.num(" denied ", r.Denied)
	t.ids(" ", r.Members)
	t.num(" round ", int(r.Round))
	t.WriteString("]")
}

// latency writes a measurement in microseconds: {A 10}
func (t *text) latency(l Latency) {
	t.WriteString("{" + l.Peer.String())
	t.num(" ", int(l.Micros))
	t.WriteString("}")
}

func (t *text) head(h *Head) {
	t.WriteString(" head " + h.Phase.String())
	t.ids(" near ", h.Near)
	t.num(" round ", int(h.Round))
	if h.Arrived {
		t.WriteString(" arrived")
	}
	for _, r := range h.Replies {
		reported := strconv.FormatBool(r.Reported)
		t.WriteString(" [" + r.Client.String() + " " + r.Answer.String() + " reported " + reported + "]")
	}
	if len(h.Pairs)+len(h.Awaited) > 0 {
		list(t, " pairs ", h.Pairs, t.pair)
		t.ids(" awaits ", h.Awaited)
	}
	if len(h.Cluster) > 0 {
		t.ids(" cluster ", h.Cluster)
		t.num(" of round ", int(h.Found))
	}
}

// pair writes a forwarded measurement: {A B 10}
func (t *text) pair(p Pair) {
	t.WriteString("{" + p.From.String() + " " + p.To.String())
	t.num(" ", int(p.Micros))
	t.WriteString("}")
}

// TimerText names a timer.
func TimerText(t protocol.Timer) string {
	switch t.Kind {
	case CollectTimer:
		return "collect"
	case WaitTimer:
		return "wait"
	case DeferTimer:
		return "deferred " + t.Peer.String()
	case FaultTimer:
		return "fault " + t.Peer.String()
	}
	return "?"
}
