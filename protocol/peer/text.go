package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// MessageText describes a message in one line.
func MessageText(cfg *Config, m Message) string {
	switch m := m.(type) {
	case CanMessage:
		return "can " + can.MessageText(&cfg.Can, m.Of)
	case RefineMessage:
		return "refine " + refine.MessageText(m.Of)
	case TaskMessage:
		return "tasks " + reptask.MessageText(&cfg.Tasks, m.Of)
	case TreeMessage:
		return "tree " + dtm.MessageText(m.Of)
	case Job:
		var t space.Text
		t.Num("Job ", int64(m.Ticket))
		t.Str(" of " + m.Entry.String())
		if m.Orphan != (reptask.Job{}) {
			t.Str(" orphan " + reptask.JobText(m.Orphan))
		}
		t.Num(" hops ", int64(m.Hops))
		if m.Adopt {
			t.Str(" adopt")
		}
		searchText(&t, &m.Search)
		return string(t.Dst) + " " + specText(cfg, m.Submitted, m.Spec)
	case Owned:
		var t space.Text
		t.Num("Owned ", int64(m.Ticket))
		t.Num(" as ", int64(m.Number))
		return string(t.Dst)
	case Unmatched:
		var t space.Text
		t.Num("Unmatched ", int64(m.Ticket))
		t.Str(": " + m.Why.String())
		return string(t.Dst)
	case Heir:
		text := "Heir " + reptask.JobText(m.Orphan) + " candidates{"
		for i, id := range m.Candidates {
			if i > 0 {
				text += " "
			}
			text += id.String()
		}
		return text + "}"
	}
	return "?"
}

// searchText describes a search: the visits in their order, those in brackets that it has left.
func searchText(t *space.Text, s *match.Search) {
	if !s.On() {
		return
	}
	t.Str(" search")
	for _, step := range s.Steps {
		if step.Left {
			t.Str(" (" + step.Node.String() + ")")
		} else {
			t.Str(" " + step.Node.String())
		}
	}
	if s.Unsure {
		t.Str(" unsure")
	}
}

// specText describes a job as the task layer does.
func specText(cfg *Config, submitted uint64, s reptask.Spec) string {
	return reptask.CommandText(&cfg.Tasks, reptask.Command{Kind: reptask.CommandSubmit, Submitted: submitted, Spec: s})
}

// StateText describes a state in one line.
func StateText(cfg *Config, s State) string {
	leaving := ""
	if s.Leaving {
		leaving = " leaving"
	}
	var clients space.Text
	for _, c := range s.Clients {
		clients.Num(" | job ", int64(c.Number))
		clients.Num(" is ", int64(c.Ticket))
		clients.Str(" of " + c.Entry.String())
		searchText(&clients, &c.Search)
	}
	tree := ""
	if s.Tree != nil {
		tree = " | tree " + dtm.StateText(*s.Tree)
	}
	return s.Can.Self.ID.String() + leaving + string(clients.Dst) +
		" | can " + can.StateText(&cfg.Can, s.Can) +
		" | refine " + refine.StateText(s.Refine) +
		" | tasks " + reptask.StateText(&cfg.Tasks, s.Tasks) + tree
}

// CommandText describes a command in one line.
func CommandText(cfg *Config, c Command) string {
	switch c.Kind {
	case CommandCreate:
		return "create"
	case CommandJoin:
		return "join " + c.Contact.String()
	case CommandNear:
		return refine.CommandText(refine.Command{Kind: refine.CommandAdd, Nodes: c.Near})
	case CommandTree:
		return "tree: " + dtm.CommandText(dtm.Command{Kind: dtm.CommandJoin, Nodes: c.Near})
	case CommandSubmit, CommandCancel:
		var t space.Text
		t.Num(" ", int64(c.Ticket))
		if c.Kind == CommandCancel {
			if !c.Contact.IsNobody() {
				t.Str(" of " + c.Contact.String())
			}
			return "cancel" + string(t.Dst)
		}
		return "submit" + string(t.Dst) + ": " + specText(cfg, c.Submitted, c.Spec)
	case CommandCordon:
		return "cordon"
	case CommandUncordon:
		return "uncordon"
	case CommandMeasure:
		return refine.CommandText(refine.Command{Kind: refine.CommandMeasure})
	case CommandMove:
		return reptask.CommandText(&cfg.Tasks, c.move())
	case CommandOwn:
		return "own: " + reptask.CommandText(&cfg.Tasks, c.own())
	case CommandQueues:
		var t space.Text
		for _, q := range c.Queues {
			t.Num(" "+q.Node.String()+":", int64(q.Length))
		}
		return "queues" + string(t.Dst)
	}
	return "leave"
}

// TimerText names a timer.
func TimerText(t protocol.Timer) string {
	of, t := LayerOf(t)
	switch of {
	case CanLayer:
		return "can " + can.TimerText(t)
	case RefineLayer:
		return "refine " + refine.TimerText(t)
	case TreeLayer:
		return "tree " + dtm.TimerText(t)
	}
	return "tasks " + reptask.TimerText(t)
}
