package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// String names the kind of operation.
func (k Kind) String() string { return [...]string{"get", "put", "cas", "lookup"}[k&3] }

// String names the verdict.
func (v Verdict) String() string {
	return [...]string{"refused", "served", "mismatch", "full", "unknown", "?", "?", "?"}[v&7]
}

type text struct{ space.Text }

func newText(cfg *Config) text { return text{space.Text{Dims: cfg.CAN.Space.Dims}} }

func (t *text) ids(label string, ids []protocol.NodeID) {
	if len(ids) == 0 {
		return
	}
	t.Str(label)
	for _, id := range ids {
		t.Str(" " + id.String())
	}
}

// operation writes ID, kind, key and values: 7 cas (3) 1->2
func (t *text) operation(o Operation) {
	t.Num("", int64(o.ID))
	t.Str(" " + o.Kind.String() + " ")
	t.Point(o.Key)
	if o.Kind == CompareAndSet || o.Expect != 0 {
		t.Num(" ", int64(o.Expect))
		t.Str("->")
		t.Num("", int64(o.Value))
	} else if o.Kind == Put || o.Value != 0 {
		t.Num(" ", int64(o.Value))
	}
}

func (t *text) items(items []Item) {
	t.Str("{")
	for i, it := range items {
		if i > 0 {
			t.Str(" ")
		}
		t.Point(it.Key)
		t.Num("=", int64(it.Value))
	}
	t.Str("}")
}

func (t *text) decided(label string, ds []Decision) {
	if len(ds) == 0 {
		return
	}
	t.Str(label)
	for _, d := range ds {
		t.Str(" " + d.Client.String())
		t.Num(".", int64(d.ID))
		t.Num("#", int64(d.Attempt))
		t.Str(" " + d.Verdict.String())
		if d.Value != 0 {
			t.Num("=", int64(d.Value))
		}
	}
}

func (t *text) source(s Source) {
	t.Str(" " + s.From.String())
	t.Num("/", int64(s.Round))
}

// MessageText describes a message in one line.
func MessageText(cfg *Config, m Message) string {
	t := newText(cfg)
	switch m := m.(type) {
	case Map:
		return can.MessageText(&cfg.CAN, m.Message)
	case Request:
		t.Str("Request ")
		t.operation(m.Operation)
		t.Num(" #", int64(m.Attempt))
		t.ids(" tried", m.Tried)
	case Reply:
		t.Num("Reply ", int64(m.ID))
		t.Num(" #", int64(m.Attempt))
		t.Str(" " + m.Verdict.String())
		if m.Value != 0 {
			t.Num(" value ", int64(m.Value))
		}
		if !m.Hint.IsNobody() {
			t.Str(" hint " + m.Hint.String())
		}
	case Give:
		t.Num("Give ", int64(m.Round))
		t.Str(" ")
		t.items(m.Items)
		if m.Leaving {
			t.Str(" leaving")
		}
		t.decided(" decided", m.Decided)
		t.ids(" left", m.Left)
	case GiveOK:
		t.Num("GiveOK ", int64(m.Round))
	}
	return string(t.Dst)
}

// StateText describes a state in one line: the store, then the map.
func StateText(cfg *Config, s State) string {
	t := newText(cfg)
	t.items(s.Items)
	for _, a := range s.Awaits {
		t.Str(" awaits")
		t.source(a.Source)
		t.Str(" ")
		t.Zone(a.Zone)
	}
	for _, g := range s.Gifts {
		t.Str(" gives " + g.To.String())
		t.Num("/", int64(g.Round))
		t.Str(" ")
		t.Zone(g.Zone)
		t.Str(" ")
		t.items(g.Items)
		if g.Leaving {
			t.Str(" leaving")
		}
		for _, s := range g.Needs {
			t.Str(" needs")
			t.source(s)
		}
	}
	for _, p := range s.Pending {
		t.Str(" pending ")
		t.operation(p.Operation)
		t.Num(" #", int64(p.Attempt))
		t.Str(" at " + p.Target.String())
		t.ids(" tried", p.Tried)
		if p.Redirects > 0 {
			t.Num(" redirects ", int64(p.Redirects))
		}
	}
	t.decided(" decided", s.Decided)
	t.ids(" left", s.Left)
	t.Str(" | " + can.StateText(&cfg.CAN, s.CAN))
	return string(t.Dst)
}

// CommandText describes a command in one line.
func CommandText(cfg *Config, c Command) string {
	if c.Map {
		return can.CommandText(c.Change)
	}
	t := newText(cfg)
	t.Str("operation ")
	t.operation(c.Operation)
	return string(t.Dst)
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	switch timer.Kind {
	case RetryTimer:
		return "retry operations"
	case ResendTimer:
		return "resend handovers"
	case GoneTimer:
		return "gone " + timer.Peer.String()
	}
	return can.TimerText(timer)
}
