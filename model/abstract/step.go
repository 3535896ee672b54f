package abstract

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Letter is a message with its receiver.
type Letter[M comparable] struct {
	To      protocol.NodeID
	Message M
}

// Step is a step of one node, as a machine sees it. At most one of Got and Lost is set. The step of
// a node at which neither is set happens of itself: time passed, or an application gave a command.
type Step[N, M comparable] struct {
	Before, After N
	From          protocol.NodeID // who sent Got
	Got           *M              // a message that was sent to the node, at any time
	Lost          protocol.NodeID // a node that the failure detector reports
	Sent          []Letter[M]
	Announced     []string // the names of the events that the application sees, of those that the machine has
}

// Refusal is an error about a step that a machine does not allow.
type Refusal struct {
	Action        string // the abstract step that it would be
	Why           string // the clause of that step that it breaks
	Before, After string // the node
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("no step %s: %s; before: %s; after: %s", r.Action, r.Why, r.Before, r.After)
}

// refuse returns a [Refusal] about a step, or nil if there is no reason.
func refuse[N interface {
	comparable
	fmt.Stringer
}, M comparable](s *Step[N, M], action, why string) error {
	if why == "" {
		return nil
	}
	return &Refusal{action, why, s.Before.String(), s.After.String()}
}

// all returns the reasons that are not empty, or "".
func all(reasons ...string) string {
	var some []string
	for _, r := range reasons {
		if r != "" {
			some = append(some, r)
		}
	}
	return strings.Join(some, ", ")
}

// unless returns a reason if a condition does not hold.
func unless(holds bool, reason string) string {
	if holds {
		return ""
	}
	return reason
}
