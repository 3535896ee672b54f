package reptask

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// text builds a line, in place of package fmt, which a core must not import.
type text struct{ strings.Builder }

func (t *text) num(label string, v int) { t.WriteString(label + strconv.Itoa(v)) }

func (t *text) unsigned(label string, v uint64) { t.WriteString(label + strconv.FormatUint(v, 10)) }

// ids writes identities: [A B]
func (t *text) ids(label string, ids []protocol.NodeID) {
	t.WriteString(label + "[")
	for i, id := range ids {
		if i > 0 {
			t.WriteString(" ")
		}
		t.WriteString(id.String())
	}
	t.WriteString("]")
}

// neighbours writes node, coordinate, residue and longest queue of each: [{A 2 1 0}]
func (t *text) neighbours(all []Neighbour) {
	t.WriteString("[")
	for i, m := range all {
		if i > 0 {
			t.WriteString(" ")
		}
		t.WriteString("{" + m.Node.String())
		t.num(" ", m.Coordinate)
		t.num(" ", m.Residue)
		t.num(" ", m.Longest)
		t.WriteString("}")
	}
	t.WriteString("]")
}

// String describes a message in one line.
func (m Message) String() string { return m.Kind.String() + " " + m.Job.String() }

// String describes a job.
func (j Job) String() string {
	t := text{}
	t.WriteString(j.Owner.String())
	t.unsigned("/", uint64(j.Number))
	t.unsigned("(time ", j.Submitted)
	t.unsigned(" hash ", j.Hash)
	t.num(", needs ", j.Nodes)
	if j.Moved {
		t.WriteString(", moved")
	}
	t.WriteString(")")
	return t.String()
}

// String describes a command in one line.
func (c Command) String() string {
	t := text{}
	switch c.Kind {
	case Submit:
		t.WriteString("submit " + c.Job.String() + " to " + c.To.String())
	case DLB:
		t.WriteString("dlb ")
		t.neighbours(c.Neighbours)
	case QB:
		t.WriteString("qb ")
		t.neighbours(c.Neighbours)
		for _, p := range c.Positions {
			t.WriteString(" averageQP of " + p.Job.Owner.String())
			t.unsigned("/", uint64(p.Job.Number))
			t.num(" ", p.Average)
		}
	default:
		t.WriteString("invalid")
	}
	return t.String()
}

// String describes a state in one line.
func (s State) String() string {
	t := text{}
	t.WriteString(s.Self.String())
	t.ids(" cluster ", s.Cluster)
	for _, task := range s.Queue {
		host := task.Status.String() + " for " + task.Representative.String()
		t.WriteString(" [" + task.Job.String() + " " + host + "]")
	}
	for _, r := range s.Roles {
		t.WriteString(" represents " + r.Job.String())
		t.ids(" on ", r.Dependents)
		t.ids(" ready ", r.Ready)
		t.WriteString(" began " + strconv.FormatBool(r.Began))
		t.ids(" finished ", r.Finished)
		if !r.Target.IsNobody() {
			t.WriteString(" moves to " + r.Target.String())
			t.ids(" gone ", r.Recalled)
		}
	}
	for _, o := range s.Owned {
		t.WriteString(" owns " + o.Job.String() + " done " + strconv.FormatBool(o.Done))
	}
	return t.String()
}

// TimerText names a timer. There is only one.
func TimerText(protocol.Timer) string { return "run" }
